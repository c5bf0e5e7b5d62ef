import { movedError, type OpenFiles, takenAway } from "./open-files.ts";

/** After a sync that failed nobody knows what is on the disk, and a further one would say nothing about it. */
const isSyncFailure = (error: unknown): error is Error =>
  error instanceof Error &&
  "code" in error &&
  typeof error.code === "string" &&
  /^SQLITE_IOERR_(DIR_)?FSYNC/.test(error.code);

/**
 * Stands before all that a connection writes, and refuses it once it would be lost: after a sync that failed, and where
 * the files were deleted or replaced. A log that is deleted is gone when its last user closes it: as long as nobody has
 * begun another, all of it is carried over into the database file first.
 */
export class WriteGuard {
  private failed: Error | undefined;

  constructor(
    private readonly files: OpenFiles,
    /** Carries all of the log over, waiting for those who read an old state, and answers whether it could. */
    private readonly carryOver: () => boolean,
  ) {}

  /** Why nothing is written any more. */
  failure(): Error | undefined {
    return this.failed;
  }

  /** Notices files that were taken away. Throws why nothing is written any more. */
  look(): void {
    this.check();
    if (this.failed) throw this.failed;
  }

  /** Any work on the files. Throws why nothing is written any more, and notices a sync that fails. */
  watched<T>(work: () => T): T {
    if (this.failed) throw this.failed;
    try {
      return work();
    } catch (error) {
      if (isSyncFailure(error)) this.failed = error;
      throw error;
    }
  }

  /** A commit. What goes into a file that is deleted meanwhile counts only where it was carried over. */
  kept<T>(commit: () => T): T {
    this.look();
    const value = this.watched(commit);
    if (!this.check() && this.failed) throw this.failed;
    return value;
  }

  /** Whether everything that was committed is where the next process finds it. */
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
