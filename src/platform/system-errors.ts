/** Words for errors of files, by system error code. The runtime's own messages repeat the call and the path. */
const words: Readonly<Record<string, string>> = {
  EACCES: "permission denied",
  EPERM: "permission denied",
  ENOENT: "no such file or directory",
  ENOTDIR: "a part of its path is a file",
  EISDIR: "it is a folder",
  ELOOP: "its links form a loop",
  ENAMETOOLONG: "its name is too long",
  EEXIST: "something else already exists there",
  EROFS: "the file system is read-only",
};

/** Returns the error code of SQLite or the system; `undefined` if the error has none. */
export const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;

/** Returns the words for an error: those for `code`, or the error's own message if there are none. */
export function reasonFor(error: unknown, code = codeOf(error)): string {
  const known = code === undefined ? undefined : words[code];
  if (known !== undefined) return `${known} (${code})`;
  return error instanceof Error ? error.message : String(error);
}
