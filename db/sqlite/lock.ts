import { Database } from "bun:sqlite";

export interface Lock {
  release(): void;
}

/**
 * Takes the lock that the file represents. Returns `undefined` if another process still holds it after `waitMs`. It is
 * an exclusive SQLite lock on an empty database, which the operating system releases however the process ends.
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
