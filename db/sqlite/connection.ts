import { Database } from "bun:sqlite";
import { Kysely } from "kysely";
import { BunSqliteDialect } from "kysely-bun-sqlite";
import type { Runtime } from "../../src/platform/runtime.ts";
import { finalizeStatements, register } from "../prepared.ts";
import type { Tables } from "../schema/tables.ts";
import type { Db, Store } from "../store.ts";
import { tenancy, unscoped } from "../tenancy.ts";
import { type GroupWriter, localWriter } from "./group-writer.ts";
import { isMoved, openFilesOf } from "./open-files.ts";
import { RemoteWriter } from "./remote-writer.ts";
import { compileStatements } from "./statements.ts";
import { createWriter } from "./writer.ts";
import { openWritingConnection, syncLog } from "./writing-connection.ts";

/** Returns a connection as the product's queries use it, guarded by the tenancy rules. */
export function databaseOn(database: Database): Db {
  const db: Db = new Kysely<Tables>({ dialect: new BunSqliteDialect({ database }), plugins: [tenancy] });
  register(db, database);
  register(unscoped(db), database);
  return db;
}

/** Opens the file read-only, in WAL mode. Creates it if it does not exist. */
function openForReading(file: string): Database {
  const database = new Database(file, { create: true, readwrite: true, strict: true });
  database.run("pragma busy_timeout = 5000");
  database.run("pragma journal_mode = wal");
  database.run("pragma cache_size = -8192");
  database.run("pragma temp_store = memory");
  database.run("pragma query_only = on");
  // SQLite opens the WAL on the first query.
  database.query("pragma schema_version").get();
  return database;
}

export interface ThreadedOptions {
  readonly runtime: Runtime;
  /** Called once, when nothing can be written any more. The process must exit; the next one recovers. */
  readonly onFailure: (error: Error) => void;
}

/** A store on a SQLite file whose writing connection is accessible to tests and commands. */
export interface LocalStore extends Store {
  /** The writing connection, for SQLite-specific features. */
  readonly sqlite: Database;
}

type Turns = Pick<Runtime, "nextTurn">;

function storeOn(file: string, reading: Database, connection: GroupWriter, turns: Turns): Store {
  const read = databaseOn(reading);
  const writer = createWriter(connection, turns.nextTurn);
  return {
    file,
    read,
    commit: (transition) => writer.commit(transition),
    write: (work) => writer.write(work),
    generation: () => writer.generation(),
    trouble: () => writer.trouble(),
    failure: () => connection.failure(),
    async close() {
      await writer.drained();
      finalizeStatements(reading);
      await read.destroy();
      await connection.close();
    },
  };
}

/** For commands, which have no other callers: writes requested together share a commit without waiting another turn. */
const atOnce: Turns = { nextTurn: () => Promise.resolve() };

/**
 * Opens the SQLite file with its writer in the event loop. Creates the file if needed; for the schema see `migrate`.
 */
export function openStore(file: string, turns: Turns = atOnce): LocalStore {
  syncLog(file);
  const reading = openForReading(file);
  const connection = openWritingConnection(file, compileStatements(databaseOn(reading)), openFilesOf(file));
  const store = storeOn(file, reading, localWriter(connection, databaseOn(connection.database)), turns);
  return { ...store, sqlite: connection.database };
}

/**
 * Keeps a connection at its current snapshot. Another process that writes after the files were deleted or replaced
 * starts a new WAL, which this connection does not have open: it would look up the new WAL's frames in the old one.
 */
function keepSnapshot(database: Database): void {
  database.run("begin");
  database.query("select count(*) from sqlite_master").get();
}

/** Opens the file with the writer in a worker thread, for a server whose event loop must never wait for the disk. */
export function openThreadedStore(file: string, { runtime, onFailure }: ThreadedOptions): Store {
  syncLog(file);
  const reading = openForReading(file);
  const statements = () => compileStatements(databaseOn(reading));
  const files = openFilesOf(file);
  const failed = (error: Error) => {
    if (isMoved(error)) keepSnapshot(reading);
    onFailure(error);
  };
  return storeOn(file, reading, new RemoteWriter({ runtime, file, files, statements, onFailure: failed }), runtime);
}
