import { accessSync, constants, existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { fail, type HealthCheck, ok } from "../../platform/health-check.ts";
import { databaseFiles, type Paths } from "../installation.ts";

/** A path and the permission bits that it needs. */
interface Needed {
  readonly path: string;
  readonly bits: number;
}

const { R_OK, W_OK, X_OK } = constants;

const isFolder = (path: string): boolean => statSync(path).isDirectory();

/** Returns whether this process has the permissions, which root always has. */
function isOpen({ path, bits }: Needed): boolean {
  try {
    accessSync(path, bits);
    return true;
  } catch {
    return false;
  }
}

/** Returns a folder's entries, which need read permission only; none for an unreadable folder, which is reported. */
function contentOf({ path, bits }: Needed): Needed[] {
  if (!isFolder(path) || !isOpen({ path, bits })) return [];
  return readdirSync(path).map((name) => ({ path: join(path, name), bits: R_OK }));
}

/** Returns everything that a server uses in its data folder. */
function usedOf(paths: Paths): Needed[] {
  const { folder, masterKey, lock, importLock, datasets, insuranceIndex, uploads, backups } = paths;
  const known = [folder, ...databaseFiles(paths), masterKey, lock, importLock, insuranceIndex];
  const needed = [...known, datasets, uploads, backups]
    .filter((path) => existsSync(path))
    .map((path) => ({ path, bits: R_OK | W_OK | (isFolder(path) ? X_OK : 0) }));
  const folders = [datasets, uploads, backups];
  return [...needed, ...needed.filter(({ path }) => folders.includes(path)).flatMap(contentOf)];
}

/** Returns whether a path is inaccessible to the data folder's owner, whom the server runs as. For checks by root. */
const isClosedTo =
  (owner: number) =>
  ({ path, bits }: Needed): boolean => {
    const there = statSync(path, { throwIfNoEntry: false });
    return there !== undefined && there.uid !== owner && (there.mode & bits) !== bits;
  };

/** Maximum number of paths named. */
const most = 5;
const named = (closed: readonly Needed[]): string =>
  closed
    .slice(0, most)
    .map(({ path }) => path)
    .join(", ") + (closed.length > most ? ` and ${closed.length - most} more` : "");

/**
 * Checks that the server can access its files: SQLite reads a write-protected database without complaint, and root, who
 * can access everything, may have created files that the server's user can't open.
 */
export function access(paths: Paths): HealthCheck {
  const about = "access";
  const used = usedOf(paths);
  const closed = used.filter((one) => !isOpen(one));
  if (closed.length > 0)
    return fail(
      about,
      `this user can't read and write ${named(closed)}`,
      "Run this as the server's user, or give that user permission to read and write them.",
    );
  const { folder } = paths;
  const owner = statSync(folder).uid;
  const foreign = process.geteuid?.() === 0 && owner !== 0 ? used.filter(isClosedTo(owner)) : [];
  if (foreign.length === 0) return ok(about, "all files can be read and written");
  return fail(
    about,
    `the owner of ${folder} can't read and write ${named(foreign)}`,
    `Make that user, whom the server runs as, their owner: \`chown -R --reference=${folder}/. ${folder}/\`.`,
  );
}
