import type { Database } from "bun:sqlite";

/** WAL length, in frames, that a server's commit can checkpoint without a noticeable delay. */
const smallLog = 2_000;
const mostCheckpoints = 20;

/**
 * Checkpoints the WAL after a long read of the file, such as a backup, which prevented that while every write made it
 * grow. Otherwise the server's next commit would checkpoint all of it at once, and its writers would wait.
 */
export function shrinkLog(database: Database): void {
  const checkpoint = database.query<{ log: number; checkpointed: number }, []>("pragma wal_checkpoint(passive)");
  for (let i = 0; i < mostCheckpoints; i++) {
    const { log, checkpointed } = checkpoint.get() ?? { log: 0, checkpointed: 0 };
    if (log - checkpointed < smallLog) return;
  }
}
