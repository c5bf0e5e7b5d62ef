import { join } from "node:path";
import type { Runtime } from "../platform/runtime.ts";
import { CommandError } from "./io.ts";
import { probe } from "./listener.ts";

/** The demo server in a child process, started and stopped by `demo-tour.ts`. */
export interface DemoServer {
  readonly baseUrl: string;
  readonly data: string;
  /** Resolves when `/health` answers. Rejects with exit 1 if it does not in time. */
  readonly ready: Promise<void>;
  /** Never resolves. Rejects with exit 1 and the last lines of output when the server exits. */
  readonly ended: Promise<never>;
  /** Sends SIGTERM, and SIGKILL if that does not help, and waits until the server has exited. */
  stop(): Promise<void>;
}

const host = "127.0.0.1";
const readyWithinMs = 180_000;
const stopWithinMs = 15_000;
const pollMs = 50;
const lastWords = 10;

/** Returns the port if it is free, or any free port for 0. Throws exit 1 if it is in use. */
export async function findPort(wanted: number): Promise<number> {
  try {
    return await probe({ host, port: wanted });
  } catch (error) {
    const busy = error instanceof Error && "code" in error && error.code === "EADDRINUSE";
    const message = busy ? `Port ${wanted} on ${host} is in use.` : `Port ${wanted} can't be opened: ${error}`;
    throw new CommandError(1, message, "Stop what listens there, or choose another: bun run demo --port 8788");
  }
}

/** Calls `keep` with each line of a stream. */
async function readLines(stream: ReadableStream<Uint8Array>, keep: (line: string) => void): Promise<void> {
  const decoder = new TextDecoder();
  let open = "";
  for await (const bytes of stream) {
    const lines = (open + decoder.decode(bytes, { stream: true })).split("\n");
    open = lines.pop() ?? "";
    for (const line of lines) keep(line);
  }
  if (open !== "") keep(open);
}

async function untilHealthy(runtime: Runtime, baseUrl: string, signal: AbortSignal): Promise<void> {
  const deadline = runtime.elapsed() + readyWithinMs;
  while (runtime.elapsed() < deadline) {
    const healthy = await fetch(`${baseUrl}/health`, { signal, keepalive: false }).then(
      ({ ok }) => ok,
      () => false,
    );
    if (healthy) return;
    await runtime.sleep(pollMs, signal);
  }
  throw new CommandError(1, `The server was not ready within ${readyWithinMs / 1000} s.`);
}

/** Starts `assay serve --demo` in its own process group, so that Ctrl-C reaches it only once, through `stop`. */
export function startDemo(runtime: Runtime, data: string, port: number): DemoServer {
  const main = join(import.meta.dir, "..", "main.ts");
  const settings = Object.entries(process.env).filter(([name]) => !name.startsWith("ASSAY_"));
  const child = Bun.spawn([process.execPath, main, "serve", "--demo", "--data", data, "--port", String(port)], {
    env: Object.fromEntries(settings),
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  const words: string[] = [];
  const keep = (line: string) => {
    words.push(line);
    if (words.length > lastWords) words.shift();
  };
  const heard = Promise.all([readLines(child.stdout, keep), readLines(child.stderr, keep)]);
  const over = new AbortController();
  const baseUrl = `http://${host}:${port}`;
  const ended = child.exited.then(async (code) => {
    over.abort();
    await heard;
    throw new CommandError(1, [`The server exited with ${code}. Its last output:`, ...words].join("\n"));
  });
  // Avoids an unhandled rejection if the promise is not awaited.
  ended.catch(() => {});
  const ready = untilHealthy(runtime, baseUrl, over.signal).catch((error: unknown) => {
    if (over.signal.aborted) return ended;
    throw error;
  });
  ready.catch(() => {});
  return {
    baseUrl,
    data,
    ready,
    ended,
    async stop() {
      child.kill("SIGTERM");
      const disarm = runtime.after(stopWithinMs, () => child.kill("SIGKILL"));
      await child.exited;
      disarm();
    },
  };
}
