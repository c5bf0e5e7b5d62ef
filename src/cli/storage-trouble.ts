import { accessSync, constants, existsSync } from "node:fs";
import { dirname } from "node:path";
import { codeOf, reasonFor } from "../platform/system-errors.ts";
import type { Paths } from "./installation.ts";
import { CommandError } from "./io.ts";

/** Advice by the error codes of SQLite and the system. */
const advice: readonly (readonly [RegExp, string])[] = [
  [/^(SQLITE_FULL|ENOSPC|EDQUOT|EFBIG)/, "Free some disk space, then start again. Nothing was lost."],
  [
    /^(SQLITE_(NOTADB|CORRUPT))/,
    "Keep the file for analysis, and restore the last good backup into another folder: `assay restore FILE --data FOLDER`.",
  ],
  [/^(EEXIST|ENOTDIR)/, "Move away the file in the folder's place, or name another folder with --data."],
  [/^EROFS/, "Remount the file system read-write, or name another folder with --data."],
  [
    /^(SQLITE_(CANTOPEN|PERM|READONLY|AUTH)|EACCES|EPERM|EISDIR|ENOENT)/,
    "Give this user permission to read and write the folder and everything in it, or name another folder with --data.",
  ],
  [/^SQLITE_(BUSY|LOCKED)/, "Another program has locked the database. Stop it, then start again."],
  [/^(SQLITE_IOERR|EIO)/, "Check the disk and its free space. Then start again, and run `assay verify`."],
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
    : new CommandError(1, `${where} can't be used: ${reasonFor(error, code)}`, hint);
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
