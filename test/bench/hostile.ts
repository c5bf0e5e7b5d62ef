#!/usr/bin/env bun
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { insuranceWords } from "./hostile-words.ts";
import { serveCommand } from "./loaded.ts";
import {
  buildIfMissing,
  cpuMs,
  executable,
  freePort,
  freshFolder,
  listen,
  memoryMiB,
  removeScratch,
  run as runCommand,
} from "./process.ts";

/**
 * `bun run bench:hostile`: the effect of one caller's most expensive requests on everyone else. One firm sends 200
 * requests of each kind at once, from a separate process. Meanwhile `/health` and a small exa-filter run of another
 * firm are timed, each in a closed loop. Prints the times with those of the idle server and asserts nothing, because
 * they depend on the machine.
 */

const atOnce = 200;
/** Minimum and maximum duration per kind, since accepted runs continue, and of the idle measurement, in seconds. */
const shortest = 8;
const longest = 20;
const idleFor = 3;

interface Hostile {
  readonly path: string;
  readonly body: unknown;
  /** Whether it is sent without a credential. */
  readonly open?: true;
}

const lines = (times: number) => "ab\n".repeat(times);
const run = (slug: string, input: unknown): Hostile => ({ path: `/v1/capabilities/${slug}/runs`, body: { input } });

const sorts: Readonly<Record<string, Hostile>> = {
  "quote of 500,000 items": {
    path: "/v1/use-cases/european-market-entry-pack/quote",
    body: { input: { candidate_markets: Array<number>(500_000).fill(1) } },
    open: true,
  },
  "exa-filter, lines": run("exa-filter", {
    question: "What is it?",
    answer: lines(6_666),
    sources: Array<string>(50).fill(lines(666)),
    country: "CZ",
  }),
  "exa-filter, 1,000 characters": run("exa-filter", {
    question: "What is it?",
    answer: lines(160),
    sources: [lines(160)],
    country: "CZ",
  }),
  "afa-assurance, dots": run("afa-assurance", { question: "Is it?", answer: ".".repeat(20_000), check: "full" }),
  "afa-assurance, prose": run("afa-assurance", {
    question: "Is this investment safe?",
    answer: "The return is guaranteed, you cannot lose, and I promise that 30 days suffice. "
      .repeat(253)
      .slice(0, 20_000),
    check: "full",
  }),
  "company page, deep divs": run("company-intelligence", { company_url: "http://127.0.0.1:COMPANY/" }),
  "ask, corpus words": {
    path: "/v1/insurance/ask",
    body: { question: insuranceWords.slice(0, 1_480), country: "CZ" },
  },
};

/** A home page of 2 MB with deeply nested elements, as a company's website could have. */
const page = `<html><body>${`${"<div>".repeat(90)}x${"</div>".repeat(90)}`.repeat(2_000)}</body></html>`;

/** Serves that page on loopback, where the server is allowed to connect. */
const serveCompany = () =>
  Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: ({ url }) =>
      new URL(url).pathname === "/robots.txt"
        ? new Response("", { status: 404 })
        : new Response(page, { headers: { "content-type": "text/html" } }),
  });

function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** Sends all requests of a kind at once and prints the responses by status. Runs in a measurement's child process. */
async function attack(sort: string, origin: string, key: string): Promise<void> {
  const { path, body, open } = sorts[sort] ?? { path: "", body: null };
  const text = JSON.stringify(body).replace("COMPANY", process.env.COMPANY_PORT ?? "");
  const headers = { "content-type": "application/json", ...(!open && { authorization: `Bearer ${key}` }) };
  const statuses = new Map<number, number>();
  const send = async () => {
    const own = { ...headers, "idempotency-key": crypto.randomUUID() };
    const response = await fetch(`${origin}${path}`, { method: "POST", headers: own, body: text });
    await response.arrayBuffer();
    statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
  };
  await Promise.all(Array.from({ length: atOnce }, send));
  console.log([...statuses].map(([status, count]) => `${count} × ${status}`).join(", "));
}

interface Probed {
  readonly health: number[];
  readonly run: number[];
}

