import { Database } from "bun:sqlite";
import { closeSync, fdatasync, openSync } from "node:fs";
import { promisify } from "node:util";

/** How the log of a database reaches the disk. The writer calls it, one call after the other. */
export interface WriteAheadLog {
  /** Why nothing can be written any more: a sync has failed, and nobody knows what is on disk. */
  failure(): Error | undefined;
  /** Resolves when everything that was committed before is on disk. */
  sync(): Promise<void>;
  /** Called behind each commit: carries a log that has grown long over into the database file, so that it begins anew. */
  carryOver(): Promise<void>;
  /** Before the writing connection, which on its way out carries over what is left. */
  close(): void;
}

/** Frames (of 4 KiB) that a log grows by before it is carried over. */
const longLog = 1_000;
/** After so many commits its length is looked at: a commit of the server takes tens of frames. */
const lookedAtEvery = 8;

const synced = promisify(fdatasync);

/** Named as SQLite names it. The process has to be started anew, which carries over what did reach the disk. */
class DiskFailure extends Error {
  readonly code = "SQLITE_IOERR_FSYNC";
}

interface LogState {
  /** Frames in the log. */
  readonly log: number;
  /** How many of them are in the database file too. */
  readonly checkpointed: number;
}

/**
 * SQLite would sync inside COMMIT and inside the checkpoint, and hold the event loop meanwhile. Here both are asked of
 * the system by threads of their own, in the same order as with `synchronous=FULL`:
 *
 * - A commit is answered when its frames are on disk.
 * - The log is carried over only from there, and the database file is synced before anybody can begin the log anew: the
 *   write lock is held until then.
 * - That the header of a log begun anew is on disk before its frames is SQLite's own doing (`synchronous=NORMAL`).
 *
 * A process that dies between the two leaves a log that the next one carries over again.
 */
export function openLog(file: string, writing: Database): WriteAheadLog {
  // The database file stays open until the process ends: closing it would drop all of SQLite's locks on it (POSIX).
  const opened: { log?: number; database?: number; carrying?: Database } = {};
  let failed: Error | undefined;
  let commits = 0;

  /** A sync that follows a failed one would succeed, and tell nothing: the system forgets what it could not write. */
  async function syncFile(descriptor: number): Promise<void> {
    try {
      await synced(descriptor);
    } catch (cause) {
      failed = new DiskFailure("the disk did not take what was written", { cause });
      throw failed;
    }
  }

  // Tells the state and carries nothing over; a SQLite before 3.51 takes it for a checkpoint, which is as right.
  const state = writing.query<LogState, []>("pragma wal_checkpoint(noop)");
  const begin = writing.query("begin immediate");
  const end = writing.query("rollback");
  let next = longLog;

  /** Carries over without a sync, on a connection of its own. */
  function checkpoint(): LogState {
    if (!opened.carrying) {
      opened.carrying = new Database(file, { readwrite: true, strict: true });
      opened.carrying.run("pragma synchronous = off");
    }
    return opened.carrying.query<LogState, []>("pragma wal_checkpoint(passive)").get() ?? { log: 0, checkpointed: 0 };
  }

  function syncLog(): Promise<void> {
    opened.log ??= openSync(`${file}-wal`, "r+");
    return syncFile(opened.log);
  }

  return {
    failure: () => failed,
    sync: syncLog,
    async carryOver() {
      commits++;
      if (commits % lookedAtEvery !== 0) return;
      const { log = 0 } = state.get() ?? {};
      if (log < next) {
        // It was begun anew.
        if (log < next - longLog) next = longLog;
        return;
      }
      opened.database ??= openSync(file, "r+");
      begin.run();
      try {
        // What another process has committed since may not be on disk yet, and must be before it is carried over.
        await syncLog();
        const { checkpointed } = checkpoint();
        await syncFile(opened.database);
        // Whoever still reads an old state keeps the rest: it is tried again when the log has grown as much once more.
        next = checkpointed < log ? log + longLog : longLog;
      } finally {
        end.run();
      }
    },
    close() {
      const { carrying, log } = opened;
      // Whoever closes once more must not close what has been given the same number since.
      delete opened.carrying;
      delete opened.log;
      carrying?.close();
      if (log !== undefined) closeSync(log);
    },
  };
}
