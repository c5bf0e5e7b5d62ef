import { movedError, type OpenFiles, takenAway } from "./open-files.ts";

/** After a failed sync the state on disk is unknown, and a later successful sync would not change that. */
const isSyncFailure = (error: unknown): error is Error =>
  error instanceof Error &&
  "code" in error &&
  typeof error.code === "string" &&
  /^SQLITE_IOERR_(DIR_)?FSYNC/.test(error.code);

/**
 * Guards a connection's writes, and rejects them once they would be lost: after a failed sync, or if the files were
 * deleted or replaced. A deleted WAL disappears when its last user closes it, so all of it is first copied into the
 * database file, unless another WAL has been started.
 */
export class WriteGuard {
  private failed: Error | undefined;

  constructor(
    private readonly files: OpenFiles,
    /** Checkpoints the whole WAL, waiting for readers of an older state. Returns whether it succeeded. */
    private readonly carryOver: () => boolean,
  ) {}

  /** Returns why nothing is written any more, if so. */
  failure(): Error | undefined {
    return this.failed;
  }

  /** Checks whether the files were deleted or replaced. Throws the failure. */
  look(): void {
    this.check();
    if (this.failed) throw this.failed;
  }

  /** Runs any work on the files. Throws an earlier failure, and records a failed sync. */
  watched<T>(work: () => T): T {
    if (this.failed) throw this.failed;
    try {
      return work();
    } catch (error) {
      if (isSyncFailure(error)) this.failed = error;
      throw error;
    }
  }

  /**
   * Runs a commit. If the file was deleted meanwhile, the commit counts only if it was copied into the database file.
   */
  kept<T>(commit: () => T): T {
    this.look();
    const value = this.watched(commit);
    if (!this.check() && this.failed) throw this.failed;
    return value;
  }

  /** Returns whether everything that was committed is where the next process will find it. */
  private check(): boolean {
    const file = this.failed ? undefined : takenAway(this.files);
    if (!file) return this.failed === undefined;
    const isSaved = file.isLog && file.isUnused && this.saves();
    this.failed = movedError(file, isSaved);
    return isSaved;
  }

  private saves(): boolean {
    try {
      return this.carryOver();
    } catch {
      return false;
    }
  }
}
