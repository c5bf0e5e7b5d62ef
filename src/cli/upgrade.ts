import { existsSync, readdirSync, rmSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { copyDatabase } from "../../db/sqlite/backup.ts";
import { migrate, migrationState } from "../../db/sqlite/migrate.ts";
import type { Store } from "../../db/store.ts";
import { rfc3339 } from "../platform/clock.ts";
import { makeFolderDurably, own, publishDurably, syncFolder, writeDurably } from "../platform/files.ts";
import type { MaybePromise } from "../platform/maybe-promise.ts";
import type { Runtime } from "../platform/runtime.ts";
import { checksumFile, fileChecksum } from "./checksum.ts";
import type { Paths } from "./installation.ts";
import { CommandError } from "./io.ts";

/** Number of backups made before migrations that are kept, the newest ones. */
export const keptBackups = 3;

const form = /^before-\d{4}_\w+-\d{8}T\d{6}Z\.db$/;

/**
 * Writes a consistent snapshot of the database to a new file, with a checksum file next to it, and returns the SHA-256.
 * `copy` can be given to copy in another thread.
 */
export async function writeBackup(
  database: string,
  file: string,
  copy: (database: string, target: string) => MaybePromise<void> = copyDatabase,
): Promise<string> {
  const partial = `${file}.partial`;
  // A failed copy may leave its journal.
  const remove = () => {
    for (const suffix of ["", "-journal", "-wal", "-shm"]) rmSync(partial + suffix, { force: true });
  };
  try {
    remove();
    // Private from the start. Given to the folder's owner only if the database is theirs.
    own(partial, { isGiven: statSync(dirname(file)).uid === statSync(database).uid });
    await copy(database, partial);
    const sha256 = await fileChecksum(partial);
    await writeDurably(checksumFile(file), `${sha256}  ${basename(file)}\n`, { mode: 0o600, replace: false });
    await publishDurably(partial, file, { replace: false });
    return sha256;
  } finally {
    remove();
  }
}

/** Deletes all but the newest backups, by the time at the end of their names, and drafts left by a power cut. */
async function deleteOld(folder: string): Promise<void> {
  const timeOf = (name: string) => name.slice(-19);
  const made = readdirSync(folder).filter((name) => form.test(name));
  const old = made.toSorted((a, b) => timeOf(b).localeCompare(timeOf(a))).slice(keptBackups);
  for (const name of old) for (const file of [name, checksumFile(name)]) rmSync(join(folder, file), { force: true });
  for (const name of readdirSync(folder)) if (name.endsWith(".partial")) rmSync(join(folder, name), { force: true });
  await syncFolder(folder);
}

/** Backs up the database before `migration`, in `backups` below the data folder. Returns the file's name. */
async function backUpBefore(migration: string, paths: Paths, now: number): Promise<string> {
  const folder = paths.backups;
  await makeFolderDurably(folder, 0o700);
  const at = rfc3339(now).replace(/\.\d+/, "").replace(/[:-]/g, "");
  const file = join(folder, `before-${migration}-${at}.db`);
  if (!existsSync(file)) await writeBackup(paths.database, file);
  await deleteOld(folder);
  return file;
}

export interface Upgrade {
  readonly store: Store;
  readonly paths: Paths;
  readonly runtime: Pick<Runtime, "now">;
  /** Whether to back up first; false if the operator has a backup. */
  readonly isBackedUp: boolean;
  /** Called with the backup's name before anything is changed. */
  readonly announce: (file: string) => void;
}

/**
 * Migrates the schema and returns the names of the applied migrations. The process must hold the installation's lock.
 * An existing database is backed up first, because its earlier version can't open it afterwards.
 */
export async function upgrade({ store, paths, runtime, isBackedUp, announce }: Upgrade): Promise<string[]> {
  const { applied, pending, unknown } = await migrationState(store);
  if (pending.length + unknown.length === 0) return [];
  const [first] = pending;
  if (first !== undefined && applied.length > 0 && isBackedUp)
    try {
      announce(await backUpBefore(first, paths, runtime.now()));
    } catch (cause) {
      throw new CommandError(
        1,
        `the database could not be backed up before its migration: ${cause instanceof Error ? cause.message : cause}`,
        `Free some space in ${paths.folder}, or use --no-backup if you have a backup elsewhere. Nothing was changed.`,
      );
    }
  return migrate(store);
}
