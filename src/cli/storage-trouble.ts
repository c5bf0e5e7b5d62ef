import { accessSync, constants, existsSync } from "node:fs";
import { dirname } from "node:path";
import { codeOf, reasonFor } from "./file-trouble.ts";
import type { Paths } from "./installation.ts";
import { CommandError } from "./io.ts";

/** Advice by the error codes of SQLite and the system. */
const advice: readonly (readonly [RegExp, string])[] = [
  [/^(SQLITE_FULL|ENOSPC|EDQUOT|EFBIG)/, "Make room on the disk, then start again: nothing was lost."],
  [
    /^(SQLITE_(NOTADB|CORRUPT))/,
    "Keep the file for a look at it, and restore the last good backup into another folder: `assay restore FILE --data FOLDER`.",
  ],
  [/^(EEXIST|ENOTDIR)/, "Move away what is in the place of the folder, or name another --data."],
  [/^EROFS/, "Mount the file system so that it can be written, or name another --data."],
  [
    /^(SQLITE_(CANTOPEN|PERM|READONLY|AUTH)|EACCES|EPERM|EISDIR|ENOENT)/,
    "Give the user that runs this the right to read and write the folder and all that is in it, or name another --data.",
  ],
  [/^SQLITE_(BUSY|LOCKED)/, "Another program holds the database. End it, then start again."],
  [/^(SQLITE_IOERR|EIO)/, "Check the disk and the room on it. Then start again, and run `assay verify`."],
];

/** Returns the error code for writing a file and, as SQLite must, to its folder; `undefined` if both can be written. */
function closedBy(file: string): string | undefined {
  try {
    for (const path of [file, dirname(file)]) if (existsSync(path)) accessSync(path, constants.W_OK);
    return undefined;
  } catch (error) {
    return codeOf(error);
  }
}

/** Returns the most telling code: SQLite does not say why it can't open a file that the system protects. */
function causeOf(error: unknown, where: string): string | undefined {
  const code = codeOf(error);
  return code && /^SQLITE_(CANTOPEN|READONLY)/.test(code) ? (closedBy(where) ?? code) : code;
}

/** Explains why a file or folder can't be used; `undefined` if neither the disk nor the database is at fault. */
export function storageTrouble(error: unknown, where: string): CommandError | undefined {
  const code = causeOf(error, where);
  if (code === undefined || !(error instanceof Error)) return undefined;
  const [, hint] = advice.find(([codes]) => codes.test(code)) ?? [];
  return hint === undefined
    ? undefined
    : new CommandError(1, `${where} can't be used: ${reasonFor(code, error)}`, hint);
}

/** Like `storageTrouble`, for an installation: SQLite's errors concern the database, others the folder. */
export const installationTrouble = (error: unknown, { folder, database }: Paths): CommandError | undefined =>
  storageTrouble(error, codeOf(error)?.startsWith("SQLITE_") ? database : folder);

/** Runs a command's work on an installation and explains errors of the disk and the database. */
export async function explainingStorage<T>(paths: Paths, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw installationTrouble(error, paths) ?? error;
  }
}
