#!/usr/bin/env bun
import { copyFileSync, cpSync, existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import {
  buildIfMissing,
  byTurns,
  cpuMs,
  executable,
  freePort,
  freshFolder,
  type Listening,
  listen,
  median,
  memoryMiB,
  removeScratch,
  root,
  run,
} from "./process.ts";
import { benchStartup } from "./startup.ts";

/**
 * `bun run bench [--rounds 10] [--seconds 2] [--warm 8]`: durable runs from submission to success, beside a bar that does
 * the least such a run needs. Both are up for each load, on fresh files, and are loaded in turn for short rounds: what
 * else the machine does changes within seconds, and meets both. With `REAL=1 AUTOCKPT=1000` the bar of
 * `../shared/bench` also validates, reads keys and takes transitions.
 */

const shared = join(root, "..", "shared", "bench");
const options = {
  rounds: { type: "string", default: "10" },
  seconds: { type: "string", default: "2" },
  warm: { type: "string", default: "8" },
} as const;
const { values } = parseArgs({ options });

/** What a load client prints, as far as it is read here. Times are in ms. */
interface LoadReport {
  readonly runs: number;
  readonly runs_s: number;
  readonly submit_p50: number;
  readonly submit_p99: number;
  readonly done_p50: number;
  readonly done_p99: number;
  readonly errors: number;
}

interface Figures extends LoadReport {
  /** Of the server, in ms. */
  readonly cpu_per_run: number;
  /** The most that was resident, in MiB. */
  readonly memory: number;
}

/** A server to be loaded, and how its runs are asked for. */
interface Subject {
  readonly name: string;
  start(port: number, load: Load): Promise<{ readonly server: Listening; readonly env: Record<string, string> }>;
}

interface Load {
  readonly clients: number;
  readonly accounts: number;
  /** Runs whose engine answers behind the acceptance, as one does that takes its time; absent: at once. */
  readonly later?: true;
}

const loads: readonly Load[] = [
  { clients: 32, accounts: 64 },
  { clients: 256, accounts: 64 },
  { clients: 32, accounts: 1 },
  { clients: 32, accounts: 64, later: true },
];

/** Until the clients of a round are all under way, in seconds. */
const settling = 0.2;

const runPath = "/v1/capabilities/bench-noop/runs";
const runBody = JSON.stringify({ input: { payload: "x" } });
const laterBody = JSON.stringify({ input: { payload: "x", later: true } });
const limitKeys = { RUN_KEYF: "pk_live_bench_%04d_0123456789abcdef0123456789abcdef" };
/** What the bar validates with REAL=1. */
const limitBody = JSON.stringify({ question: "Which wording covers flood damage to a rented garage?", country: "DE" });

/** The load client: the C one where it can be compiled, else our own. */
async function loadClient(): Promise<readonly string[]> {
  const source = join(shared, "load.c");
  const compiler = Bun.which("gcc") ?? Bun.which("cc");
  if (process.platform !== "linux" || !compiler || !existsSync(source))
    return [process.execPath, join(root, "test", "bench", "client.ts")];
  const file = join(freshFolder("client"), "load");
  await run([compiler, "-O2", "-w", "-o", file, source]);
  return [file];
}

/** The bar, on a database of its own each time. It is copied below the project, where it finds the packages. */
function bar(): Subject {
  const hasLimit = existsSync(join(shared, "limit.ts"));
  return {
    name: hasLimit ? "bar" : "baseline",
    async start(port) {
      const folder = freshFolder("bar");
      const files = hasLimit ? ["limit.ts", "ckpt.ts", "sqlite_schema.sql"] : ["baseline.ts"];
      for (const file of files) copyFileSync(join(hasLimit ? shared : import.meta.dir, file), join(folder, file));
      writeFileSync(join(folder, "package.json"), "{}");
      const env = { FRAMEWORK: "elysia", DB: join(folder, "bar.db") };
      const server = await listen([process.execPath, files[0] ?? ""], port, { env, cwd: folder });
      const body = hasLimit ? limitBody : runBody;
      return { server, env: { RUN_PATH: runPath, RUN_BODY: body, ...limitKeys } };
    },
  };
}

const serveCommand = (data: string, port: number) => [
  executable,
  ...["serve", "--demo", "--bench", "--log-level", "warn", "--data", data, "--port", String(port)],
];

/** The product, on a copy of the same fresh demo each time. */
async function product(): Promise<Subject> {
  await buildIfMissing();
  const template = join(freshFolder("template"), "data");
  const port = await freePort();
  await (await listen(serveCommand(template, port), port)).stop();
  return {
    name: "assay",
    async start(port, { later }) {
      const data = join(freshFolder("product"), "data");
      cpSync(template, data, { recursive: true });
      const server = await listen(serveCommand(data, port), port);
      return {
        server,
        env: { RUN_PATH: runPath, RUN_BODY: later ? laterBody : runBody, RUN_KEYS: join(data, "bench-keys.txt") },
      };
    },
  };
}

/** A server under a load, to be measured again and again. */
interface Loaded {
  /** Loads it for so long before and while it is measured, in seconds. */
  measure(warm: number, seconds: number): Promise<Figures>;
  stop(): Promise<void>;
}

async function startLoaded(subject: Subject, client: readonly string[], load: Load): Promise<Loaded> {
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
      // It says on stderr when its warm-up is over.
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

const columns: readonly { readonly title: string; cell(figures: readonly Figures[]): string }[] = [
  { title: "runs/s", cell: (all) => median(all.map((f) => f.runs_s)).toFixed(0) },
  { title: "submit p50", cell: (all) => median(all.map((f) => f.submit_p50)).toFixed(2) },
  { title: "p99 ms", cell: (all) => median(all.map((f) => f.submit_p99)).toFixed(2) },
  { title: "done p50", cell: (all) => median(all.map((f) => f.done_p50)).toFixed(2) },
  { title: "p99 ms", cell: (all) => median(all.map((f) => f.done_p99)).toFixed(2) },
  { title: "CPU ms/run", cell: (all) => median(all.map((f) => f.cpu_per_run)).toFixed(3) },
  { title: "peak MiB", cell: (all) => median(all.map((f) => f.memory)).toFixed(0) },
];

const row = (name: string, cells: readonly string[]): string =>
  `  ${name.padEnd(10)}${cells.map((cell) => cell.padStart(12)).join("")}`;

/** Loads both by turns, and prints their medians and the median of the rounds' ratios. Answers that ratio. */
async function compare(subjects: readonly [Subject, Subject], client: readonly string[], load: Load): Promise<number> {
  const loaded = [await startLoaded(subjects[0], client, load), await startLoaded(subjects[1], client, load)] as const;
  for (const { measure } of loaded) await measure(Number(values.warm), settling);
  const seconds = Number(values.seconds);
  const figures = await byTurns(Number(values.rounds), loaded, ({ measure }) => measure(settling, seconds));
  for (const { stop } of loaded) await stop();
  const [first, second] = figures;
  const ratios = second.map((own, round) => own.runs_s / (first[round]?.runs_s ?? Number.NaN));
  const { clients, accounts, later } = load;
  const way = later ? ", each run ended behind its acceptance" : "";
  console.log(`\n${clients} clients, ${accounts} ${accounts === 1 ? "account" : "accounts"}${way}`);
  const titles = columns.map(({ title }) => title);
  console.log(row("", titles));
  for (const i of [0, 1] as const)
    console.log(
      row(
        subjects[i].name,
        columns.map(({ cell }) => cell(figures[i])),
      ),
    );
  console.log(`  ratio ${median(ratios).toFixed(3)} (rounds: ${ratios.map((ratio) => ratio.toFixed(3)).join(" ")})`);
  return median(ratios);
}

const client = await loadClient();
const subjects = [bar(), await product()] as const;
console.log(
  `Medians of ${values.rounds} rounds of ${values.seconds} s, by turns; ${client.at(-1)?.split("/").at(-1)} as the client`,
);
const ratios: number[] = [];
for (const load of loads) ratios.push(await compare(subjects, client, load));
// By their ratios, since they were not measured at the same time.
const [many = Number.NaN, , one = Number.NaN] = ratios;
console.log(`\nOne account against 64, at 32 clients, each beside its bar: ${(one / many).toFixed(3)}`);
await benchStartup();
removeScratch();
