import type { Kysely } from "kysely";
import type { Tables } from "./schema/tables.ts";
import type { Outcome, Transition } from "./transition.ts";

/**
 * What queries are written against. Outside a write it shows committed state only. A query on a tenant's table that does
 * not name the tenant is refused: see `tenancy.ts`.
 */
export type Db = Kysely<Tables>;

/** Why a commit was waited for no longer. It may be written still: `outcome` says so, or rejects, once the disk answers. */
export class CommitInDoubt extends Error {
  readonly code = "SQLITE_BUSY";
  constructor(readonly outcome: Promise<Outcome>) {
    super("the disk does not answer");
    // Its outcome may have no listener.
    outcome.catch(() => undefined);
  }
}

/** What looks into a store and changes nothing asks of it. */
export type Reading = Pick<Store, "read">;

/** What the rest of the product may ask of a database: the port that each kind of database implements. */
export interface Store {
  readonly file: string;
  /** Reads, seeing only what has been committed and will survive a power cut. */
  readonly read: Db;
  /**
   * Writes a transition, whole or not at all, and answers once it is durable. A refusal is a value; it costs nobody else
   * anything. Rejects only where nothing can be written (a full disk, say), and then nothing of it was; or, with
   * `CommitInDoubt`, where the disk does not answer in time.
   */
  commit(transition: Transition): Promise<Outcome>;
  /**
   * Runs `work` in a transaction of its own and answers once its commit is durable; what it throws rolls it back. For
   * writes that are no transition: accounts, keys, settings. `work` awaits nothing but the database, since nobody else
   * writes meanwhile; after some seconds it is rolled back.
   */
  write<T>(work: (tx: Db) => Promise<T> | T): Promise<T>;
  /** Moves with each commit of this store, so that what was remembered from before is known to be old. */
  generation(): number;
  /** Why the last commit was not written (a full disk, say); undefined where it was, or where there was none yet. */
  trouble(): unknown;
  /**
   * Why nothing can be written any more: a sync failed, and nobody knows what is on the disk, so that the process must
   * end; or the files were deleted or replaced.
   */
  failure(): Error | undefined;
  close(): Promise<void>;
}
