#!/usr/bin/env bun
import { readFileSync } from "node:fs";
import { type Connection, connect } from "./connection.ts";

/**
 * A closed-loop run client for machines without a C compiler: each connection submits a run, polls it until it
 * succeeds, and repeats. Same arguments and output as `../shared/bench/load.c`: `client.ts PORT CONNECTIONS WARM-UP-S
 * MEASURED-S ACCOUNTS` with RUN_PATH, RUN_BODY and RUN_KEYS, or RUN_KEYF.
 */

const [port = 0, connections = 1, warm = 1, measured = 1, accounts = 64] = process.argv.slice(2).map(Number);
const { RUN_PATH = "", RUN_BODY = "", RUN_KEYS, RUN_KEYF = "" } = process.env;
const keys = RUN_KEYS
  ? readFileSync(RUN_KEYS, "utf8").trim().split("\n")
  : Array.from({ length: accounts }, (_, i) => RUN_KEYF.replace("%04d", String(i).padStart(4, "0")));

const times = { submit: [] as number[], done: [] as number[], get: [] as number[] };
let polls = 0;
let errors = 0;
let isMeasuring = false;
let isOver = false;
/**
 * Delay of a run's first poll after its acceptance, in ms. Adapts so that about 70 % of first polls find it finished.
 */
let delay = 5;
const adaption = Math.min(0.1, 1 / connections);

const pause = (ms: number) =>
  new Promise<void>((resolve) => (ms < 1 ? setImmediate(resolve) : setTimeout(resolve, ms)));

/** Polls until the run is terminal; returns false if it did not succeed. */
async function ended(connection: Connection, key: string, id: string, accepted: number): Promise<boolean> {
  await pause(delay);
  for (let poll = 0; ; poll++) {
    const asked = performance.now();
    const text = await connection.send(
      `GET /v1/runs/${id} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${key}\r\n\r\n`,
    );
    polls++;
    if (isMeasuring) times.get.push(performance.now() - asked);
    if (text.includes('"status":"succeeded"')) {
      if (poll === 0) delay = Math.max(0.02, delay * (1 - 0.3 * adaption));
      else if (poll > 1) delay += 4 * adaption * Math.max(0, 0.9 * (performance.now() - accepted) - delay);
      return true;
    }
    if (!/"status":"(queued|running)"/.test(text)) return false;
    if (poll === 0) delay *= 1 + 0.7 * adaption;
    await pause(Math.max(0.5, delay / 4));
  }
}

async function client(index: number): Promise<void> {
  const connection = await connect(port);
  const key = keys[(index % accounts) % keys.length] ?? "";
  while (!isOver) {
    const submitted = performance.now();
    const text = await connection.send(
      `POST ${RUN_PATH} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${key}\r\n` +
        `Idempotency-Key: ${crypto.randomUUID()}\r\nContent-Type: application/json\r\n` +
        `Content-Length: ${Buffer.byteLength(RUN_BODY)}\r\n\r\n${RUN_BODY}`,
    );
    const accepted = performance.now();
    const id = /"id":"([^"]{36})"/.exec(text)?.[1];
    if (isMeasuring) times.submit.push(accepted - submitted);
    if (!text.startsWith("HTTP/1.1 202") || id === undefined || !(await ended(connection, key, id, accepted))) errors++;
    else if (isMeasuring) times.done.push(performance.now() - submitted);
  }
}

function percentile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return Number((sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(3));
}

for (let index = 0; index < connections; index++) void client(index);
await Bun.sleep(warm * 1000);
isMeasuring = true;
polls = 0;
console.error("MEASURE");
const started = performance.now();
await Bun.sleep(measured * 1000);
isMeasuring = false;
isOver = true;
const secs = (performance.now() - started) / 1000;
const told = {
  runs_s: times.done.length / secs,
  submit_p50: percentile(times.submit, 0.5),
  submit_p99: percentile(times.submit, 0.99),
  done_p50: percentile(times.done, 0.5),
  done_p99: percentile(times.done, 0.99),
  get_p50: percentile(times.get, 0.5),
  polls_per_run: polls / times.done.length,
  runs: times.done.length,
  errors,
};
console.log(JSON.stringify(told));
process.exit(0);
