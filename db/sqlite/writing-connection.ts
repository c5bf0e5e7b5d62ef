import { Database } from "bun:sqlite";
import { closeSync, existsSync, fsyncSync, openSync } from "node:fs";
import type { Bound } from "../compiled-statement.ts";
import type { Outcome, Transition } from "../transition.ts";
import { createGroupCommit } from "./commit-group.ts";
import { IndexFiller } from "./index-filler.ts";
import { type OpenFiles, openFilesOf } from "./open-files.ts";
import type { Statements } from "./statements.ts";
import { WriteGuard } from "./write-guard.ts";

/** Growth of the WAL, in frames of 4 KiB, after which it is checkpointed. */
const checkpointThreshold = 1_000;
/** Number of groups between two checks of its length. A group of the server takes tens of frames. */
const checkpointInterval = 8;

/** The result of a single query in a transaction. */
export interface Executed {
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  readonly changes: number;
}

/** The only connection that writes. It runs in a worker thread or, without one, in the event loop. */
export interface WritingConnection {
  readonly database: Database;
  commit(transitions: readonly Transition[]): (Outcome | Error)[];
  /** Begins a transaction of single queries, between two groups. */
  begin(): void;
  execute(sql: string, parameters: readonly Bound[]): Executed;
  end(commit: boolean): void;
  /** Called after the writers were answered. Fills the next secondary index that is due. */
  fill(): void;
  /** Called after the writers were answered. Checkpoints the WAL once it has grown long. */
  checkpoint(): void;
  /** Returns why nothing is written any more, if so. */
  failure(): Error | undefined;
  /** Checks whether the files were deleted or replaced. Throws `failure`. */
  look(): void;
  /** Checkpoints the whole WAL, if no one reads an older state, so that a stopped server leaves none behind. */
  emptyLog(): void;
  close(): void;
}

interface LogState {
  readonly log: number;
  readonly checkpointed: number;
}

const isCarriedOver = (state: LogState | null): boolean => state !== null && state.log === state.checkpointed;

/**
 * Syncs the WAL that a killed process left. It may be only in the operating system's cache, and a power cut could then
 * revert state that was already returned to a caller.
 */
export function syncLog(file: string): void {
  const log = `${file}-wal`;
  if (!existsSync(log)) return;
  const descriptor = openSync(log, "r+");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Opens the connection that writes. WAL with `synchronous=FULL`: SQLite itself syncs the WAL in each commit, so that a
 * commit is visible only once it is durable. Checkpoints run after the answers were sent, so that no writer waits for
 * one.
 */
export function openWritingConnection(
  file: string,
  statements: Statements,
  open: OpenFiles = openFilesOf(file),
): WritingConnection {
  const database = new Database(file, { readwrite: true, strict: true });
  database.run("pragma busy_timeout = 5000");
  database.run("pragma synchronous = full");
  database.run("pragma wal_autocheckpoint = 0");
  database.run("pragma cache_size = -8192");
  database.run("pragma temp_store = memory");
  database.run("pragma foreign_keys = on");
  // Overwrites deleted rows in pages that are written anyway, so that a destroyed key does not remain there.
  database.run("pragma secure_delete = fast");
  const groups = createGroupCommit(database, statements.group);
  const filler = new IndexFiller(database, statements.fills);
  const begin = database.query("begin immediate");
  const commit = database.query("commit");
  const rollback = database.query("rollback");
  // Reports the length of the WAL without checkpointing.
  const logState = database.query<LogState, []>("pragma wal_checkpoint(noop)");
  const carryOver = database.query<LogState, []>("pragma wal_checkpoint(passive)");
  const carryAllOver = database.query<LogState, []>("pragma wal_checkpoint(full)");
  const guard = new WriteGuard(open, () => isCarriedOver(carryAllOver.get()));
  let commits = 0;
  let threshold = checkpointThreshold;

  return {
    database,
    look: () => guard.look(),
    commit(transitions) {
      const outcomes = guard.kept(() => groups.commit(transitions));
      filler.count(transitions, outcomes);
      return outcomes;
    },
    fill() {
      if (!guard.failure()) guard.watched(() => filler.fill());
    },
    begin: () => guard.watched(() => void begin.run()),
    execute: (sql, parameters) =>
      guard.watched(() => {
        const statement = database.query<Record<string, unknown>, Bound[]>(sql);
        if (statement.columnNames.length > 0) return { rows: statement.all(...parameters), changes: 0 };
        return { rows: [], changes: statement.run(...parameters).changes };
      }),
    end(isKept) {
      groups.forget();
      if (isKept) guard.kept(() => void commit.run());
      else if (database.inTransaction) rollback.run();
    },
    checkpoint() {
      commits++;
      if (guard.failure() || commits % checkpointInterval !== 0) return;
      const { log = 0 } = logState.get() ?? {};
      if (log < threshold) {
        // The WAL starts over once all of it was checkpointed.
        if (log < threshold - checkpointThreshold) threshold = checkpointThreshold;
        return;
      }
      const { checkpointed = 0 } = guard.watched(() => carryOver.get()) ?? {};
      // A reader of an older state prevents a full checkpoint; the next try is after the same growth again.
      threshold = checkpointed < log ? log + checkpointThreshold : checkpointThreshold;
    },
    failure: () => guard.failure(),
    emptyLog: () => guard.watched(() => void database.run("pragma wal_checkpoint(truncate)")),
    close() {
      // A regular close would checkpoint and delete the WAL, and with it data that may not be in the database file.
      if (guard.failure()) return;
      groups.finalize();
      filler.finalize();
      database.close();
    },
  };
}
