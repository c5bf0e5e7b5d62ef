#!/usr/bin/env bun
import { Database } from "bun:sqlite";
import { statSync } from "node:fs";
import { join } from "node:path";
import { type Load, loadClient, product, startLoaded } from "./loaded.ts";
import { removeScratch } from "./process.ts";

/**
 * `bun test/bench/size.ts`: bytes on disk per finished run. A demo's folder is loaded for a while and closed; the
 * growth of its database is divided by the number of new runs.
 */

const loadedSeconds = 5;

interface Held {
  readonly bytes: number;
  readonly runs: number;
}

/** Returns the size of a database that is open nowhere else, after moving its WAL into the file. */
function held(file: string): Held {
  const database = new Database(file, { readwrite: true });
  database.run("pragma wal_checkpoint(truncate)");
  const runs = database.query<{ n: number }, []>("select count(*) as n from runs").get()?.n ?? 0;
  database.close();
  return { bytes: statSync(file).size, runs };
}

const manners: readonly { readonly name: string; readonly load: Load }[] = [
  { name: "ended with its acceptance", load: { clients: 32, accounts: 64 } },
  { name: "ended after its acceptance", load: { clients: 32, accounts: 64, later: true } },
];

/** Prints the bytes per finished run. `runs.ts` calls it after printing its own figures. */
export async function benchSize(): Promise<void> {
  const client = await loadClient();
  const subject = await product();
  console.log("\nBytes on disk per finished run");
  const before = held(join(subject.template, "assay.db"));
  for (const { name, load } of manners) {
    const { measure, stop } = await startLoaded(subject, client, load);
    await measure(0, loadedSeconds);
    await stop();
    const after = held(join(subject.data, "assay.db"));
    const runs = after.runs - before.runs;
    console.log(`  ${name.padEnd(28)} ${((after.bytes - before.bytes) / runs).toFixed(0)} bytes (${runs} runs)`);
  }
}

if (import.meta.main) {
  await benchSize();
  removeScratch();
}
