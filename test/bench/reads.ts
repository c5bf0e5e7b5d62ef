#!/usr/bin/env bun
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { connect } from "./connection.ts";
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
  removeScratch,
  root,
} from "./process.ts";

/**
 * `bun test/bench/reads.ts [--rounds 10] [--seconds 1] [--warm 4]`: the most frequent reads (the catalogue, in full and
 * unmodified, and a run that finished long ago), compared with a minimal Elysia program that returns the same bytes and
 * runs the same queries. Both servers are up and loaded alternately. Because the client occupies a processor, the
 * server's processor time per request is printed too.
 */

const options = {
  rounds: { type: "string", default: "10" },
  seconds: { type: "string", default: "1" },
  warm: { type: "string", default: "4" },
} as const;
const { values } = parseArgs({ options });
const connections = 16;

interface Figures {
  readonly per_second: number;
  /** Processor time of the server, in microseconds per request. */
  readonly cpu: number;
}

interface Subject {
  readonly name: string;
  readonly port: number;
  readonly server: Listening;
}

interface Read {
  readonly title: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly status: 200 | 304;
}

/** Repeats one read for `seconds` seconds on all connections. */
async function load({ port, server }: Subject, read: Read, seconds: number): Promise<Figures> {
  const lines = Object.entries(read.headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const request = `GET ${read.path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n${lines.join("")}\r\n`;
  const opened = await Promise.all(Array.from({ length: connections }, () => connect(port)));
  const used = cpuMs(server.pid);
  const began = performance.now();
  const until = began + seconds * 1000;
  let answered = 0;
  const ask = async ({ send }: (typeof opened)[number]) => {
    while (performance.now() < until) {
      const answer = await send(request);
      if (!answer.startsWith(`HTTP/1.1 ${read.status}`)) throw new Error(`${read.title}: ${answer.slice(0, 200)}`);
      answered++;
    }
  };
  await Promise.all(opened.map(ask));
  const took = performance.now() - began;
  for (const connection of opened) connection.close();
  return { per_second: (answered / took) * 1000, cpu: ((cpuMs(server.pid) - used) * 1000) / answered };
}

/** Loads both alternately, and prints their medians and the median of the rounds' ratios. */
async function compare(subjects: readonly [Subject, Subject], read: Read): Promise<void> {
  for (const subject of subjects) await load(subject, read, Number(values.warm));
  const figures = await byTurns(Number(values.rounds), subjects, (one) => load(one, read, Number(values.seconds)));
  const [bare, own] = figures;
  console.log(`\n${read.title}`);
  for (const i of [0, 1] as const) {
    const all = figures[i];
    const rate = median(all.map((f) => f.per_second)).toFixed(0);
    console.log(
      `  ${subjects[i].name.padEnd(12)} ${rate.padStart(7)} /s   ${median(all.map((f) => f.cpu)).toFixed(1)} us CPU`,
    );
  }
  const ratioOf = (of: (f: Figures) => number) => median(own.map((f, i) => of(f) / of(bare[i] ?? f)));
  const rates = own.map((f, i) => (f.per_second / (bare[i] ?? f).per_second).toFixed(2));
  console.log(`  ratio ${ratioOf((f) => f.per_second).toFixed(3)} (rounds: ${rates.join(" ")})`);
  console.log(`  CPU ratio, bare to ours: ${(1 / ratioOf((f) => f.cpu)).toFixed(3)}`);
}

interface Credentials {
  readonly firms: readonly { readonly keys: { readonly all: string }; readonly seeded: { readonly run_id: string } }[];
}

await buildIfMissing();
const folder = freshFolder("reads");
const data = join(folder, "data");
const port = await freePort();
const serve = [executable, "serve", "--demo", "--log-level", "warn", "--data", data, "--port", String(port)];
const server = await listen(serve, port);
const { firms }: Credentials = JSON.parse(readFileSync(join(data, "demo-credentials.json"), "utf8"));
const [firm] = firms;
if (!firm) throw new Error("the demo has no firm");
const listed = await fetch(`http://127.0.0.1:${port}/v1/capabilities`);
const etag = listed.headers.get("etag") ?? "";
const list = join(folder, "list.json");
writeFileSync(list, await listed.text());

const barePort = await freePort();
const env = { LIST: list, ETAG: etag, DATABASE: join(data, "assay.db") };
const bare = await listen([process.execPath, join(root, "test", "bench", "bare-reads.ts")], barePort, { env });
const subjects = [
  { name: "bare Elysia", port: barePort, server: bare },
  { name: "assay", port, server },
] as const;
const runPath = `/v1/runs/${firm.seeded.run_id}`;
const authorization = `Bearer ${firm.keys.all}`;
const reads: readonly Read[] = [
  { title: "the catalogue", path: "/v1/capabilities", headers: {}, status: 200 },
  { title: "the catalogue, unchanged", path: "/v1/capabilities", headers: { "if-none-match": etag }, status: 304 },
  { title: "a run by its id, with a key", path: runPath, headers: { authorization }, status: 200 },
];
console.log(`Medians of ${values.rounds} rounds of ${values.seconds} s, alternating, ${connections} connections`);
for (const read of reads) await compare(subjects, read);
for (const subject of subjects) await subject.server.stop();
removeScratch();
