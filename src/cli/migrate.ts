import type { Command } from "commander";
import { migrate } from "../../db/sqlite/migrate.ts";
import { type Context, jsonHelp, printJson } from "./context.ts";
import { lockInstallation, makeFolder, openInstallation, type Paths, pathsOf, refuseNewer } from "./installation.ts";
import { explainingStorage } from "./storage-trouble.ts";

/** Brings an installation's schema up to date, making the database when there is none, and tells what was applied. */
export const migrateInstallation = (paths: Paths): Promise<string[]> =>
  explainingStorage(paths, () => migrateLocked(paths));

async function migrateLocked(paths: Paths): Promise<string[]> {
  await makeFolder(paths);
  const lock = await lockInstallation(paths);
  try {
    const store = await openInstallation(paths);
    try {
      await refuseNewer(store);
      return await migrate(store);
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
    .description("bring the database's schema up to date, while no server runs (`serve` does it too)")
    .option("--json", jsonHelp)
    .action(async (flags: { json?: boolean }) => {
      const applied = await migrateInstallation(pathsOf(context.configure().settings));
      if (flags.json) printJson(context.io, { applied });
      else if (applied.length === 0) context.io.out("up to date");
      else for (const name of applied) context.io.out(`applied ${name}`);
    });
}
