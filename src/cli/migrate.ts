import type { Command } from "commander";
import { type Context, jsonHelp, printJson } from "./context.ts";
import { lockInstallation, makeFolder, openInstallation, type Paths, pathsOf, refuseNewer } from "./installation.ts";
import type { Io } from "./io.ts";
import { explainingStorage } from "./storage-trouble.ts";
import { upgrade } from "./upgrade.ts";

/** Migrates an installation's schema, creating the database if there is none. Returns the applied migrations. */
export const migrateInstallation = (paths: Paths, io: Io, isBackedUp = true): Promise<string[]> =>
  explainingStorage(paths, () => migrateLocked(paths, io, isBackedUp));

async function migrateLocked(paths: Paths, io: Io, isBackedUp: boolean): Promise<string[]> {
  await makeFolder(paths);
  const lock = lockInstallation(paths);
  try {
    const store = openInstallation(paths);
    try {
      await refuseNewer(store);
      const announce = (file: string) => io.err(`backed up the database to ${file} before migrating it`);
      return await upgrade({ store, paths, runtime: io.runtime, isBackedUp, announce });
    } finally {
      await store.close();
    }
  } finally {
    lock.release();
  }
}

/** `assay migrate` */
export function register(program: Command, context: Context): void {
  program
    .command("migrate")
    .description("Migrate the database's schema while no server is running (`serve` does it too)")
    .option("--no-backup", "do not back up the database first")
    .option("--json", jsonHelp)
    .action(async (flags: { backup: boolean; json?: boolean }) => {
      const applied = await migrateInstallation(pathsOf(context.configure().settings), context.io, flags.backup);
      if (flags.json) printJson(context.io, { applied });
      else if (applied.length === 0) context.io.out("up to date");
      else for (const name of applied) context.io.out(`applied ${name}`);
    });
}
