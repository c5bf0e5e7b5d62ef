import { statSync } from "node:fs";
import { DatabaseError } from "./writer-messages.ts";

/** The files that a connection has open, as they were behind their names when it opened them. Plain data: threads share it. */
export type OpenFiles = readonly OpenFile[];

interface OpenFile {
  readonly name: string;
  readonly isLog: boolean;
  readonly identity: string;
}

/** A file that is open, and not the one behind its name any more. */
interface TakenFile extends OpenFile {
  /** Nothing is behind the name, or an empty file: nobody has written there. */
  readonly isUnused: boolean;
}

const missing = "missing";

/** Which file is behind a name. The system gives its number to no other file while the first is open. */
function identityOf(name: string): string {
  const found = statSync(name, { throwIfNoEntry: false });
  return found ? `${found.dev}:${found.ino}` : missing;
}

/** The database and its log, as they are right after they were opened. */
export const openFilesOf = (file: string): OpenFiles => [
  { name: file, isLog: false, identity: identityOf(file) },
  { name: `${file}-wal`, isLog: true, identity: identityOf(`${file}-wal`) },
];

/** The first that was deleted or replaced. Asked before and after each commit: two names that the system has in memory. */
export function takenAway(files: OpenFiles): TakenFile | undefined {
  for (const file of files) {
    const now = identityOf(file.name);
    if (now !== file.identity)
      return { ...file, isUnused: (statSync(file.name, { throwIfNoEntry: false })?.size ?? 0) === 0 };
  }
  return undefined;
}

/** SQLite's own code for a database whose files were taken from under it. */
const movedCode = "SQLITE_READONLY_DBMOVED";

/** Whether nothing is written any more because the files were taken away. What was written can still be read. */
export const isMoved = (error: Error): boolean => "code" in error && error.code === movedCode;

/** Why nothing is written any more. `isSaved`: all that was acknowledged has been carried over into the database file. */
export function movedError({ name }: TakenFile, isSaved: boolean): DatabaseError {
  const kept = isSaved ? "all that was acknowledged is in the database file" : "what it held may be lost";
  return new DatabaseError({ message: `${name} was deleted or replaced: ${kept}`, code: movedCode });
}
