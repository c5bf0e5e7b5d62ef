/**
 * The programs that run in threads of their own, by name, and where their code lies below the repository. The build
 * takes each into the executable; a runtime starts them.
 */
export const threadFiles = {
  writer: "db/sqlite/writer-thread.ts",
  computing: "src/products/computing-thread.ts",
  backup: "db/sqlite/backup-thread.ts",
  "dataset-import": "src/products/datasets/import-thread.ts",
  meaning: "src/knowledge/meaning/thread.ts",
} as const;
export type ThreadName = keyof typeof threadFiles;

/** What a thread reports to the one who started it. */
export interface ThreadListener {
  /** It runs, and reads what was posted before. Its own code may still fail to load. */
  ready?(): void;
  message(data: unknown): void;
  /** It failed, or ended by itself: once, and never after `end`. */
  ended(cause: unknown): void;
}

export interface Thread {
  post(message: unknown, transfer?: Bun.Transferable[]): void;
  /** Whether the process stays alive for it. A thread is started without. */
  keepAlive(isNeeded: boolean): void;
  /** Stops it wherever it is. Nothing is reported any more. */
  end(): void;
}
