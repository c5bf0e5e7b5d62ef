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

/** A connection as the product's queries use it, guarded by the tenancy rules. */
export function databaseOn(database: Database): Db {
  const db: Db = new Kysely<Tables>({ dialect: new BunSqliteDialect({ database }), plugins: [tenancy] });
  register(db, database);
  register(unscoped(db), database);
  return db;
}

/** Makes the file where it is not there, in WAL mode, and opens it for reading alone. */
function openForReading(file: string): Database {
  const database = new Database(file, { create: true, readwrite: true, strict: true });
  database.run("pragma busy_timeout = 5000");
  database.run("pragma journal_mode = wal");
  database.run("pragma cache_size = -8192");
  database.run("pragma temp_store = memory");
  database.run("pragma query_only = on");
  // The log is opened by the first query.
  database.query("pragma schema_version").get();
  return database;
}

export interface ThreadedOptions {
  readonly runtime: Runtime;
  /** Called once, when nothing can be written any more: the process must end, and the next one recovers. */
  readonly onFailure: (error: Error) => void;
}

/** A store on a SQLite file, with the writing connection where tests and commands can reach it. */
export interface LocalStore extends Store {
  /** The writing connection itself, for what only SQLite has. */
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

/** A command writes for itself alone: what it asks for at once shares a commit, and it waits for no further turn. */
const atOnce: Turns = { nextTurn: () => Promise.resolve() };

/** Opens the SQLite file with its writer in the event loop, making it when it is not there. See `migrate` for the schema. */
export function openStore(file: string, turns: Turns = atOnce): LocalStore {
  syncLog(file);
  const reading = openForReading(file);
  const connection = openWritingConnection(file, compileStatements(databaseOn(reading)), openFilesOf(file));
  const store = storeOn(file, reading, localWriter(connection, databaseOn(connection.database)), turns);
  return { ...store, sqlite: connection.database };
}

/**
 * Keeps a connection at what it sees now. Another process that writes after the files were taken away begins a log that
 * this connection does not have open, and what it says of its pages would be looked up in the old one.
 */
function keepSnapshot(database: Database): void {
  database.run("begin");
  database.query("select count(*) from sqlite_master").get();
}

/** The same with the writer in a thread of its own, for a server: its event loop never waits for the disk. */
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
