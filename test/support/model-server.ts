/** An OpenAI-compatible endpoint with scripted answers. */

/** One answer of the endpoint: a completion, a status with headers and a body, or no response at all. */
export type Said =
  | { readonly says: unknown }
  | { readonly status: number; readonly headers?: Record<string, string>; readonly body?: string }
  | { readonly stalls: true };

/** A request received by the endpoint. */
export interface Sent {
  readonly path: string;
  readonly authorization: string | null;
  readonly body: {
    readonly model: string;
    readonly messages: readonly { readonly role: string; readonly content: string }[];
    readonly input?: readonly string[];
    readonly response_format?: unknown;
  };
}

const completion = (content: string) => ({
  id: "c",
  object: "chat.completion",
  created: 1,
  model: "m",
  choices: [{ index: 0, message: { role: "assistant", content }, finish_reason: "stop" }],
  usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
});

const vectors = (input: readonly string[]) => ({
  object: "list",
  model: "e",
  data: input.map((text, index) => ({ object: "embedding", index, embedding: [text.length, 1, 0.5] })),
  usage: { prompt_tokens: 1, total_tokens: 1 },
});

/** A server on a free port. It returns the scripted answers in order and repeats the last one. */
export class ModelServer {
  readonly sent: Sent[] = [];
  private script: Said[] = [];
  private readonly server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    idleTimeout: 0,
    fetch: async (request) => {
      const { pathname: path } = new URL(request.url);
      const body: Sent["body"] = JSON.parse((await request.text()) || "{}");
      this.sent.push({ path, authorization: request.headers.get("authorization"), body });
      const said = this.script.length > 1 ? this.script.shift() : this.script[0];
      if (said === undefined && body.input) return Response.json(vectors(body.input));
      if (said === undefined) return new Response("nothing to say", { status: 500 });
      if ("stalls" in said) return new Promise<Response>(() => undefined);
      if ("status" in said)
        return new Response(said.body ?? "{}", { status: said.status, headers: said.headers ?? {} });
      return Response.json(completion(typeof said.says === "string" ? said.says : JSON.stringify(said.says)));
    },
  });

  /** Sets the next answers. */
  will(...script: Said[]): void {
    this.sent.length = 0;
    this.script = script;
  }

  get host(): string {
    return `127.0.0.1:${this.server.port}`;
  }

  get url(): string {
    return `http://${this.host}/v1`;
  }

  async stop(): Promise<void> {
    await this.server.stop(true);
  }
}
