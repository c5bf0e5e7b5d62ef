import { accessSync, constants, readFileSync, type Stats, statSync } from "node:fs";
import { codeOf, reasonFor } from "../platform/system-errors.ts";
import { CommandError } from "./io.ts";

/** Advice for reading and for writing a file. */
interface Advice {
  readonly reading: string;
  readonly writing: string;
}

const noRight: Advice = {
  reading: "Give this user permission to read it, or name another file.",
  writing: "Give this user permission to write there, or name another file.",
};
const nameAnother: Advice = { reading: "Name another file.", writing: "Name another file." };

/** Errors caused by a wrong file name, by system error code. */
const wrongNames: Readonly<Record<string, Advice>> = {
  EACCES: noRight,
  EPERM: noRight,
  ENOENT: { reading: "Name an existing file.", writing: "Create its folder first, or name another file." },
  ENOTDIR: { reading: "Name an existing file.", writing: "Name a file in a folder." },
  EISDIR: { reading: "Name a file.", writing: "Name a file." },
  ELOOP: nameAnother,
  ENAMETOOLONG: nameAnother,
  EEXIST: nameAnother,
  EROFS: { reading: "Name another file.", writing: "Name a file elsewhere, or remount the file system read-write." },
};

type Use = "reading" | "writing";

/** Returns the error to throw: exit 2 if the given name is wrong, exit 1 if the disk is at fault. */
function unusable(error: unknown, what: string, use: Use, otherwise?: string): Error {
  if (!(error instanceof Error)) return new Error(String(error));
  const code = codeOf(error);
  const wrong = wrongNames[code ?? ""];
  if (code === undefined || error instanceof CommandError) return error;
  return new CommandError(wrong ? 2 : 1, `${what}: ${reasonFor(error)}`, wrong?.[use] ?? otherwise);
}

/** Returns what to throw for a given file that can't be read. Errors without a system code are returned unchanged. */
export const unreadable = (error: unknown, file: string): Error => unusable(error, `${file} can't be read`, "reading");

/** Returns what to throw for a given file that can't be written. `what` is the message, before its reason. */
export const unwritable = (error: unknown, what: string): Error =>
  unusable(error, what, "writing", "Free some space there, or name another file.");

/** Returns the stats of a given path that can be read. Throws what `unreadable` returns. */
export function statGiven(path: string): Stats {
  try {
    accessSync(path, constants.R_OK);
    return statSync(path);
  } catch (error) {
    throw unreadable(error, path);
  }
}

/** Returns the bytes of a given file. Throws what `unreadable` returns. */
export function readGiven(file: string): Uint8Array {
  try {
    return readFileSync(file);
  } catch (error) {
    throw unreadable(error, file);
  }
}
