import { constants, Database } from "bun:sqlite";
import { existsSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { finalizeStatements } from "../prepared.ts";
import type { Reading } from "../store.ts";
import { databaseOn } from "./connection.ts";

/**
 * Opens an existing database for reading, and leaves its files unchanged. A WAL left by a killed process is read and
 * kept, because a read-only connection does not checkpoint on close. If there is no WAL, no one has the database open,
 * and it is opened as immutable; otherwise SQLite would create a WAL and leave it. The file must not be empty (0
 * bytes): SQLite would delete the WAL next to it. Throws SQLite's errors.
 */
export function openUnchanged(file: string): Database {
  const isInUse = ["-wal", "-journal"].some((suffix) => existsSync(file + suffix));
  const { SQLITE_OPEN_READONLY, SQLITE_OPEN_URI } = constants;
  const database = isInUse
    ? new Database(file, { readonly: true, strict: true })
    : new Database(`${pathToFileURL(file)}?immutable=1`, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI);
  database.run("pragma busy_timeout = 5000");
  return database;
}

/** A read-only store, usable until it is closed. */
export interface Look extends Reading {
  close(): Promise<void>;
}

/** Opens a database read-only with `openUnchanged`, for `assay doctor`. */
export function openLook(file: string): Look {
  const database = openUnchanged(file);
  const read = databaseOn(database);
  return {
    read,
    async close() {
      finalizeStatements(database);
      await read.destroy();
    },
  };
}
