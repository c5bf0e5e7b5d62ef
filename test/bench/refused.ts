#!/usr/bin/env bun
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type Connection, connect } from "./connection.ts";
import { product, runBody, runPath } from "./loaded.ts";
import { byTurns, cpuMs, executable, freePort, median, removeScratch, run } from "./process.ts";

/**
 * `bun run bench:refused [--rounds 6] [--seconds 2] [--clients 60]`: what it costs the others when one caller in ten is
 * refused. In alternating rounds, a tenth of the callers send requests that are refused, in each way, or that are
 * accepted; in both cases they are limited to one submission for nine of the others', which are counted. One server is
 * loaded for all rounds. On a busy machine, its processor time is more meaningful than elapsed time.
 */

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "6" },
    seconds: { type: "string", default: "2" },
    clients: { type: "string", default: "60" },
  },
});
const seconds = Number(values.seconds);
const clients = Number(values.clients);
/** Other callers for each one that is refused. */
const othersForEach = 9;
/** Time until all callers of a round are running, in seconds. */
const settling = 0.3;

/** A submission and its required response. */
interface Ask {
  readonly path: string;
  readonly apiKey: string;
  readonly body: string;
  readonly idempotencyKey: () => string;
  readonly status: number;
  /** Text that the response must contain. */
  readonly says: string;
}

interface Manner {
  readonly name: string;
  readonly ask: Ask;
}

const freshKey = (): string => crypto.randomUUID();

const postOf = (port: number, { path, apiKey, body, idempotencyKey }: Ask): string =>
  `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${apiKey}\r\n` +
  `Idempotency-Key: ${idempotencyKey()}\r\nContent-Type: application/json\r\n` +
  `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;

async function submit(connection: Connection, port: number, ask: Ask): Promise<string> {
  const text = await connection.send(postOf(port, ask));
  if (text.startsWith(`HTTP/1.1 ${ask.status}`) && text.includes(ask.says)) return text;
  throw new Error(`${ask.path} should return ${ask.status} ${ask.says}: ${text.slice(0, 1_500)}`);
}

/** Submits a run that is accepted, and reads it again by its id, like a caller that reconciles. */
async function granted(connection: Connection, port: number, ask: Ask): Promise<void> {
  const id = /"id":"([^"]{36})"/.exec(await submit(connection, port, ask))?.[1];
  const read = `GET /v1/runs/${id} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${ask.apiKey}\r\n\r\n`;
  const text = await connection.send(read);
  if (!text.startsWith("HTTP/1.1 200")) throw new Error(`run ${id} can't be read: ${text}`);
}

const runOf = (apiKey: string): Ask => ({
  path: runPath,
  apiKey,
  body: runBody,
  idempotencyKey: freshKey,
  status: 202,
  says: '"status":"succeeded"',
});

/** The result of a round, for the callers that are never refused. */
interface Round {
  readonly runs_s: number;
  /** Processor time of the server for everyone's requests, in ms. */
  readonly cpu_per_run: number;
}

interface Server {
  readonly port: number;
  readonly pid: number;
}

/**
 * Loads the server for a round in which a tenth of the callers send `ask`; if absent, accepted requests like the
 * others.
 */
async function loadRound({ port, pid }: Server, keys: readonly string[], ask: Ask | undefined): Promise<Round> {
  let completed = 0;
  let asked = 0;
  let isOver = false;
  const waiting: (() => void)[] = [];
  const mayAsk = () => isOver || (asked + 1) * othersForEach <= completed;

  async function other(apiKey: string): Promise<void> {
    const connection = await connect(port);
    while (!isOver) {
      await granted(connection, port, runOf(apiKey));
      completed++;
      if (waiting.length > 0 && mayAsk()) waiting.shift()?.();
    }
    connection.close();
  }

  async function tenth(apiKey: string): Promise<void> {
    const connection = await connect(port);
    for (;;) {
      while (!mayAsk()) await new Promise<void>((resolve) => waiting.push(resolve));
      if (isOver) break;
      asked++;
      if (ask) await submit(connection, port, ask);
      else await granted(connection, port, runOf(apiKey));
    }
    connection.close();
  }

  const callers = Array.from({ length: clients }, (_, i) =>
    (i % (othersForEach + 1) === 0 ? tenth : other)(keys[i % keys.length] ?? ""),
  );
  await Bun.sleep(settling * 1_000);
  const [before, cpu, started] = [completed, cpuMs(pid), performance.now()];
  await Bun.sleep(seconds * 1_000);
  const runs = completed - before;
  const figures = { runs_s: (runs * 1_000) / (performance.now() - started), cpu_per_run: (cpuMs(pid) - cpu) / runs };
  isOver = true;
  for (const resume of waiting.splice(0)) resume();
  await Promise.all(callers);
  return figures;
}

