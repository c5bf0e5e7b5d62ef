import { Database } from "bun:sqlite";
import { shrinkLog } from "./checkpoint.ts";

/**
 * Copies a database, as of one instant, into a new file. It uses its own connection, which does not block writers in
 * WAL mode. The copy is compacted and needs no WAL.
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

/** Returns the damage that SQLite finds in a file that no one else has open; empty if there is none. */
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
