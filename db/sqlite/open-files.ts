import { statSync } from "node:fs";
import { DatabaseError } from "./writer-messages.ts";

/** The identities of a connection's files when it opened them. Plain data, so that threads can share it. */
export type OpenFiles = readonly OpenFile[];

interface OpenFile {
  readonly name: string;
  readonly isLog: boolean;
  readonly identity: string;
}

/** An open file that its name no longer refers to. */
interface TakenFile extends OpenFile {
  /** Whether the name refers to no file or to an empty one, so that no one has written there. */
  readonly isUnused: boolean;
}

const missing = "missing";

/** Identifies the file that a name refers to. Its inode number is not reused while the file is open. */
function identityOf(name: string): string {
  const found = statSync(name, { throwIfNoEntry: false });
  return found ? `${found.dev}:${found.ino}` : missing;
}

/** Returns the identities of the database and its WAL. Must be called right after they were opened. */
export const openFilesOf = (file: string): OpenFiles => [
  { name: file, isLog: false, identity: identityOf(file) },
  { name: `${file}-wal`, isLog: true, identity: identityOf(`${file}-wal`) },
];

/**
 * Returns the first file that was deleted or replaced. Called before and after each commit; it costs two `stat` calls.
 */
export function takenAway(files: OpenFiles): TakenFile | undefined {
  for (const file of files) {
    const now = identityOf(file.name);
    if (now !== file.identity)
      return { ...file, isUnused: (statSync(file.name, { throwIfNoEntry: false })?.size ?? 0) === 0 };
  }
  return undefined;
}

/** SQLite's own code for a database whose files were moved or deleted. */
const movedCode = "SQLITE_READONLY_DBMOVED";

/** Checks whether writing stopped because the files were deleted or replaced. Written data can still be read. */
export const isMoved = (error: Error): boolean => "code" in error && error.code === movedCode;

/**
 * Returns why nothing is written any more, and what to do. `isSaved`: everything acknowledged was copied into the
 * database file, so that a deleted WAL is not to be put back.
 */
export function movedError({ name }: TakenFile, isSaved: boolean): DatabaseError {
  const kept = isSaved
    ? "every acknowledged write is in the database file. Restart the server"
    : "acknowledged writes may be lost. Stop the server, and put the right file back";
  return new DatabaseError({ message: `${name} was deleted or replaced: ${kept}`, code: movedCode });
}
