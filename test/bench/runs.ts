#!/usr/bin/env bun
import { copyFileSync, existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import {
  type Figures,
  type Load,
  loadClient,
  product,
  runBody,
  runPath,
  type Subject,
  settling,
  shared,
  startLoaded,
} from "./loaded.ts";
import { byTurns, freshFolder, listen, median, removeScratch } from "./process.ts";
import { benchSize } from "./size.ts";
import { benchStartup } from "./startup.ts";

/**
 * `bun run bench [--rounds 10] [--seconds 2] [--warm 8]`: durable runs from submission to success, compared with a
 * baseline that does the minimum for such a run. Both servers are up for each load, on fresh files, and are loaded
 * alternately for short rounds, so that other activity on the machine, which changes within seconds, affects both. With
 * `REAL=1 AUTOCKPT=1000` the baseline of `../shared/bench` also validates, reads keys and takes transitions. The
 * baseline writes in its event loop, so comparing polls by id shows the value of a separate writer thread.
 */

const options = {
  rounds: { type: "string", default: "10" },
  seconds: { type: "string", default: "2" },
  warm: { type: "string", default: "8" },
} as const;
const { values } = parseArgs({ options });

const loads: readonly Load[] = [
  { clients: 32, accounts: 64 },
  { clients: 256, accounts: 64 },
  { clients: 32, accounts: 1 },
  { clients: 32, accounts: 64, later: true },
];

const limitKeys = { RUN_KEYF: "pk_live_bench_%04d_0123456789abcdef0123456789abcdef" };
/** What the baseline validates with REAL=1. */
const limitBody = JSON.stringify({ question: "Which wording covers flood damage to a rented garage?", country: "DE" });

/** The baseline, on a new database each time. It is copied into the project, where it finds the packages. */
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

const columns: readonly { readonly title: string; cell(figures: readonly Figures[]): string }[] = [
  { title: "runs/s", cell: (all) => median(all.map((f) => f.runs_s)).toFixed(0) },
  { title: "submit p50", cell: (all) => median(all.map((f) => f.submit_p50)).toFixed(2) },
  { title: "p99 ms", cell: (all) => median(all.map((f) => f.submit_p99)).toFixed(2) },
  { title: "done p50", cell: (all) => median(all.map((f) => f.done_p50)).toFixed(2) },
  { title: "p99 ms", cell: (all) => median(all.map((f) => f.done_p99)).toFixed(2) },
  { title: "poll p50", cell: (all) => median(all.map((f) => f.get_p50)).toFixed(2) },
  { title: "CPU ms/run", cell: (all) => median(all.map((f) => f.cpu_per_run)).toFixed(3) },
  { title: "peak MiB", cell: (all) => median(all.map((f) => f.memory)).toFixed(0) },
];

const row = (name: string, cells: readonly string[]): string =>
  `  ${name.padEnd(10)}${cells.map((cell) => cell.padStart(12)).join("")}`;

/** Loads both alternately, and prints their medians and the median of the rounds' ratios. Returns that ratio. */
async function compare(subjects: readonly [Subject, Subject], client: readonly string[], load: Load): Promise<number> {
  const loaded = [await startLoaded(subjects[0], client, load), await startLoaded(subjects[1], client, load)] as const;
  for (const { measure } of loaded) await measure(Number(values.warm), settling);
  const seconds = Number(values.seconds);
  const figures = await byTurns(Number(values.rounds), loaded, ({ measure }) => measure(settling, seconds));
  for (const { stop } of loaded) await stop();
  const [first, second] = figures;
  const ratios = second.map((own, round) => own.runs_s / (first[round]?.runs_s ?? Number.NaN));
  const { clients, accounts, later } = load;
  const way = later ? ", each run finished after its acceptance" : "";
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
  const polls = second.map((own, round) => own.get_p50 / (first[round]?.get_p50 ?? Number.NaN));
  console.log(`  a poll by id takes ${median(polls).toFixed(2)} times the baseline's`);
  return median(ratios);
}

const client = await loadClient();
const subjects = [bar(), await product()] as const;
console.log(
  `Medians of ${values.rounds} rounds of ${values.seconds} s, alternating; ${client.at(-1)?.split("/").at(-1)} as the client`,
);
const ratios: number[] = [];
for (const load of loads) ratios.push(await compare(subjects, client, load));
// Compared by ratio, because they were not measured at the same time.
const [many = Number.NaN, , one = Number.NaN] = ratios;
console.log(`\nOne account against 64, at 32 clients, each relative to its baseline: ${(one / many).toFixed(3)}`);
await benchStartup();
await benchSize();
removeScratch();
