import { existsSync, statSync } from "node:fs";
import { basename } from "node:path";
import { contentOf } from "../../db/sqlite/content.ts";
import type { Paths } from "./installation.ts";
import { CommandError } from "./io.ts";

/**
 * An installation that has lost its database does not start over next to its remaining files: the WAL may hold
 * acknowledged transactions, and a fresh database would hide the loss.
 */

const bytesOf = (path: string): number | undefined => {
  const there = statSync(path, { throwIfNoEntry: false });
  return there?.isFile() ? there.size : undefined;
};

/** Returns whether there is a database; an empty file is none. Throws the system's error for an unreadable folder. */
export const hasDatabase = ({ database }: Paths): boolean =>
  statSync(database, { throwIfNoEntry: false }) !== undefined && bytesOf(database) !== 0;

/** Returns the path of the database's WAL if it is not empty. */
export const logOf = ({ database }: Paths): string | undefined =>
  (bytesOf(`${database}-wal`) ?? 0) > 0 ? `${database}-wal` : undefined;

/** Returns the installation's other files. A first start creates none of them before the schema. */
function remainsOf(paths: Paths): string[] {
  const { masterKey, server, insuranceIndex, datasets, uploads, backups } = paths;
  const kept = [masterKey, server, insuranceIndex, datasets, uploads, backups].filter((path) => existsSync(path));
  const log = logOf(paths);
  return log === undefined ? kept : [log, ...kept];
}

/** Returns advice. The WAL's contents are lost unless its own database is put back. */
function wayBack(paths: Paths): string {
  if (existsSync(paths.demo)) return "It is a demo: delete the folder, and the next start creates everything again.";
  const away = existsSync(paths.database) ? [paths.database] : [];
  const log = logOf(paths);
  const first = log
    ? `Keep ${log}: it contains the latest writes. Put back the assay.db that it belongs to, then run \`assay verify\`. `
    : "Put assay.db back, then run `assay verify`. ";
  const moved = [...away, ...(log ? [log] : [])].join(" and ");
  const restored = `${moved === "" ? "restore" : `move ${moved} elsewhere and restore`} a backup`;
  return `${first}Or ${restored}: \`assay restore FILE --data ${paths.folder}\`. A new installation needs an empty folder.`;
}

/**
 * Throws exit 1 for another program's database, and for a missing or empty one if other files of an installation are
 * left. Accepts a folder in which no start, or only an interrupted first start, has taken place. Changes nothing.
 * Throws SQLite's errors.
 */
export function refuseLost(paths: Paths): void {
  const { database, folder } = paths;
  const isThere = hasDatabase(paths);
  // For example a folder in its place: opening it reports the error.
  if (isThere && bytesOf(database) === undefined) return;
  const content = isThere ? contentOf(database) : "nothing";
  if (content === "installation") return;
  if (content === "foreign")
    throw new CommandError(
      1,
      `${database} is another program's database`,
      "It was not changed. Name the right folder with --data, or put the installation's own database there.",
    );
  const remains = remainsOf(paths).map((path) => basename(path));
  if (remains.length === 0) return;
  const found = existsSync(database) ? `${database} is empty` : `there is no assay.db in ${folder}`;
  throw new CommandError(
    1,
    `${found}, but other files of an installation are there: ${remains.join(", ")}`,
    wayBack(paths),
  );
}
