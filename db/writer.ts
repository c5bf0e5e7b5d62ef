import type { Database } from "bun:sqlite";
import type { Db } from "./connection.ts";

/** At most so many writes share a commit: it bounds how long the event loop is held. */
const groupLimit = 256;

interface Job {
  run(tx: Db): Promise<void>;
  settle(lost?: unknown): void;
}

export interface Writer {
  /**
   * Runs `work` inside a transaction and answers after its commit. `work` awaits nothing but the database: a savepoint
   * keeps its failure from the others of the group, whose commit it shares.
   */
  write<T>(work: (tx: Db) => Promise<T>): Promise<T>;
  /** Resolves when nothing is waiting to be written. */
  drained(): Promise<void>;
}

/**
 * The group commit. Writes that arrive in one turn of the event loop share one fsync; flushing on `setImmediate` needs
 * no timer, and an idle server commits a lone write at once.
 */
export function createWriter(database: Database, tx: Db): Writer {
  const begin = database.query("begin immediate");
  const commit = database.query("commit");
  const savepoint = database.query("savepoint job");
  const release = database.query("release job");
  let waiting: Job[] = [];
  let scheduled: Promise<void> | undefined;

  async function flush(): Promise<void> {
    const group = waiting.splice(0, groupLimit);
    try {
      begin.run();
      for (const job of group) {
        savepoint.run();
        await job.run(tx);
        release.run();
      }
      commit.run();
      for (const job of group) job.settle();
    } catch (lost) {
      // The commit itself failed (a full disk, say): nothing of the group is durable, and each of its writers hears so.
      if (database.inTransaction) database.run("rollback");
      for (const job of group) job.settle(lost);
    }
  }

  async function pump(): Promise<void> {
    while (waiting.length > 0) {
      await new Promise<void>((resolve) => setImmediate(resolve));
      await flush();
    }
    scheduled = undefined;
  }

  return {
    write<T>(work: (tx: Db) => Promise<T>): Promise<T> {
      return new Promise<T>((resolve, reject) => {
        let outcome: () => void = () => undefined;
        waiting.push({
          async run(tx) {
            try {
              const value = await work(tx);
              outcome = () => resolve(value);
            } catch (error) {
              database.run("rollback to job");
              outcome = () => reject(error);
            }
          },
          settle: (lost) => (lost === undefined ? outcome() : reject(lost)),
        });
        scheduled ??= pump();
      });
    },
    drained: async () => {
      while (scheduled) await scheduled;
    },
  };
}
