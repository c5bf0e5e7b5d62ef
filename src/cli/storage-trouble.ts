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

/** The reason why a database or a folder can't be used, and what to do. Anything else as it is. */
function explained(error: unknown, { folder, database }: Paths): unknown {
  if (!(error instanceof Error) || !("code" in error) || typeof error.code === "number") return error;
  const code = String(error.code);
  const [, hint] = advice.find(([codes]) => codes.test(code)) ?? [];
  if (hint === undefined) return error;
  const where = code.startsWith("SQLITE_") ? database : folder;
  return new CommandError(1, `${where} can't be used: ${error.message}`, hint);
}

/** A command's work on an installation: what the disk or the database refuses ends it with the reason and what to do. */
export async function explainingStorage<T>(paths: Paths, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw explained(error, paths);
  }
}
