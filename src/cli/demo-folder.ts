import { existsSync, readFileSync, rmSync } from "node:fs";
import { isLoopback, type Settings } from "../config/settings.ts";
import { syncFolder, writeDurably } from "../platform/files.ts";
import { databaseFiles, isEmptyFolder, type Paths } from "./installation.ts";
import { CommandError } from "./io.ts";

/** A demo's data folder, which has a marker file. */

/** Contents of the marker file before and after the demo data is complete. */
const unfinished = "being made by `assay serve --demo`; made again by the next one\n";
const finished = "made by `assay serve --demo`; safe to delete with everything beside it\n";

/** Throws if a demo would be reachable from outside or in another's folder, or a real server in a demo's folder. */
export function checkDemo(paths: Paths, settings: Settings, isDemo: boolean): void {
  const isDemoFolder = existsSync(paths.demo);
  if (!isDemo) {
    if (isDemoFolder)
      throw new CommandError(
        1,
        `${paths.folder} contains a demo`,
        "Start it with --demo, or name another folder with --data.",
      );
    return;
  }
  if (!isLoopback(settings.host))
    throw new CommandError(2, "a demo must listen on a loopback host, because its passwords and keys are not secret");
  if (!isDemoFolder && !isEmptyFolder(paths))
    throw new CommandError(
      1,
      `${paths.folder} is neither empty nor a demo's folder`,
      "Name an empty folder with --data.",
    );
}

/** Writes the marker file, before anything else is in the folder. */
export async function markDemo(paths: Paths): Promise<void> {
  if (!existsSync(paths.demo)) await writeDurably(paths.demo, unfinished, { mode: 0o600 });
}

const isUnfinished = ({ demo }: Paths): boolean => readFileSync(demo, "utf8") === unfinished;

/**
 * Removes the files of a start that ended before the demo data was complete, so that it is created from scratch.
 * `serve` calls it while it holds the folder's lock, before it opens the database.
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

/** Marks the demo data as complete. */
export async function finishDemo(paths: Paths): Promise<void> {
  if (isUnfinished(paths)) await writeDurably(paths.demo, finished, { mode: 0o600 });
}
