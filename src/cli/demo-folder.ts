import { existsSync, readFileSync, rmSync } from "node:fs";
import { isLoopback, type Settings } from "../config/settings.ts";
import { syncFolder, writeDurably } from "../platform/files.ts";
import { databaseFiles, isEmptyFolder, type Paths } from "./installation.ts";
import { CommandError } from "./io.ts";

/** The data folder of a demo, which says of itself that it is one. */

/** Before the demo's world is complete, and from then on. */
const unfinished = "being made by `assay serve --demo`; made again by the next one\n";
const finished = "made by `assay serve --demo`; safe to delete with everything beside it\n";

/** Refuses a demo where others could reach it or where something else is, and a real start in a demo's folder. */
export function checkDemo(paths: Paths, settings: Settings, isDemo: boolean): void {
  const isDemoFolder = existsSync(paths.demo);
  if (!isDemo) {
    if (isDemoFolder)
      throw new CommandError(1, `${paths.folder} holds a demo`, "Start it with --demo, or name another --data.");
    return;
  }
  if (!isLoopback(settings.host))
    throw new CommandError(2, "the demo's passwords and keys are for trying out: it listens on a loopback host only");
  if (!isDemoFolder && !isEmptyFolder(paths))
    throw new CommandError(1, `${paths.folder} is not empty and not a demo's`, "Name an empty folder with --data.");
}

/** Marks the folder before anything else is in it. */
export async function markDemo(paths: Paths): Promise<void> {
  if (!existsSync(paths.demo)) await writeDurably(paths.demo, unfinished, { mode: 0o600 });
}

const isUnfinished = ({ demo }: Paths): boolean => readFileSync(demo, "utf8") === unfinished;

/**
 * Removes what a start left that ended before the world was complete, so that it is made from the beginning. `serve` calls
 * it with the folder's lock, before the database is opened.
 */
export async function discardUnfinishedDemo(paths: Paths): Promise<void> {
  if (!isUnfinished(paths)) return;
  const { demoFiles } = await import("../demo/index.ts");
  const { credentials, benchKeys } = demoFiles(paths.folder);
  const { masterKey, server, insuranceIndex, datasets } = paths;
  for (const path of [credentials, benchKeys, masterKey, server, insuranceIndex, datasets, ...databaseFiles(paths)])
    rmSync(path, { force: true, recursive: true });
  await syncFolder(paths.folder);
}

/** Says that the demo's world is complete. */
export async function finishDemo(paths: Paths): Promise<void> {
  if (isUnfinished(paths)) await writeDurably(paths.demo, finished, { mode: 0o600 });
}
