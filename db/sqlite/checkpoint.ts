import type { Database } from "bun:sqlite";

/** Frames of the write-ahead log that a commit of the server carries over without anybody noticing. */
const smallLog = 2_000;
const mostCheckpoints = 20;

/**
 * After a long read of the file, such as a backup: meanwhile the log could not be carried over, and has grown
 * with every write. Left as it is, the server's next commit would carry all of it over at once, and its writers would
 * wait for that.
 */
export function shrinkLog(database: Database): void {
  const checkpoint = database.query<{ log: number; checkpointed: number }, []>("pragma wal_checkpoint(passive)");
  for (let i = 0; i < mostCheckpoints; i++) {
    const { log, checkpointed } = checkpoint.get() ?? { log: 0, checkpointed: 0 };
    if (log - checkpointed < smallLog) return;
  }
}
