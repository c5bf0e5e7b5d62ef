import type { InstallationTools } from "../contracts/installation.ts";
import { second } from "../platform/clock.ts";
import type { Runtime } from "../platform/runtime.ts";
import { type Paths, takeLockOf } from "./installation.ts";
import { CommandError } from "./io.ts";

/** How long to wait for the lock, in milliseconds: longer than another importer needs to find it taken. */
const glance = 250;

/** Runs `work` under the import lock; exit 1 if held. Two imports would take each other's work for a crashed one's. */
export async function importAlone<T>(paths: Paths, work: () => Promise<T>): Promise<T> {
  const lock = takeLockOf(paths.importLock, glance);
  if (!lock) throw new CommandError(1, "another import is running on this installation", "Wait until it has finished.");
  try {
    return await work();
  } finally {
    lock.release();
  }
}

/** Returns where a server stores uploads and how it imports them, one import at a time. */
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
