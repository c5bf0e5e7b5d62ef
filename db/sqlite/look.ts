import { constants, Database } from "bun:sqlite";
import { existsSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { finalizeStatements } from "../prepared.ts";
import type { Reading } from "../store.ts";
import { databaseOn } from "./connection.ts";

/**
 * Opens a database that is there for reading, and leaves its files as they are. A log that a killed process has left is
 * read and stays: a connection that may not write carries nothing over when it is closed. Where there is no log nobody
 * has the database open, and it is read as a file that does not change: SQLite would make a log of its own otherwise, and
 * leave it. The file must not be of 0 bytes: SQLite deletes the log beside such a one. Throws what SQLite throws.
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

/** A store that is looked into, until it is closed. */
export interface Look extends Reading {
  close(): Promise<void>;
}

/** Looks into a database as `openUnchanged` does: for `assay doctor`. */
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
