import type { Database, Statement } from "bun:sqlite";
import { type Compilable, CompiledQuery, type RawBuilder } from "kysely";
import type { MaybePromise } from "../src/platform/maybe-promise.ts";
import { type Bound, bound, type CompiledStatement } from "./compiled-statement.ts";
import type { Db } from "./store.ts";
import { guarded, type SystemDb, unscoped } from "./tenancy.ts";

/** Marks a value that is passed with each call. */
class NamedParameter {
  constructor(readonly name: string) {}
}

type Parameter<P> = <K extends keyof P & string>(name: K) => P[K];
export interface Prepared<P, R, D extends Db = Db> {
  /** Returns all rows. */
  all(db: D, values: P): MaybePromise<R[]>;
  /** Returns the first row, if any. */
  first(db: D, values: P): MaybePromise<R | undefined>;
  /** Returns the number of rows changed. */
  run(db: D, values: P): MaybePromise<number>;
  /** Compiles the query for a writer in another thread. */
  compile(db: D): CompiledStatement;
}

const databases = new WeakMap<Db, Database>();
const statements = new WeakMap<Database, Map<string, Statement>>();

/** Lets prepared queries reach the SQLite connection under a Kysely instance. Called only by `sqlite/connection.ts`. */
export function register(db: Db, database: Database): void {
  databases.set(db, database);
  if (!statements.has(database)) statements.set(database, new Map());
}

/** Finalizes a connection's statements before it is closed: SQLite keeps it, and its WAL, open while any remain. */
export function finalizeStatements(database: Database): void {
  for (const statement of statements.get(database)?.values() ?? []) statement.finalize();
  statements.delete(database);
}

/**
 * Returns a query for the hot path: Kysely builds and compiles it once, and it then runs as a prepared statement of the
 * connection, which is several times cheaper than building it each time. If the connection is in another thread or on
 * another database, it runs through Kysely's executor. The tenancy check happens at compile time.
 */
export const prepared = <P extends object, R = never>(
  build: (db: Db, value: Parameter<P>) => Compilable<R>,
): Prepared<P, R> => compiledOnce<P, R, Db>(guarded, build);

/** Returns the same for a query that names no tenant: only for the system itself. */
export const preparedUnscoped = <P extends object, R = never>(
  build: (db: SystemDb, value: Parameter<P>) => Compilable<R>,
): Prepared<P, R, SystemDb> => compiledOnce<P, R, SystemDb>(unscoped, build);

/** Returns the same for literal SQL without parameters. */
export const preparedText = (text: RawBuilder<unknown>): Prepared<object, unknown, SystemDb> =>
  preparedUnscoped((db) => ({ compile: () => text.compile(db) }));

function compiledOnce<P extends object, R, D extends Db>(
  side: (db: Db) => D,
  build: (db: D, value: Parameter<P>) => Compilable<R>,
): Prepared<P, R, D> {
  let compiled: CompiledStatement | undefined;

  function compile(db: D): CompiledStatement {
    if (compiled) return compiled;
    // Kysely accepts any object as a value, so a named parameter reappears in the list of parameters.
    const stand = ((name: string) => new NamedParameter(name)) as (name: string) => never;
    const { sql, parameters } = build(side(db), stand).compile();
    const all = parameters as (NamedParameter | Bound)[];
    const names = all.map((p) => (p instanceof NamedParameter ? p.name : null));
    const values = all.map((p) => (p instanceof NamedParameter ? null : p));
    compiled = { sql, names, values };
    return compiled;
  }

  /** Returns the connection's statement, or `undefined` if it is not a SQLite connection of this thread. */
  function statement(db: D): Statement | undefined {
    const { sql } = compile(db);
    const database = databases.get(db);
    const own = database && statements.get(database);
    if (!own) return undefined;
    let known = own.get(sql);
    if (!known) {
      known = database.prepare(sql);
      own.set(sql, known);
    }
    return known;
  }

  const bind = (db: D, values: P) => bound(compile(db), values);
  const elsewhere = (db: D, values: P) => db.executeQuery<R>(CompiledQuery.raw(compile(db).sql, bind(db, values)));

  return {
    compile,
    all(db, values) {
      const own = statement(db);
      return own ? (own.all(...bind(db, values)) as R[]) : elsewhere(db, values).then(({ rows }) => rows);
    },
    first(db, values) {
      const own = statement(db);
      if (own) return (own.get(...bind(db, values)) ?? undefined) as R | undefined;
      return elsewhere(db, values).then(({ rows }) => rows[0]);
    },
    run(db, values) {
      const own = statement(db);
      if (own) return own.run(...bind(db, values)).changes;
      return elsewhere(db, values).then(({ numAffectedRows }) => Number(numAffectedRows ?? 0));
    },
  };
}
