import type { InstallationTools } from "../contracts/installation.ts";
import { second } from "../platform/clock.ts";
import type { Runtime } from "../platform/runtime.ts";
import { type Paths, takeLockOf } from "./installation.ts";
import { CommandError } from "./io.ts";

/** Milliseconds: longer than a second importer needs to see the first. */
const glance = 250;

/** Holds the importer's place: two at once would take each other's unfinished work for what was left. Exit 1 if taken. */
export async function importAlone<T>(paths: Paths, work: () => Promise<T>): Promise<T> {
  const lock = takeLockOf(paths.importLock, glance);
  if (!lock) throw new CommandError(1, "another import is running on this installation", "Wait until it has ended.");
  try {
    return await work();
  } finally {
    lock.release();
  }
}

/** Where a server keeps and imports documents. It waits until whoever imports at the terminal has ended. */
export const importPlace = (paths: Paths, runtime: Pick<Runtime, "sleep">): InstallationTools["documents"] => ({
  folder: paths.uploads,
  async alone(signal, work) {
    for (;;) {
      signal.throwIfAborted();
      const lock = takeLockOf(paths.importLock, 0);
      if (lock)
        try {
          return await work();
        } finally {
          lock.release();
        }
      await runtime.sleep(second, signal);
    }
  },
});
