import { Database } from "bun:sqlite";
import { Kysely } from "kysely";
import { BunSqliteDialect } from "kysely-bun-sqlite";
import { register } from "../prepared.ts";
import type { Tables } from "../schema/tables.ts";
import { type SystemDb, tenancy, unscoped } from "../tenancy.ts";
import { openLog } from "./write-ahead-log.ts";
import { createWriter, type Writer } from "./writer.ts";

/**
 * What queries are written against. Outside a write it shows committed state only. A query on a tenant's table that does
 * not name the tenant is refused: see `tenancy.ts`.
 */
export type Db = Kysely<Tables>;

/** An open database: one writer, which groups commits, and one reader beside it. */
export interface Store {
  readonly file: string;
  /** Reads, seeing only what has been committed. */
  readonly read: Db;
  /** Runs `work` in a transaction shared with the writes of the same turn; answers when its commit is on disk. */
  readonly write: Writer["write"];
  /** What has been committed, so that readers see it, and is not on disk yet. Undefined: nothing is. */
  readonly unsynced: Writer["unsynced"];
  /** The writing connection without its queue, for the migrator alone, before anything else writes. */
  readonly schema: SystemDb;
  /** The connection itself, for what only SQLite has: backup, integrity check, pragmas. */
  readonly sqlite: Database;
  close(): Promise<void>;
}

/**
 * WAL, synced beside the event loop in the order of `synchronous=FULL`: what was answered 2xx survives a power cut. See
 * `write-ahead-log.ts`.
 */
function openDatabase(file: string): Database {
  const database = new Database(file, { create: true, readwrite: true, strict: true });
  database.run("pragma busy_timeout = 5000");
  database.run("pragma journal_mode = wal");
  database.run("pragma synchronous = normal");
  database.run("pragma wal_autocheckpoint = 0");
  database.run("pragma cache_size = -8192");
  database.run("pragma temp_store = memory");
  database.run("pragma foreign_keys = on");
  return database;
}

function wrap(database: Database): Db {
  const db: Db = new Kysely<Tables>({ dialect: new BunSqliteDialect({ database }), plugins: [tenancy] });
  register(db, database);
  register(unscoped(db), database);
  return db;
}

/** Opens the SQLite file, making it when it is not there. The schema is `migrate`'s concern. */
export function openStore(file: string): Store {
  const writing = openDatabase(file);
  const reading = openDatabase(file);
  reading.run("pragma query_only = on");
  const tx = wrap(writing);
  const read = wrap(reading);
  const log = openLog(file, writing);
  const writer = createWriter(writing, tx, log);
  return {
    file,
    read,
    write: writer.write,
    unsynced: writer.unsynced,
    schema: unscoped(tx),
    sqlite: writing,
    async close() {
      await writer.drained();
      log.close();
      await read.destroy();
      await tx.destroy();
    },
  };
}
