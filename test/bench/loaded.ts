import { cpSync, existsSync } from "node:fs";
import { join } from "node:path";
import {
  buildIfMissing,
  cpuMs,
  executable,
  freePort,
  freshFolder,
  type Listening,
  listen,
  memoryMiB,
  root,
  run,
} from "./process.ts";

/** A server under the load of closed-loop clients that submit runs and poll them until they finish. */

export const shared = join(root, "..", "shared", "bench");

/** The fields of a load client's output that are used here. Times are in ms. */
export interface LoadReport {
  readonly runs: number;
  readonly runs_s: number;
  readonly submit_p50: number;
  readonly submit_p99: number;
  readonly done_p50: number;
  readonly done_p99: number;
  /** Median latency of a poll by id. */
  readonly get_p50: number;
  readonly errors: number;
}

export interface Figures extends LoadReport {
  /** Processor time of the server, in ms. */
  readonly cpu_per_run: number;
  /** Peak resident memory, in MiB. */
  readonly memory: number;
}

/** A server to be loaded, and how to request its runs. */
export interface Subject {
  readonly name: string;
  start(port: number, load: Load): Promise<{ readonly server: Listening; readonly env: Record<string, string> }>;
}

export interface Load {
  readonly clients: number;
  readonly accounts: number;
  /** Whether the engine finishes after the acceptance, like a slow one; otherwise it runs inline. */
  readonly later?: true;
}

/** Time until all clients of a round are running, in seconds. */
export const settling = 0.2;

export const runPath = "/v1/capabilities/bench-noop/runs";
export const runBody = JSON.stringify({ input: { payload: "x" } });
const laterBody = JSON.stringify({ input: { payload: "x", later: true } });

/** Returns the load client: the C one if it can be compiled, else our own. */
export async function loadClient(): Promise<readonly string[]> {
  const source = join(shared, "load.c");
  const compiler = Bun.which("gcc") ?? Bun.which("cc");
  if (process.platform !== "linux" || !compiler || !existsSync(source))
    return [process.execPath, join(root, "test", "bench", "client.ts")];
  const file = join(freshFolder("client"), "load");
  await run([compiler, "-O2", "-w", "-o", file, source]);
  return [file];
}

/** Returns the command that serves the product on a data folder, with the bench's firms. */
export const serveCommand = (data: string, port: number) => [
  executable,
  ...["serve", "--demo", "--bench", "--log-level", "warn", "--data", data, "--port", String(port)],
];

/** The product and its files. */
export interface Product extends Subject {
  /** A fresh demo's data folder, not open in any server. */
  readonly template: string;
  /** The copy of it on which the server was last started. */
  readonly data: string;
}

/** Returns the product, started on a new copy of the same fresh demo each time. */
export async function product(): Promise<Product> {
  await buildIfMissing();
  const template = join(freshFolder("template"), "data");
  const data = join(freshFolder("product"), "data");
  const port = await freePort();
  await (await listen(serveCommand(template, port), port)).stop();
  return {
    name: "assay",
    template,
    data,
    async start(port, { later }) {
      freshFolder("product");
      cpSync(template, data, { recursive: true });
      const server = await listen(serveCommand(data, port), port);
      return {
        server,
        env: { RUN_PATH: runPath, RUN_BODY: later ? laterBody : runBody, RUN_KEYS: join(data, "bench-keys.txt") },
      };
    },
  };
}

/** A server under load, to be measured repeatedly. */
interface Loaded {
  /** Applies the load for `warm` seconds before and `seconds` seconds while measuring. */
  measure(warm: number, seconds: number): Promise<Figures>;
  stop(): Promise<void>;
}

/** Starts the server on fresh files; `measure` applies the load. */
export async function startLoaded(subject: Subject, client: readonly string[], load: Load): Promise<Loaded> {
  const { clients, accounts } = load;
  const port = await freePort();
  const { server, env } = await subject.start(port, load);
  return {
    async measure(warm, seconds) {
      const args = [port, clients, warm, seconds, accounts].map(String);
      const child = Bun.spawn([...client, ...args], {
        stdin: "ignore",
        stdout: "pipe",
        stderr: "pipe",
        env: { ...process.env, ...env },
      });
      const out = child.stdout.text();
      const decoder = new TextDecoder();
      let said = "";
      let before = Number.NaN;
      // The client reports the end of its warm-up on stderr.
      for await (const bytes of child.stderr) {
        said += decoder.decode(bytes);
        if (Number.isNaN(before) && said.includes("MEASURE")) before = cpuMs(server.pid);
      }
      const used = cpuMs(server.pid) - before;
      const memory = memoryMiB(server.pid).peak;
      if ((await child.exited) !== 0) throw new Error(`the load client failed on ${subject.name}: ${said}`);
      const report: LoadReport = JSON.parse(await out);
      if (report.errors > 0) throw new Error(`${report.errors} errors under load on ${subject.name}: ${said}`);
      return { ...report, cpu_per_run: used / report.runs, memory };
    },
    stop: server.stop,
  };
}