const claim = {
  question: "Is theft covered?",
  answer: "Theft is covered.",
  sources: ["Theft is covered."],
  country: "CZ",
};

/** Sets up the callers to be refused, before the server starts. */
async function prepare(data: string): Promise<{ readonly others: string[]; readonly manners: readonly Manner[] }> {
  const admin = (...args: string[]) => run([executable, "admin", ...args, "--data", data]);
  const [poor = "", replaying = "", ...others] = readFileSync(join(data, "bench-keys.txt"), "utf8").trim().split("\n");
  const demo: { firms: { id: string; keys: { all: string } }[] } = JSON.parse(
    readFileSync(join(data, "demo-credentials.json"), "utf8"),
  );
  const [, small] = demo.firms;
  if (!small) throw new Error("the demo has two firms");
  await admin("credits", "adjust", "--firm", "bench-1", "--credits=-999999999999", "--reason", "bench");
  await admin("quotas", "set", "exa-filter", "--firm", small.id, "--runs", "1");
  const key = () => "bench-refused";
  const replay: Ask = { ...runOf(replaying), idempotencyKey: key };
  const other = JSON.stringify({ input: { payload: "something else" } });
  const exaFilter = "/v1/capabilities/exa-filter/runs";
  const body = JSON.stringify({ input: claim });
  return {
    others,
    manners: [
      {
        name: "exhausted quota",
        ask: { ...runOf(small.keys.all), path: exaFilter, body, status: 402, says: "quota_exceeded" },
      },
      { name: "replayed key", ask: replay },
      { name: "other input, same key", ask: { ...replay, body: other, status: 409, says: "idempotency" } },
      { name: "no credits", ask: { ...runOf(poor), says: "insufficient_credits" } },
    ],
  };
}

const subject = await product();
const { others, manners } = await prepare(subject.template);
const port = await freePort();
const { server } = await subject.start(port, { clients, accounts: others.length });
const once = await connect(port);
// Exhausts the quota, and makes the first run of the key that is replayed from here on.
for (const { ask } of manners.slice(0, 2)) await submit(once, port, { ...ask, status: 202, says: '"id"' });
once.close();
const loaded = { port, pid: server.pid };
await loadRound(loaded, others, undefined);
const columns = [
  { name: "runs/s", of: (round: Round) => round.runs_s, digits: 0 },
  { name: "CPU ms/run", of: (round: Round) => round.cpu_per_run, digits: 3 },
];
console.log(`One caller in ten of ${clients} refused: the others, medians of ${values.rounds} alternating rounds`);
const titles = columns.flatMap(({ name }) => [`${name}: none`, "refused", "ratio"]);
console.log(`  ${"".padEnd(24)}${titles.map((title) => title.padStart(18)).join("")}`);
for (const { name, ask } of manners) {
  const rounds = await byTurns(Number(values.rounds), [undefined, ask], (which) => loadRound(loaded, others, which));
  const cells = columns.flatMap(({ of, digits }) => {
    const [none = [], refused = []] = rounds.map((all) => all.map(of));
    const ratio = median(refused.map((figure, round) => figure / (none[round] ?? Number.NaN)));
    return [median(none).toFixed(digits), median(refused).toFixed(digits), ratio.toFixed(3)];
  });
  console.log(`  ${name.padEnd(24)}${cells.map((cell) => cell.padStart(18)).join("")}`);
}
await server.stop();
removeScratch();
