import type { Database } from "bun:sqlite";
import type { Db } from "./connection.ts";
import { forget } from "./memo.ts";
import type { Soon } from "./soon.ts";
import { dropSums, writeSums } from "./sums.ts";
import type { WriteAheadLog } from "./write-ahead-log.ts";

/** At most so many writes share a commit: it bounds how long the event loop is held. */
const groupLimit = 256;

interface Job {
  /** Undefined when the work was done, else why not; it may be asked for once more, after a rollback. */
  run(tx: Db): Promise<{ readonly error: unknown } | undefined>;
  settle(lost?: unknown): void;
}

const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => ({ error }),
  );

/** What the jobs of a group have added up is written like a job behind them. */
const closing: Job = { run: (tx) => failureOf(writeSums(tx)), settle: () => undefined };

export interface Writer {
  /**
   * Runs `work` inside a transaction and answers when its commit is on disk, which it shares with the others of its
   * group; its failure leaves them alone. `work` awaits nothing but the database and changes nothing else: when another job of the
   * group fails, it is rolled back and run again.
   */
  write<T>(work: (tx: Db) => Soon<T>): Promise<T>;
  /** Resolves when the last commit is on disk; undefined when it is. */
  unsynced(): Promise<void> | undefined;
  /** Resolves when nothing is waiting to be written. */
  drained(): Promise<void>;
}

/**
 * The group commit. Writes that arrive in one turn of the event loop share one fsync; flushing on `setImmediate` needs
 * no timer, and an idle server commits a lone write at once.
 */
export function createWriter(database: Database, tx: Db, log: Omit<WriteAheadLog, "close">): Writer {
  const begin = database.query("begin immediate");
  // Moves where another connection has written since.
  const foreign = database.query<{ data_version: number }, []>("pragma data_version");
  const commit = database.query("commit");
  const savepoint = database.query("savepoint job");
  const rollback = database.query("rollback to job");
  const release = database.query("release job");
  const waiting: Job[] = [];
  let scheduled: Promise<void> | undefined;
  let syncing: Promise<void> | undefined;
  let version: number | undefined;

  async function sync(): Promise<void> {
    syncing = log.sync();
    try {
      await syncing;
    } finally {
      syncing = undefined;
    }
  }

  /** Runs the whole group in one transaction. With `apart`, each job in a savepoint of its own. */
  async function transact(group: readonly Job[], apart: boolean): Promise<boolean> {
    begin.run();
    const found = foreign.get()?.data_version;
    if (found !== version) forget(tx);
    version = undefined;
    dropSums(tx);
    for (const job of apart ? group : [...group, closing]) {
      if (apart) {
        savepoint.run();
        forget(tx);
        dropSums(tx);
      }
      const failed = (await job.run(tx)) ?? (apart ? await closing.run(tx) : undefined);
      // On a full disk, say, SQLite rolls everything back by itself: nobody of the group was written.
      if (failed && !database.inTransaction) throw failed.error;
      if (failed && !apart) {
        database.run("rollback");
        return false;
      }
      if (failed) {
        rollback.run();
        forget(tx);
      }
      if (apart) release.run();
    }
    commit.run();
    version = found;
    return true;
  }

  async function flush(): Promise<void> {
    const group = waiting.splice(0, groupLimit);
    try {
      const failure = log.failure();
      if (failure) throw failure;
      // A savepoint makes SQLite keep a copy of each page it touches, which a run pays dearly for. So they are taken
      // only where a job of the group has failed: the whole group is rolled back then, and run once more, apart.
      if (!(await transact(group, false))) await transact(group, true);
      await sync();
      for (const job of group) job.settle();
    } catch (lost) {
      // The commit itself failed (a full disk, say): nothing of the group is durable, and each of its writers hears so.
      for (const job of group) job.settle(lost);
      if (database.inTransaction) database.run("rollback");
    }
  }

  async function pump(): Promise<void> {
    while (waiting.length > 0) {
      await new Promise<void>((resolve) => setImmediate(resolve));
      await flush();
      // Put off where another process writes just now; a failure of the disk is told to the next ones who write.
      await log.carryOver().catch(() => undefined);
    }
    scheduled = undefined;
  }

  return {
    write<T>(work: (tx: Db) => Soon<T>): Promise<T> {
      return new Promise<T>((resolve, reject) => {
        let outcome: () => void = () => undefined;
        waiting.push({
          async run(tx) {
            try {
              const value = await work(tx);
              outcome = () => resolve(value);
              return undefined;
            } catch (error) {
              outcome = () => reject(error);
              return { error };
            }
          },
          settle: (lost) => (lost === undefined ? outcome() : reject(lost)),
        });
        scheduled ??= pump();
      });
    },
    unsynced: () => syncing,
    drained: async () => {
      while (scheduled) await scheduled;
    },
  };
}
