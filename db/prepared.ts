import type { Database, Statement } from "bun:sqlite";
import { type Compilable, CompiledQuery } from "kysely";
import type { Db } from "./sqlite/connection.ts";
import type { Soon } from "./sqlite/soon.ts";
import { guarded, type SystemDb, unscoped } from "./tenancy.ts";

/** Stands in a query for a value that arrives with each call. */
class NamedParameter {
  constructor(readonly name: string) {}
}

type Parameter<P> = <K extends keyof P & string>(name: K) => P[K];
type Bound = string | number | null | Uint8Array;

export interface Prepared<P, R, D extends Db = Db> {
  /** All rows. */
  all(db: D, values: P): Soon<R[]>;
  /** The first row. */
  first(db: D, values: P): Soon<R | undefined>;
  /** How many rows it changed. */
  run(db: D, values: P): Soon<number>;
}

interface Compiled {
  readonly sql: string;
  /** Per parameter: the name that it is given by; null where the query itself holds its value. */
  readonly names: readonly (string | null)[];
  readonly values: readonly Bound[];
  readonly statements: WeakMap<Database, Statement>;
}

const databases = new WeakMap<Db, Database>();
/** Called by `connection.ts` alone: lets prepared queries reach the SQLite connection under a Kysely instance. */
export const register = (db: Db, database: Database): void => void databases.set(db, database);

/**
 * A query of the hot path: built and compiled by Kysely once, then run on the connection's own prepared statement,
 * which is several times cheaper than building it each time. On another dialect it goes through Kysely's executor. That
 * it names its tenant is checked when it is compiled, whoever asks first, and costs its calls nothing.
 */
export const prepared = <P extends object, R = never>(
  build: (db: Db, value: Parameter<P>) => Compilable<R>,
): Prepared<P, R> => compiledOnce<P, R, Db>(guarded, build);

/** The same for a query that names no tenant: for the host alone. */
export const preparedUnscoped = <P extends object, R = never>(
  build: (db: SystemDb, value: Parameter<P>) => Compilable<R>,
): Prepared<P, R, SystemDb> => compiledOnce<P, R, SystemDb>(unscoped, build);

function compiledOnce<P extends object, R, D extends Db>(
  side: (db: Db) => D,
  build: (db: D, value: Parameter<P>) => Compilable<R>,
): Prepared<P, R, D> {
  let compiled: Compiled | undefined;

  function compile(db: D): Compiled {
    // Kysely takes any object for a value, so a named parameter comes out again in the list of parameters.
    const stand = ((name: string) => new NamedParameter(name)) as (name: string) => never;
    const { sql, parameters } = build(side(db), stand).compile();
    const all = parameters as (NamedParameter | Bound)[];
    const names = all.map((p) => (p instanceof NamedParameter ? p.name : null));
    const values = all.map((p) => (p instanceof NamedParameter ? null : p));
    return { sql, names, values, statements: new WeakMap() };
  }

  function bind(values: P): Bound[] {
    const given = values as Record<string, Bound>;
    const { names = [], values: own = [] } = compiled ?? {};
    return names.map((name, i) => (name === null ? (own[i] ?? null) : (given[name] as Bound)));
  }

  /** The connection's statement, or undefined where the connection is not SQLite's. */
  function statement(db: D): Statement | undefined {
    compiled ??= compile(db);
    const database = databases.get(db);
    if (!database) return undefined;
    let known = compiled.statements.get(database);
    if (!known) {
      known = database.prepare(compiled.sql);
      compiled.statements.set(database, known);
    }
    return known;
  }

  const elsewhere = (db: D, values: P) => db.executeQuery<R>(CompiledQuery.raw(compiled?.sql ?? "", bind(values)));

  return {
    all(db, values) {
      const own = statement(db);
      return own ? (own.all(...bind(values)) as R[]) : elsewhere(db, values).then(({ rows }) => rows);
    },
    first(db, values) {
      const own = statement(db);
      if (own) return (own.get(...bind(values)) ?? undefined) as R | undefined;
      return elsewhere(db, values).then(({ rows }) => rows[0]);
    },
    run(db, values) {
      const own = statement(db);
      if (own) return own.run(...bind(values)).changes;
      return elsewhere(db, values).then(({ numAffectedRows }) => Number(numAffectedRows ?? 0));
    },
  };
}
