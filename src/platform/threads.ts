/**
 * The programs that run in worker threads, by name, with their path in the repository. The build embeds each in the
 * executable.
 */
export const threadFiles = {
  writer: "db/sqlite/writer-thread.ts",
  computing: "src/products/computing-thread.ts",
  backup: "db/sqlite/backup-thread.ts",
  "dataset-import": "src/products/datasets/import-thread.ts",
  meaning: "src/knowledge/meaning/thread.ts",
} as const;
export type ThreadName = keyof typeof threadFiles;

/** Receives a thread's reports. */
export interface ThreadListener {
  /** The thread is running and processes what was posted before. Its own code may still fail to load. */
  ready?(): void;
  message(data: unknown): void;
  /** The thread failed or exited. Called once, and never after `end`. */
  ended(cause: unknown): void;
}

export interface Thread {
  post(message: unknown, transfer?: Bun.Transferable[]): void;
  /** Sets whether the thread keeps the process alive. Initially it does not. */
  keepAlive(isNeeded: boolean): void;
  /** Stops the thread immediately. Nothing is reported afterwards. */
  end(): void;
}
