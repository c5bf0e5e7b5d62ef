import { join } from "node:path";
import { takeLock } from "../../db/sqlite/lock.ts";
import type { Paths } from "./installation.ts";
import { CommandError } from "./io.ts";

/** Milliseconds: longer than a second importer needs to see the first. */
const glance = 250;

/** Holds the importer's place: two at once would take each other's unfinished work for what was left. Exit 1 if taken. */
export async function importAlone<T>({ folder }: Paths, work: () => Promise<T>): Promise<T> {
  const lock = takeLock(join(folder, "import.lock"), glance);
  if (!lock) throw new CommandError(1, "another import is running on this installation", "Wait until it has ended.");
  try {
    return await work();
  } finally {
    lock.release();
  }
}
