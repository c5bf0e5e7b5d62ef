#!/usr/bin/env bun
import { readFileSync } from "node:fs";
import { Socket } from "node:net";
import { join } from "node:path";
import { usualIntake } from "../support/architect-world.ts";
import { serveCommand } from "./loaded.ts";
import { buildIfMissing, cpuMs, freePort, freshFolder, listen, memoryMiB, removeScratch } from "./process.ts";

/**
 * `bun run bench:stream`: 500 compositions streamed concurrently. A third of the readers read everything, a third read
 * one byte per second, and a third disconnect midway; each is replaced when it ends, so that 500 stay open. The readers
 * run in a separate process. Meanwhile `/health` is timed in a closed loop and compared with the idle server. Prints
 * figures and asserts nothing.
 */

const open = 500;
/** Durations of the idle and the loaded measurement, in ms. */
const idleFor = 3_000;
const measuredFor = 12_000;

const manners = ["whole", "slow", "leaves"] as const;
type Manner = (typeof manners)[number];

interface Attack {
  readonly port: number;
  readonly key: string;
  readonly solution: string;
}

const requestOf = ({ key, solution }: Attack): string => {
  const body = JSON.stringify({ solution_id: solution });
  return [
    "POST /v1/solution-architect/compose/stream HTTP/1.1",
    "Host: 127.0.0.1",
    `Authorization: Bearer ${key}`,
    "Content-Type: application/json",
    `Content-Length: ${body.length}`,
    "Connection: close",
    "",
    body,
  ].join("\r\n");
};

/** Reads one byte per second. */
async function sip(socket: Socket): Promise<void> {
  socket.on("readable", () => undefined);
  while (!socket.destroyed) {
    socket.read(1);
    await Bun.sleep(1_000);
  }
}

/** Reads one stream in its reader's manner; resolves when it has ended. */
function read(attack: Attack, manner: Manner): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const socket = new Socket();
  socket.connect(attack.port, "127.0.0.1");
  let taken = 0;
  socket.on("connect", () => socket.write(requestOf(attack)));
  socket.on("error", () => socket.destroy());
  socket.on("close", () => resolve());
  if (manner === "slow") void sip(socket);
  else
    socket.on("data", ({ length }: Buffer) => {
      taken += length;
      if (manner === "leaves" && taken > 500) socket.destroy();
    });
  return promise;
}

/** Keeps 500 streams open until stopped; prints the number of streams per kind of reader. Runs in the child process. */
async function attackWith(attack: Attack): Promise<void> {
  const had: Record<Manner, number> = { whole: 0, slow: 0, leaves: 0 };
  process.on("SIGTERM", () => {
    console.log(manners.map((manner) => `${had[manner]} ${manner}`).join(", "));
    process.exit(0);
  });
  const keep = async (manner: Manner) => {
    for (;;) {
      await read(attack, manner);
      had[manner]++;
      await Bun.sleep(500);
    }
  };
  await Promise.all(Array.from({ length: open }, (_, i) => keep(manners[i % manners.length] ?? "whole")));
}

const percentile = (values: readonly number[], share: number): string => {
  const sorted = values.toSorted((a, b) => a - b);
  return (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN).toFixed(1);
};

/** Times `/health` repeatedly for `ms` milliseconds. */
async function probe(origin: string, ms: number): Promise<number[]> {
  const times: number[] = [];
  const began = performance.now();
  while (performance.now() - began < ms) {
    const asked = performance.now();
    await (await fetch(`${origin}/health`)).arrayBuffer();
    times.push(performance.now() - asked);
    await Bun.sleep(5);
  }
  return times;
}

async function main(): Promise<void> {
  await buildIfMissing();
  const port = await freePort();
  const data = join(freshFolder("stream"), "data");
  const origin = `http://127.0.0.1:${port}`;
  const server = await listen(serveCommand(data, port), port);
  const demo = JSON.parse(readFileSync(join(data, "demo-credentials.json"), "utf8")) as {
    firms: { keys: { all: string } }[];
  };
  const key = demo.firms[0]?.keys.all ?? "";
  const begun = await fetch(`${origin}/v1/solution-architect/intake`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify(usualIntake),
  });
  const { solution_id } = (await begun.json()) as { solution_id: string };
  const idle = await probe(origin, idleFor);
  const memoryIdle = memoryMiB(server.pid).now;
  const cpu = cpuMs(server.pid);
  const child = Bun.spawn([process.execPath, import.meta.path, "--attack", String(port), key, solution_id], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const under = await probe(origin, measuredFor);
  const used = cpuMs(server.pid) - cpu;
  const memory = memoryMiB(server.pid);
  child.kill("SIGTERM");
  console.log(
    `${open} streams open for ${measuredFor / 1_000} s; finished readers: ${(await child.stdout.text()).trim()}`,
  );
  console.log(`  /health p50 ${percentile(under, 0.5)} ms, p99 ${percentile(under, 0.99)} ms`);
  console.log(`  idle    p50 ${percentile(idle, 0.5)} ms, p99 ${percentile(idle, 0.99)} ms`);
  console.log(
    `  memory  ${memory.now.toFixed(0)} MiB, at most ${memory.peak.toFixed(0)}; idle ${memoryIdle.toFixed(0)}`,
  );
  console.log(`  CPU     ${(used / 1_000).toFixed(1)} s`);
  await server.stop();
  removeScratch();
}

const [mode, port = "", key = "", solution = ""] = process.argv.slice(2);
if (mode === "--attack") await attackWith({ port: Number(port), key, solution });
else await main();
