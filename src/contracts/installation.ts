import type { HealthCheck } from "../platform/health-check.ts";

/** A copy of the database, in the data folder's `backups`. */
export interface BackupFile {
  /** The file's name, without its folder. */
  readonly file: string;
  readonly bytes: number;
  /** In hexadecimal; null where its checksum is missing. */
  readonly sha256: string | null;
  /** Milliseconds UTC. */
  readonly created_at: number;
}

/** How the last backup that was asked for went, since the server started. */
export interface BackupJob {
  readonly file: string;
  readonly started_at: number;
  readonly status: "running" | "succeeded" | "failed";
  /** Why it failed, in words for the operator. */
  readonly error: string | null;
}

/** What only the process that serves an installation can do. `serve` makes it, and `app.ts` hands it to the routes. */
export interface InstallationTools {
  /** Every check of `assay doctor`. Nothing is changed. */
  health(): Promise<readonly HealthCheck[]>;
  readonly documents: {
    /** Where files lie that were sent to be imported, until they are; made at the first one. */
    readonly folder: string;
    /** Does the work as the installation's only importer. Waits for its turn; rejects with the signal's reason at its abort. */
    alone<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T>;
  };
  readonly backups: {
    /** Begins one, or answers the one that is under way. It goes on after this. */
    start(): Promise<BackupJob>;
    /** The last one that was asked for; undefined: none since the start. */
    last(): BackupJob | undefined;
    /** Every whole backup, the newest first. */
    list(): Promise<readonly BackupFile[]>;
  };
}
