import { readFileSync } from "node:fs";
import { join } from "node:path";

/** A REST client for the server. Every error response throws, since none is expected. */
export interface Caller {
  readonly url: string;
  post<T>(path: string, apiKey: string, body: unknown, idempotencyKey: string): Promise<T>;
  /** Waits until a run has ended. */
  ended(id: string, apiKey: string): Promise<void>;
}

const pollMs = 10;

function createCaller(url: string): Caller {
  async function ask<T>(path: string, apiKey: string, init: RequestInit = {}): Promise<T> {
    const headers = { ...init.headers, authorization: `Bearer ${apiKey}` };
    const response = await fetch(url + path, { ...init, headers });
    const text = await response.text();
    if (!response.ok) throw new Error(`${path} was answered ${response.status}: ${text}`);
    return JSON.parse(text);
  }
  return {
    url,
    post: (path, apiKey, body, idempotencyKey) =>
      ask(path, apiKey, {
        method: "POST",
        headers: { "content-type": "application/json", "idempotency-key": idempotencyKey },
        body: JSON.stringify(body),
      }),
    async ended(id, apiKey) {
      for (;;) {
        const { finished_at } = await ask<{ finished_at: string | null }>(`/v1/runs/${id}`, apiKey);
        if (finished_at !== null) return;
        await Bun.sleep(pollMs);
      }
    },
  };
}

export interface ReleaseServer {
  readonly caller: Caller;
  /** Runs a command of the same executable on the same folder; throws if it fails. */
  command(...args: string[]): void;
  /** Kills the server with SIGKILL. */
  kill(): Promise<void>;
}

/** Starts a release's demo, with the bench firms, on the given folder. */
export async function startRelease(executable: string, data: string): Promise<ReleaseServer> {
  const flags = ["--demo", "--bench", "--port", "0", "--data", data];
  const child = Bun.spawn([executable, "serve", ...flags], { stdio: ["ignore", "ignore", "ignore"] });
  const address = (): string | undefined => {
    try {
      const told: { base_url: string } = JSON.parse(readFileSync(join(data, "server.json"), "utf8"));
      return told.base_url;
    } catch {
      return undefined;
    }
  };
  let url = address();
  for (; url === undefined; url = address()) {
    if (child.exitCode !== null) throw new Error(`the server ended with ${child.exitCode}`);
    await Bun.sleep(pollMs);
  }
  return {
    caller: createCaller(url),
    command(...args) {
      const { exitCode, stderr } = Bun.spawnSync([executable, ...args, "--data", data]);
      if (exitCode !== 0) throw new Error(`${args.join(" ")} ended with ${exitCode}: ${stderr}`);
    },
    async kill() {
      child.kill("SIGKILL");
      await child.exited;
    },
  };
}
