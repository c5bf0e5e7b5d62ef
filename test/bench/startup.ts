#!/usr/bin/env bun
import { join } from "node:path";
import {
  buildIfMissing,
  executable,
  freePort,
  freshFolder,
  listen,
  median,
  memoryMiB,
  removeScratch,
  root,
  run,
} from "./process.ts";

/**
 * `bun test/bench/startup.ts`: time from the start to the first response at `/health`, and idle memory, of the
 * executable on a demo's folder, compared with a minimal compiled Elysia program.
 */

const starts = 10;
/** When memory is read, in ms after the start. */
const idleAfterMs = 2_000;

interface Subject {
  readonly name: string;
  readonly command: (port: number) => readonly string[];
}

interface Figures {
  readonly startMs: number;
  readonly slowestMs: number;
  readonly idleMiB: number;
}

async function compileBare(folder: string): Promise<string> {
  const file = join(folder, "bare");
  const flags = ["--compile", "--minify-whitespace", "--bytecode", "--format=esm"];
  await run([process.execPath, "build", ...flags, join(root, "test", "bench", "bare.ts"), "--outfile", file]);
  return file;
}

async function measure(subjects: readonly Subject[]): Promise<Figures[]> {
  const times = subjects.map((): number[] => []);
  const idle = subjects.map((): number[] => []);
  for (let turn = 0; turn < starts; turn++)
    for (const [i, { command }] of subjects.entries()) {
      const port = await freePort();
      const server = await listen(command(port), port);
      times[i]?.push(server.startedMs);
      if (turn === 0) {
        await Bun.sleep(idleAfterMs);
        idle[i]?.push(memoryMiB(server.pid).now);
      }
      await server.stop();
    }
  return times.map((all, i) => ({
    startMs: median(all),
    slowestMs: Math.max(...all),
    idleMiB: median(idle[i] ?? []),
  }));
}

/** Prints startup time and idle memory. `runs.ts` calls it after printing its own figures. */
export async function benchStartup(): Promise<void> {
  await buildIfMissing();
  const folder = freshFolder("startup");
  const bare = await compileBare(folder);
  const data = join(folder, "data");
  const serve = (port: number) => [executable, "serve", "--demo", "--bench", "--data", data, "--port", String(port)];
  const port = await freePort();
  // The first start creates the demo's data, which is not measured.
  await (await listen(serve(port), port)).stop();
  const subjects = [
    { name: "bare Elysia", command: () => [bare] },
    { name: "assay", command: serve },
  ];
  const figures = await measure(subjects);
  console.log(`\nTime to the first /health (median of ${starts}, slowest), and idle memory`);
  for (const [i, { name }] of subjects.entries()) {
    const { startMs = 0, slowestMs = 0, idleMiB = 0 } = figures[i] ?? {};
    console.log(`  ${name.padEnd(12)} ${startMs.toFixed(1)} ms (${slowestMs.toFixed(1)})   ${idleMiB.toFixed(1)} MiB`);
  }
  const [first, second] = figures;
  if (!first || !second) return;
  const ratio = (a: number, b: number) => (b / a).toFixed(2);
  console.log(`  ratio        ${ratio(first.startMs, second.startMs)}   ${ratio(first.idleMiB, second.idleMiB)}`);
}

if (import.meta.main) {
  await benchStartup();
  removeScratch();
}
