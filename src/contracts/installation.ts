import type { HealthCheck } from "../platform/health-check.ts";

/** A copy of the database, in `backups` in the data folder. */
export interface BackupFile {
  /** File name, without the folder. */
  readonly file: string;
  readonly bytes: number;
  /** In hex; null if the checksum file is missing. */
  readonly sha256: string | null;
  /** Milliseconds UTC. */
  readonly created_at: number;
}

/** The most recent backup requested since the server started. */
export interface BackupJob {
  readonly file: string;
  readonly started_at: number;
  readonly status: "running" | "succeeded" | "failed";
  /** Why it failed, in words for the operator. */
  readonly error: string | null;
}

/**
 * Operations that only the process serving an installation can perform. Created by `serve`, and passed to the routes by
 * `app.ts`.
 */
export interface InstallationTools {
  /** Runs every check of `assay doctor`. Changes nothing. */
  health(): Promise<readonly HealthCheck[]>;
  readonly documents: {
    /** Folder for uploaded files until they are imported; created with the first one. */
    readonly folder: string;
    /**
     * Runs the work as the installation's only importer. Waits for its turn; rejects with the signal's reason if it
     * aborts.
     */
    alone<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T>;
  };
  readonly backups: {
    /** Starts a backup in the background, or returns the running one. */
    start(): Promise<BackupJob>;
    /** Returns the last backup requested; undefined if there was none since the start. */
    last(): BackupJob | undefined;
    /** Lists every complete backup, newest first. */
    list(): Promise<readonly BackupFile[]>;
  };
}
