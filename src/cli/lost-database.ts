import { existsSync, statSync } from "node:fs";
import { basename } from "node:path";
import { contentOf } from "../../db/sqlite/content.ts";
import type { Paths } from "./installation.ts";
import { CommandError } from "./io.ts";

/**
 * An installation whose database is gone is not begun again beside what is left of it: the log may hold what was
 * acknowledged, and whoever can read none of it any more would be told that all is well.
 */

const bytesOf = (path: string): number | undefined => {
  const there = statSync(path, { throwIfNoEntry: false });
  return there?.isFile() ? there.size : undefined;
};

/** Whether there is a database, which an empty file is not. Throws the system's error where the folder can't be looked into. */
export const hasDatabase = ({ database }: Paths): boolean =>
  statSync(database, { throwIfNoEntry: false }) !== undefined && bytesOf(database) !== 0;

/** The log beside the database, where it holds something. */
export const logOf = ({ database }: Paths): string | undefined =>
  (bytesOf(`${database}-wal`) ?? 0) > 0 ? `${database}-wal` : undefined;

/** What an installation keeps besides its database. A first start makes none of it before the schema is there. */
function remainsOf(paths: Paths): string[] {
  const { masterKey, server, insuranceIndex, datasets, uploads, backups } = paths;
  const kept = [masterKey, server, insuranceIndex, datasets, uploads, backups].filter((path) => existsSync(path));
  const log = logOf(paths);
  return log === undefined ? kept : [log, ...kept];
}

/** What to do about it: what is in the log is lost unless its own database comes back. */
function wayBack(paths: Paths): string {
  if (existsSync(paths.demo)) return "It is a demo's: delete the folder, and the next start makes all of it again.";
  const away = existsSync(paths.database) ? [paths.database] : [];
  const log = logOf(paths);
  const first = log
    ? `Keep ${log}: it holds what was written last. Put back the assay.db that it belongs to, then run \`assay verify\`. `
    : "Put assay.db back, then run `assay verify`. ";
  const moved = [...away, ...(log ? [log] : [])].join(" and ");
  const restored = `${moved === "" ? "restore" : `move ${moved} elsewhere and restore`} a backup`;
  return `${first}Or ${restored}: \`assay restore FILE --data ${paths.folder}\`. A new installation begins in an empty folder.`;
}

/**
 * Refuses to open a database that is another program's, and one that is missing or empty beside what an installation has
 * left (exit 1). A folder in which nothing was ever begun, or a first start was cut off, is let through. Nothing is
 * changed. Throws what SQLite throws.
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
      "It was left as it is. Name the right --data, or put the installation's own database there.",
    );
  const remains = remainsOf(paths).map((path) => basename(path));
  if (remains.length === 0) return;
  const found = existsSync(database) ? `${database} is empty` : `there is no assay.db in ${folder}`;
  throw new CommandError(1, `${found}, but what an installation has left: ${remains.join(", ")}`, wayBack(paths));
}
