import { Database } from "bun:sqlite";
import { closeSync, existsSync, fsyncSync, openSync } from "node:fs";
import type { Bound } from "../compiled-statement.ts";
import type { Outcome, Transition } from "../transition.ts";
import { createGroupCommit } from "./commit-group.ts";
import { IndexFiller } from "./index-filler.ts";
import { type OpenFiles, openFilesOf } from "./open-files.ts";
import type { Statements } from "./statements.ts";
import { WriteGuard } from "./write-guard.ts";

/** Frames (of 4 KiB) that the log grows by before it is checkpointed. */
const checkpointThreshold = 1_000;
/** After so many groups its length is looked at: a group of the server takes tens of frames. */
const checkpointInterval = 8;

/** What a query of a transaction answers. */
export interface Executed {
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  readonly changes: number;
}

/** The one connection that writes. It runs in a thread of its own, or in the event loop where there is none. */
export interface WritingConnection {
  readonly database: Database;
  commit(transitions: readonly Transition[]): (Outcome | Error)[];
  /** A transaction of single queries, between two groups. */
  begin(): void;
  execute(sql: string, parameters: readonly Bound[]): Executed;
  end(commit: boolean): void;
  /** Called after the writers were answered: fills the next secondary index that is due. */
  fill(): void;
  /** Called after the writers were answered: carries a log that has grown long over into the database file. */
  checkpoint(): void;
  /** Why nothing is written any more. */
  failure(): Error | undefined;
  /** Notices files that were deleted or replaced. Throws `failure`. */
  look(): void;
  /** Carries all of the log over, where nobody reads an old state: a server leaves none behind. */
  emptyLog(): void;
  close(): void;
}

interface LogState {
  readonly log: number;
  readonly checkpointed: number;
}

const isCarriedOver = (state: LogState | null): boolean => state !== null && state.log === state.checkpointed;

/**
 * What a killed process left in the log may be in the system's memory alone: it is synced before anything is answered
 * from it, or a power cut could take back what was answered.
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
 * Opens the connection that writes. WAL with `synchronous=FULL`: SQLite itself syncs the log inside each commit, so that
 * a commit is visible only once it is durable. Checkpoints are SQLite's own too; they are asked for after the answers
 * have gone out, so that no writer waits for one.
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
  // A deleted row's bytes are overwritten where its page is written anyway: a key that was destroyed does not stay there.
  database.run("pragma secure_delete = fast");
  const groups = createGroupCommit(database, statements.group);
  const filler = new IndexFiller(database, statements.fills);
  const begin = database.query("begin immediate");
  const commit = database.query("commit");
  const rollback = database.query("rollback");
  // Reports the length of the log and carries nothing over.
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
        // It begins again from its start once all of it was carried over.
        if (log < threshold - checkpointThreshold) threshold = checkpointThreshold;
        return;
      }
      const { checkpointed = 0 } = guard.watched(() => carryOver.get()) ?? {};
      // A reader of an old state keeps the rest: it is tried again when the log has grown as much once more.
      threshold = checkpointed < log ? log + checkpointThreshold : checkpointThreshold;
    },
    failure: () => guard.failure(),
    emptyLog: () => guard.watched(() => void database.run("pragma wal_checkpoint(truncate)")),
    close() {
      // To close in good order would carry the log over and delete it, and with it what may not be in the database file.
      if (guard.failure()) return;
      groups.finalize();
      filler.finalize();
      database.close();
    },
  };
}
