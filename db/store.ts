import type { Kysely } from "kysely";
import type { Tables } from "./schema/tables.ts";
import type { Outcome, Transition } from "./transition.ts";

/**
 * What queries are built on. Outside a write it shows only committed state. A query on a tenant's table that does not
 * name the tenant is refused; see `tenancy.ts`.
 */
export type Db = Kysely<Tables>;

/** Thrown when a commit does not finish in time. It may still be written: `outcome` settles once the disk answers. */
export class CommitInDoubt extends Error {
  readonly code = "SQLITE_BUSY";
  constructor(readonly outcome: Promise<Outcome>) {
    super("the disk does not respond");
    // Prevents an unhandled rejection if no one listens.
    outcome.catch(() => undefined);
  }
}

/** The part of a store that read-only commands need. */
export type Reading = Pick<Store, "read">;

/** The database port: everything that the rest of the product may ask of a database. Each database implements it. */
export interface Store {
  readonly file: string;
  /** Reads only what has been committed and will survive a power cut. */
  readonly read: Db;
  /**
   * Writes a transition, whole or not at all, and resolves once it is durable. A refusal is a value and does not affect
   * other transitions. Rejects only if nothing can be written (a full disk, say), and then nothing of it was; or with
   * `CommitInDoubt`, if the disk does not respond in time.
   */
  commit(transition: Transition): Promise<Outcome>;
  /**
   * Runs `work` in its own transaction and resolves once its commit is durable. If `work` throws, the transaction is
   * rolled back. For writes that are not transitions: accounts, keys, settings. `work` must await only the database,
   * because no other write can happen meanwhile; after some seconds it is rolled back.
   */
  write<T>(work: (tx: Db) => Promise<T> | T): Promise<T>;
  /** Returns a counter that changes with each commit of this store, so that caches can detect stale entries. */
  generation(): number;
  /** Returns why the last commit was not written (a full disk, say), or `undefined` if it was or if there was none. */
  trouble(): unknown;
  /**
   * Returns why nothing can be written any more: a sync failed, so that the state on disk is unknown and the process
   * must exit; or the files were deleted or replaced.
   */
  failure(): Error | undefined;
  close(): Promise<void>;
}
