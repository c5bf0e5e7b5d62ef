import { accessSync, constants, readFileSync, type Stats, statSync } from "node:fs";
import { CommandError } from "./io.ts";

/** What the system says of a file, in words, and what to do about one that was to be read, or to be written. */
interface Trouble {
  readonly words: string;
  readonly reading: string;
  readonly writing: string;
}

const noRight: Trouble = {
  words: "permission denied",
  reading: "Give this user the right to read it, or name another file.",
  writing: "Give this user the right to write there, or name another file.",
};

/** By the system's codes for a name that was given wrong. */
const wrongNames: Readonly<Record<string, Trouble>> = {
  EACCES: noRight,
  EPERM: noRight,
  ENOENT: {
    words: "no such file or directory",
    reading: "Name a file that is there.",
    writing: "Make its folder first, or name another file.",
  },
  ENOTDIR: {
    words: "a part of its path is a file",
    reading: "Name a file that is there.",
    writing: "Name a file in a folder.",
  },
  EISDIR: { words: "it is a folder", reading: "Name a file.", writing: "Name a file." },
  ELOOP: { words: "its links lead round in a circle", reading: "Name another file.", writing: "Name another file." },
  ENAMETOOLONG: { words: "its name is too long", reading: "Name another file.", writing: "Name another file." },
  EEXIST: { words: "something else is there", reading: "Name another file.", writing: "Name another file." },
  EROFS: {
    words: "the file system is read-only",
    reading: "Name another file.",
    writing: "Name a file elsewhere, or mount it so that it can be written.",
  },
};

/** The code that SQLite or the system gives an error; undefined for any other. */
export const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;

/** What is wrong with a file by such a code, as people say it; else what the error says itself. */
export function reasonFor(code: string | undefined, error: Error): string {
  const { words } = wrongNames[code ?? ""] ?? {};
  return words === undefined ? error.message : `${words} (${code})`;
}

type Use = "reading" | "writing";

/** Ends a command: exit 2 where the name that it was given is what is wrong, 1 where the disk is. */
function unusable(error: unknown, what: string, use: Use, otherwise?: string): Error {
  if (!(error instanceof Error)) return new Error(String(error));
  const code = codeOf(error);
  const wrong = wrongNames[code ?? ""];
  if (code === undefined || error instanceof CommandError) return error;
  return new CommandError(wrong ? 2 : 1, `${what}: ${reasonFor(code, error)}`, wrong?.[use] ?? otherwise);
}

/** For a file that a command was given to read and can't: what to throw. Of what is no error of the system's, itself. */
export const unreadable = (error: unknown, file: string): Error => unusable(error, `${file} can't be read`, "reading");

/** The same for a file that a command was given to write; `what` is the sentence that the reason ends. */
export const unwritable = (error: unknown, what: string): Error =>
  unusable(error, what, "writing", "Make room there, or name another file.");

/** What there is to read under a name that a command was given. Throws `CommandError` as `unreadable` has it. */
export function statGiven(path: string): Stats {
  try {
    accessSync(path, constants.R_OK);
    return statSync(path);
  } catch (error) {
    throw unreadable(error, path);
  }
}

/** The bytes of a file that a command was given. Throws `CommandError` as `unreadable` has it. */
export function readGiven(file: string): Uint8Array {
  try {
    return readFileSync(file);
  } catch (error) {
    throw unreadable(error, file);
  }
}
