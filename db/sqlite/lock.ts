import { Database } from "bun:sqlite";

export interface Lock {
  release(): void;
}

/**
 * Takes the lock that the file represents, or undefined when another process holds it for longer than `waitMs`. It is SQLite's own exclusive
 * lock on an empty database: the system frees it with the process, however that ends, so that none goes stale.
 */
export function takeLock(file: string, waitMs: number): Lock | undefined {
  const database = new Database(file, { create: true, readwrite: true });
  try {
    database.run(`pragma busy_timeout = ${waitMs}`);
    database.run("begin exclusive");
    return { release: () => database.close() };
  } catch (error) {
    database.close();
    if (error instanceof Error && "code" in error && error.code === "SQLITE_BUSY") return undefined;
    throw error;
  }
}
