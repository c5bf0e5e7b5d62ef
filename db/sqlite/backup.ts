import { Database } from "bun:sqlite";
import { shrinkLog } from "./checkpoint.ts";

/**
 * Copies a database, as it is at one instant, into a new file. It reads on a connection of its own, which in WAL mode
 * keeps no writer waiting, and the copy is compacted and needs no log beside it.
 */
export function copyDatabase(file: string, target: string): void {
  const database = new Database(file, { readwrite: true, strict: true });
  try {
    database.run("pragma busy_timeout = 5000");
    database.run("vacuum into ?", [target]);
    shrinkLog(database);
  } finally {
    database.close();
  }
}

/** What SQLite finds wrong with a file that nobody else has open: nothing for a good one. */
export function damageOf(file: string): string[] {
  let database: Database | undefined;
  try {
    database = new Database(file, { readwrite: true, strict: true });
    const rows = database.query<{ integrity_check: string }, []>("pragma integrity_check(20)").all();
    return rows.map((row) => row.integrity_check).filter((line) => line !== "ok");
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  } finally {
    database?.close();
  }
}
