import { existsSync, rmSync } from "node:fs";
import { resolve } from "node:path";
import type { Command } from "commander";
import { damageOf } from "../../db/sqlite/backup.ts";
import { openStore } from "../../db/sqlite/connection.ts";
import { migrationState } from "../../db/sqlite/migrate.ts";
import type { Settings } from "../config/settings.ts";
import { copyDurably, publishDurably } from "../platform/files.ts";
import { DatasetFolder } from "../products/datasets/folder.ts";
import { type MissingTable, missingRows, missingTables } from "../products/datasets/missing.ts";
import { checksumFile, fileChecksum } from "./checksum.ts";
import { type Context, jsonHelp, printJson } from "./context.ts";
import { readGiven, statGiven, unreadable } from "./file-trouble.ts";
import { rowsBack } from "./health/datasets.ts";
import { lockInstallation, makeFolder, type Paths, pathsOf, readMasterKey, refuseNewer } from "./installation.ts";
import { CommandError, decoded, type Io } from "./io.ts";
import { logOf } from "./lost-database.ts";
import { explainingStorage } from "./storage-trouble.ts";

/** Prefix of the first migration, which every installation has. */
const firstMigration = "0001_";

/** Prefix of the migration that introduced datasets. */
const datasetsMigration = "0025_";

interface RestoreFlags {
  readonly json?: boolean;
  /** Whether the backup must have its checksum. */
  readonly checksum: boolean;
}

/** Throws exit 1 if a file is not, byte for byte, what `assay backup` wrote. A checksum that is there always counts. */
async function checkChecksum(file: string, { checksum: isNeeded }: RestoreFlags): Promise<void> {
  if (!statGiven(file).isFile())
    throw new CommandError(2, `${file} is not a file`, "Name a file written by `assay backup`.");
  if (!existsSync(checksumFile(file))) {
    if (!isNeeded) return;
    throw new CommandError(
      1,
      `its checksum is missing: ${checksumFile(file)}`,
      "Put it next to the backup. If it is lost, --no-checksum restores the backup after a check of its structure alone.",
    );
  }
  const [expected = ""] = decoded(readGiven(checksumFile(file)), checksumFile(file))
    .trim()
    .split(/\s+/);
  const sha256 = await fileChecksum(file);
  if (sha256 !== expected)
    throw new CommandError(
      1,
      `${file} does not match its checksum`,
      "It was changed or truncated: use another backup.",
    );
}

/** The state of a valid copy. */
interface Content {
  readonly pending: readonly string[];
  /** Dataset tables whose rows can't be read in the data folder. */
  readonly missing: readonly MissingTable[];
}

/** Throws exit 1 if a copy is damaged, is not an installation's database or was made by a newer version. */
async function checkContent(file: string, paths: Paths): Promise<Content> {
  const [damage] = damageOf(file);
  if (damage !== undefined) throw new CommandError(1, `the backup is damaged: ${damage}`, "Use another backup.");
  const store = openStore(file);
  try {
    await refuseNewer(store);
    const { pending } = await migrationState(store);
    const isOurs = !pending.some((name) => name.startsWith(firstMigration));
    if (!isOurs) throw new CommandError(1, "the file is not a backup of an installation");
    if (pending.some((name) => name.startsWith(datasetsMigration))) return { pending, missing: [] };
    const { missing } = await missingTables(store.read, new DatasetFolder(paths.datasets));
    return { pending, missing };
  } finally {
    await store.close();
  }
}

/** Restores a backup where there is no database. Everything is checked before the database appears under its name. */
async function restore(file: string, paths: Paths): Promise<Content & { database: string }> {
  const copy = `${paths.database}.restoring`;
  const remove = () => {
    for (const suffix of ["", "-wal", "-shm"]) rmSync(copy + suffix, { force: true });
  };
  remove();
  try {
    await copyDurably(file, copy, { mode: 0o600 });
    const content = await checkContent(copy, paths);
    await publishDurably(copy, paths.database, { replace: false });
    return { database: paths.database, ...content };
  } finally {
    remove();
  }
}

/** Restores a backup and prints what else has to be put back. */
async function restoreInto(paths: Paths, file: string, settings: Settings, flags: RestoreFlags, io: Io) {
  const taken = existsSync(paths.database) ? paths.database : logOf(paths);
  if (taken !== undefined)
    throw new CommandError(
      1,
      `${taken} already exists`,
      "Name another folder with --data, or move it elsewhere: nothing is overwritten.",
    );
  await checkChecksum(file, flags).catch((error: unknown) => {
    throw unreadable(error, file);
  });
  await makeFolder(paths);
  const lock = lockInstallation(paths);
  try {
    const restored = await restore(file, paths);
    if (flags.json) printJson(io, restored);
    else io.out(`restored ${restored.database}`);
    if (restored.pending.length > 0)
      io.err("Its schema is older: `assay migrate` or `assay serve` brings it up to date.");
    if (restored.missing.length > 0) {
      for (const table of restored.missing) io.err(missingRows(table));
      io.err(rowsBack(paths));
    }
    if (!readMasterKey(settings, paths)) io.err(`Put back its master key too: ${paths.masterKey}, or set master_key.`);
    io.err("Then run `assay verify`.");
  } finally {
    lock.release();
  }
}

/** `assay restore FILE` */
export function register(program: Command, { io, configure }: Context): void {
  program
    .command("restore")
    .description("Restore a backup into a data folder that has no database")
    .argument("<file>", "a file written by `assay backup`, with its checksum next to it")
    .option("--no-checksum", "accept a backup whose checksum is lost")
    .option("--json", jsonHelp)
    .action(async (file: string, flags: RestoreFlags) => {
      const { settings } = configure();
      const paths = pathsOf(settings);
      await explainingStorage(paths, () => restoreInto(paths, resolve(file), settings, flags, io));
    });
}
