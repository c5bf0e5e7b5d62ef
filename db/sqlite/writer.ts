import type { Database } from "bun:sqlite";
import { close, drop } from "./closing.ts";
import type { Db } from "./connection.ts";
import { forget } from "./memo.ts";
import type { Soon } from "./soon.ts";
import type { WriteAheadLog } from "./write-ahead-log.ts";

/** At most so many writes share a commit: it bounds how long the event loop is held. */
const groupLimit = 256;
/** So many are worth a commit of their own while the one before is still on its way to the disk. */
const gathered = 20;

/** A transaction that was committed, and when that is on disk. */
interface Committed {
  readonly onDisk: Promise<void>;
}

interface Job {
  /** Undefined when the work was done, else why not; it may be asked for once more, after a rollback. */
  run(tx: Db): Promise<{ readonly error: unknown } | undefined>;
  /** Told where what it has left for the end could not be written. */
  fail(error: unknown): void;
  settle(lost?: unknown): void;
}

const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => ({ error }),
  );

/** What the jobs of a group have left for its end is written like a job behind them. */
const closing: Job = { run: (tx) => failureOf(close(tx)), fail: () => undefined, settle: () => undefined };

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
  /** Called when `gathered` of them wait. */
  let enough: (() => void) | undefined;
  let scheduled: Promise<void> | undefined;
  let syncing: Promise<void> | undefined;
  /** A sync that begins behind that one, for what was committed meanwhile. */
  let following: Promise<void> | undefined;
  let version: number | undefined;

  function begunSync(): Promise<void> {
    // Behind a sync that failed nothing is known of what follows, whatever a further one would say.
    const failure = log.failure();
    return failure ? Promise.reject(failure) : log.sync();
  }

  /** Resolves when what is committed now is on disk. */
  function sync(): Promise<void> {
    if (syncing) {
      following ??= syncing.then(begunSync, begunSync);
      return following;
    }
    return track(begunSync());
  }

  /** Remembers the sync under way, and behind it the following one. */
  function track(under: Promise<void>): Promise<void> {
    syncing = under;
    const over = () => {
      syncing = undefined;
      const next = following;
      following = undefined;
      if (next) track(next);
    };
    under.then(over, over);
    return under;
  }

  /** Runs the whole group in one transaction. With `apart`, each job in a savepoint of its own. */
  async function transact(group: readonly Job[], apart: boolean): Promise<Committed | undefined> {
    begin.run();
    const found = foreign.get()?.data_version;
    if (found !== version) forget(tx);
    version = undefined;
    drop(tx);
    for (const job of apart ? group : [...group, closing]) {
      if (apart) {
        savepoint.run();
        forget(tx);
        drop(tx);
      }
      let failed = await job.run(tx);
      if (!failed && apart) {
        failed = await closing.run(tx);
        if (failed) job.fail(failed.error);
      }
      // On a full disk, say, SQLite rolls everything back by itself: nobody of the group was written.
      if (failed && !database.inTransaction) throw failed.error;
      if (failed && !apart) {
        database.run("rollback");
        return undefined;
      }
      if (failed) {
        rollback.run();
        forget(tx);
      }
      if (apart) release.run();
    }
    commit.run();
    version = found;
    // In the same breath: whoever sees the commit waits for this sync.
    return { onDisk: sync() };
  }

  function settle(group: readonly Job[], lost?: unknown): void {
    for (const job of group) job.settle(lost);
  }

  /** Commits a group; it is answered when it is on disk, which is not waited for here. */
  async function flush(): Promise<void> {
    const group = waiting.splice(0, groupLimit);
    try {
      const failure = log.failure();
      if (failure) throw failure;
      // A savepoint makes SQLite keep a copy of each page it touches, which a run pays dearly for. So they are taken
      // only where a job of the group has failed: the whole group is rolled back then, and run once more, apart.
      const committed = (await transact(group, false)) ?? (await transact(group, true));
      committed?.onDisk.then(
        () => settle(group),
        (lost) => settle(group, lost),
      );
    } catch (lost) {
      // The commit itself failed (a full disk, say): nothing of the group is durable, and each of its writers hears so.
      settle(group, lost);
      if (database.inTransaction) database.run("rollback");
    }
  }

  /** While the disk is busy there is time to gather some: a commit costs the more the fewer share it. */
  async function gather(): Promise<void> {
    await new Promise<void>((resolve) => setImmediate(resolve));
    if (!syncing || waiting.length >= gathered) return;
    const full = new Promise<void>((resolve) => {
      enough = resolve;
    });
    await Promise.race([syncing, full]).catch(() => undefined);
    enough = undefined;
  }

  async function pump(): Promise<void> {
    while (waiting.length > 0) {
      await gather();
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
          fail(error) {
            outcome = () => reject(error);
          },
          settle: (lost) => (lost === undefined ? outcome() : reject(lost)),
        });
        if (waiting.length === gathered) enough?.();
        scheduled ??= pump();
      });
    },
    unsynced: () => following ?? syncing,
    drained: async () => {
      while (scheduled ?? syncing) await (scheduled ?? syncing)?.catch(() => undefined);
    },
  };
}