/** Times `/health` and a small run of another firm repeatedly until `isOver`. */
async function probe(origin: string, key: string, isOver: () => boolean): Promise<Probed> {
  const probed: Probed = { health: [], run: [] };
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const input = {
    question: "What is the limit of indemnity?",
    answer: "The limit of indemnity is 500 000 CZK.",
    sources: ["The limit of indemnity is 500 000 CZK for each insured event."],
    country: "CZ",
  };
  const watchHealth = async () => {
    while (!isOver()) {
      const began = performance.now();
      await (await fetch(`${origin}/health`)).arrayBuffer();
      probed.health.push(performance.now() - began);
      await Bun.sleep(5);
    }
  };
  const watchRuns = async () => {
    const body = JSON.stringify({ input });
    while (!isOver()) {
      const began = performance.now();
      const posted = await fetch(`${origin}/v1/capabilities/exa-filter/runs`, {
        method: "POST",
        headers: { ...headers, "idempotency-key": crypto.randomUUID() },
        body,
      });
      let run = (await posted.json()) as { id: string; status: string };
      if (posted.status !== 202) throw new Error(JSON.stringify(run));
      while (run.status === "queued" || run.status === "running") {
        await Bun.sleep(2);
        run = (await (await fetch(`${origin}/v1/runs/${run.id}`, { headers })).json()) as typeof run;
      }
      probed.run.push(performance.now() - began);
      await Bun.sleep(5);
    }
  };
  await Promise.all([watchHealth(), watchRuns()]);
  return probed;
}

const shown = (values: readonly number[], share: number) => percentile(values, share).toFixed(1).padStart(8);

/** The server, and the port of the page that the company's requests have it read. */
interface Served {
  readonly pid: number;
  readonly page: number;
}

/** Measures one kind against a running server. */
async function measure(sort: string, origin: string, keys: { own: string; other: string }, { pid, page }: Served) {
  const before = cpuMs(pid);
  const child = Bun.spawn([process.execPath, import.meta.path, "--attack", sort, origin, keys.own], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, COMPANY_PORT: String(page) },
  });
  let isOver = false;
  void child.exited.then(() => {
    isOver = true;
  });
  const began = performance.now();
  const since = () => (performance.now() - began) / 1_000;
  const { health, run } = await probe(origin, keys.other, () => since() > (isOver ? shortest : longest));
  const seconds = since();
  child.kill();
  const answers = (await child.stdout.text()).trim() || `unanswered after ${longest} s`;
  return { health, run, seconds, answers, cpu: (cpuMs(pid) - before) / 1_000, memory: memoryMiB(pid).peak };
}

async function main(): Promise<void> {
  await buildIfMissing();
  const port = await freePort();
  const data = join(freshFolder("hostile"), "data");
  const origin = `http://127.0.0.1:${port}`;
  const company = serveCompany();
  const env = { ASSAY_OUTBOUND_ALLOW_PRIVATE: `127.0.0.1:${company.port}` };
  const start = () => listen(serveCommand(data, port), port, { env });
  await (await start()).stop();
  // The demo limits a key's analyses per month; all of these must be real ones.
  const allowed = ["--runs", String(1_000 * atOnce), "--everywhere", "--data", data];
  await runCommand([executable, "admin", "quotas", "set", "company-analyses", ...allowed]);
  const demo = JSON.parse(readFileSync(join(data, "demo-credentials.json"), "utf8")) as {
    firms: { keys: { all: string } }[];
  };
  const [other = ""] = readFileSync(join(data, "bench-keys.txt"), "utf8").trim().split("\n");
  const keys = { own: demo.firms[0]?.keys.all ?? "", other };
  const only = process.argv.slice(2);
  for (const sort of Object.keys(sorts).filter((name) => only.length === 0 || only.some((one) => name.includes(one)))) {
    const server = await start();
    // Excludes what is loaded at first use from the idle times.
    const warmed = performance.now() + 1_000;
    await probe(origin, keys.other, () => performance.now() > warmed);
    let isIdle = true;
    const resting = probe(origin, keys.other, () => !isIdle);
    await Bun.sleep(idleFor * 1_000);
    isIdle = false;
    const idle = await resting;
    const under = await measure(sort, origin, keys, { pid: server.pid, page: company.port ?? 0 });
    const times = (share: number) => (percentile(under.run, 0.99) / percentile(idle.run, share)).toFixed(1);
    console.log(`${sort}: ${under.answers} in ${under.seconds.toFixed(1)} s, ${under.cpu.toFixed(1)} CPU s`);
    console.log(`  /health       p50 ${shown(under.health, 0.5)} ms, p99 ${shown(under.health, 0.99)} ms`);
    console.log(`  idle          p50 ${shown(idle.health, 0.5)} ms, p99 ${shown(idle.health, 0.99)} ms`);
    console.log(`  another's run p50 ${shown(under.run, 0.5)} ms, p99 ${shown(under.run, 0.99)} ms`);
    console.log(
      `  idle          p50 ${shown(idle.run, 0.5)} ms, p99 ${shown(idle.run, 0.99)} ms: p99 is ${times(0.5)} × its p50, ${times(0.99)} × its p99`,
    );
    console.log(`  memory        at most ${under.memory.toFixed(0)} MiB`);
    await server.stop();
  }
  await company.stop(true);
  removeScratch();
}

const [mode, sort = "", origin = "", key = ""] = process.argv.slice(2);
if (mode === "--attack") await attack(sort, origin, key);
else await main();
