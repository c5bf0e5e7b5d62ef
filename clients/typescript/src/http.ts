import { ConnectionError, errorOf } from "./errors.ts";

/** How to reach a server. */
export interface Options {
  /** Such as `https://assay.example.com`. */
  readonly baseUrl: string;
  /** An API key or an access token. Without one only what is public can be read. */
  readonly key?: string;
  /** How often an attempt is repeated that was not answered, or that the server was too busy for. 2 unless said. */
  readonly retries?: number;
  /** Instead of the global one: for tests and proxies. */
  readonly fetch?: typeof fetch;
}

/** One request. */
export interface Ask {
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
}

type Method = "GET" | "POST" | "PATCH" | "DELETE";

/** What may succeed when it is tried again: a server that is too busy, is starting or has its database locked. */
const isPassing = (status: number): boolean => status === 429 || status === 502 || status === 503 || status === 504;
/** Nobody wants a program that sleeps a minute before it says that it can't go on. */
const longestPause = 10;

const pause = (seconds: number) => new Promise((resolve) => setTimeout(resolve, seconds * 1_000));

function addressOf(baseUrl: string, path: string, query: Ask["query"] = {}): string {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) given.set(name, String(value));
  return baseUrl.replace(/\/+$/, "") + path + (given.size > 0 ? `?${given}` : "");
}

/** Sends requests to one server with one credential. */
export function createTransport({ baseUrl, key, retries = 2, fetch: send = fetch }: Options) {
  async function once(method: Method, path: string, { query, body, headers, signal }: Ask): Promise<Response> {
    const init = {
      method,
      headers: {
        accept: "application/json, application/jose",
        ...(key !== undefined && { authorization: `Bearer ${key}` }),
        ...(body !== undefined && { "content-type": "application/json" }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    };
    try {
      return await send(addressOf(baseUrl, path, query), init);
    } catch (cause) {
      if (signal?.aborted) throw signal.reason;
      throw new ConnectionError(`${baseUrl} does not answer.`, { cause });
    }
  }

  /**
   * The answer, if it is no refusal. What changes something is tried again only under an idempotency key, which makes
   * sure that it happens once.
   */
  return async function ask(method: Method, path: string, given: Ask = {}): Promise<Response> {
    const isSafe = method === "GET" || given.headers?.["idempotency-key"] !== undefined;
    for (let attempt = 0; ; attempt++) {
      const isLast = !isSafe || attempt >= retries;
      try {
        const response = await once(method, path, given);
        if (response.ok) return response;
        const error = await errorOf(response);
        if (isLast || !isPassing(response.status) || (error.retryAfter ?? 0) > longestPause) throw error;
        await pause(error.retryAfter ?? 2 ** attempt / 4);
      } catch (error) {
        if (isLast || !(error instanceof ConnectionError)) throw error;
        await pause(2 ** attempt / 4);
      }
    }
  };
}
