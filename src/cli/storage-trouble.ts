import type { Paths } from "./installation.ts";
import { CommandError } from "./io.ts";

/** What to do about each kind of trouble, by the code that SQLite or the system gives it. */
const advice: readonly (readonly [RegExp, string])[] = [
  [/^(SQLITE_FULL|ENOSPC|EDQUOT|EFBIG)/, "Make room on the disk, then start again: nothing was lost."],
  [
    /^(SQLITE_(NOTADB|CORRUPT))/,
    "Keep the file for a look at it, and restore the last good backup into another folder: `assay restore FILE --data FOLDER`.",
  ],
  [
    /^(SQLITE_(CANTOPEN|PERM|READONLY|AUTH)|EACCES|EPERM|EROFS|EEXIST|EISDIR|ENOTDIR|ENOENT)/,
    "Give the user that runs this the right to read and write the folder and all that is in it, or name another --data.",
  ],
  [/^SQLITE_(BUSY|LOCKED)/, "Another program holds the database. End it, then start again."],
  [/^(SQLITE_IOERR|EIO)/, "Check the disk and the room on it. Then start again, and run `assay verify`."],
];

/** The code that SQLite or the system gives an error; undefined for any other. */
const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;

/** Why a file or a folder can't be used, and what to do; undefined where neither the disk nor the database is to blame. */
export function storageTrouble(error: unknown, where: string): CommandError | undefined {
  const code = codeOf(error);
  if (code === undefined || !(error instanceof Error)) return undefined;
  const [, hint] = advice.find(([codes]) => codes.test(code)) ?? [];
  return hint === undefined ? undefined : new CommandError(1, `${where} can't be used: ${error.message}`, hint);
}

/** The same of an installation: SQLite's errors are the database's, others the folder's. */
export const installationTrouble = (error: unknown, { folder, database }: Paths): CommandError | undefined =>
  storageTrouble(error, codeOf(error)?.startsWith("SQLITE_") ? database : folder);

/** A command's work on an installation: what the disk or the database refuses ends it with the reason and what to do. */
export async function explainingStorage<T>(paths: Paths, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw installationTrouble(error, paths) ?? error;
  }
}
