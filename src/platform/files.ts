import {
  chmodSync,
  closeSync,
  constants,
  createReadStream,
  existsSync,
  fchownSync,
  fsyncSync,
  openSync,
  statSync,
} from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { newId } from "./ids.ts";
import { once } from "./once.ts";

/**
 * Durable file writes: after a power cut, a file is either complete or absent. Only databases are written another way,
 * by SQLite.
 */

/** Loaded on first use: no file is written before the server is up. */
const files = once(() => process.getBuiltinModule("node:fs/promises"));

/** Content to write to a file. */
export type Content = string | Uint8Array | Iterable<Uint8Array> | AsyncIterable<Uint8Array>;

export interface WriteOptions {
  /** Permissions from creation on, subject to the process's umask. */
  readonly mode: number;
  /** When false, the write fails with `EEXIST` if the name is taken. */
  readonly replace?: boolean;
}

/** Rethrows the error, unless it is a system error with one of these codes. */
function expect(codes: readonly string[], error: unknown): undefined {
  if (!(error instanceof Error && "code" in error && codes.includes(String(error.code)))) throw error;
}

/** Resolves to the work's value, or to undefined if it fails with one of these codes. */
async function unless<T>(codes: readonly string[], work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    return expect(codes, error);
  }
}

/** The synchronous form of `unless`. */
function unlessNow<T>(codes: readonly string[], work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    return expect(codes, error);
  }
}

async function withFile<T>(opened: Promise<FileHandle>, work: (file: FileHandle) => Promise<T>): Promise<T> {
  const file = await opened;
  try {
    return await work(file);
  } finally {
    await file.close();
  }
}

/**
 * When root creates a file in a folder owned by another user, gives it to that user, as SQLite does with the files it
 * keeps next to a database. Otherwise a server running as that user could not use it. Works on the open descriptor
 * rather than the name, which the folder's owner could point at another file.
 */
function giveToFolder(descriptor: number, folder: string): void {
  if (process.geteuid?.() !== 0) return;
  const { uid, gid } = statSync(folder);
  if (uid !== 0) fchownSync(descriptor, uid, gid);
}

/** Error codes of systems that cannot open or sync a folder. */
const noFolderSync = ["EACCES", "EBADF", "EINVAL", "EISDIR", "ENOTSUP", "EPERM"];

/** Resolves once the folder's entries (files created, renamed or removed) are on disk. */
export async function syncFolder(folder: string): Promise<void> {
  await unless(
    noFolderSync,
    withFile(files().open(folder, "r"), (opened) => opened.sync()),
  );
}

/** Opens the folder itself, and fails if its name is a symbolic link. */
const folderItself = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;

/** Creates a folder and its missing parents durably. An existing folder keeps its permissions. */
export async function makeFolderDurably(folder: string, mode: number): Promise<void> {
  const made = await files().mkdir(folder, { recursive: true, mode });
  if (made === undefined) return;
  const above = dirname(resolve(made));
  const fresh: string[] = [];
  for (let at = resolve(folder); at !== above; at = dirname(at)) fresh.unshift(at);
  if (process.geteuid?.() === 0)
    for (const at of fresh) withFileNow(at, folderItself, (opened) => giveToFolder(opened, dirname(at)));
  for (const at of [...fresh.reverse(), above]) await syncFolder(at);
}

const unfinished = /\.[0-9a-f-]{36}\.new$/;

/** Returns whether a name is that of a draft left by an interrupted write. */
export const isDraft = (name: string): boolean => unfinished.test(name);

async function fill(file: FileHandle, content: Content): Promise<void> {
  const parts =
    typeof content === "string" ? [Buffer.from(content)] : content instanceof Uint8Array ? [content] : content;
  // One call may write fewer bytes than it was given.
  for await (const part of parts)
    for (let at = 0; at < part.length; ) at += (await file.write(part, at, part.length - at)).bytesWritten;
}

/** The last step: gives the draft its final name and syncs the folder. */
async function putInPlace(draft: string, path: string, replace: boolean): Promise<void> {
  if (replace) await files().rename(draft, path);
  else {
    // Unlike a rename, a link fails when the name exists.
    await files().link(draft, path);
    await files().rm(draft);
  }
  await syncFolder(dirname(path));
}

/** Gives a file its final name, in the same folder, once its content is on disk. Throws as `writeDurably` does. */
export async function publishDurably(draft: string, path: string, { replace = true } = {}): Promise<void> {
  await withFile(files().open(draft, "r+"), (file) => file.sync());
  await putInPlace(draft, path, replace);
}

/** Resolves a path's symbolic links, and returns the target's stat if it exists. */
async function targetOf(path: string) {
  const target = (await unless(["ENOENT", "ENOTDIR"], files().realpath(path))) ?? path;
  return { target, there: await unless(["ENOENT", "ENOTDIR"], files().stat(target)) };
}

/**
 * Rejects with the system's error if `writeDurably` could not create a file of that name now. Leaves nothing behind.
 */
export async function tryWriting(path: string): Promise<void> {
  const { target, there } = await targetOf(path);
  if (there?.isDirectory()) return withFile(files().open(target, "w"), async () => {});
  // Opening a pipe would wait for its reader.
  if (there && !there.isFile()) return;
  const draft = `${target}.${newId()}.new`;
  await withFile(files().open(draft, "wx", 0o600), () => files().rm(draft));
}

/**
 * Writes a file under a temporary name next to its target, and renames it once it is on disk: readers see the old or
 * the new file, always complete, and anything that depends on it may be written next. Symbolic links are followed;
 * pipes and devices are written to directly. On failure, rejects with the system's error and leaves the old file in
 * place.
 */
export async function writeDurably(path: string, content: Content, options: WriteOptions): Promise<void> {
  const { target, there } = await targetOf(path);
  if (there && !there.isFile()) return withFile(files().open(target, "w"), (file) => fill(file, content));
  const draft = `${target}.${newId()}.new`;
  try {
    await withFile(files().open(draft, "wx", options.mode), async (file) => {
      giveToFolder(file.fd, dirname(target));
      await fill(file, content);
      await file.sync();
    });
    await putInPlace(draft, target, options.replace ?? true);
  } catch (error) {
    await files().rm(draft, { force: true });
    throw error;
  }
}

/** Removes a file if it exists. */
export const remove = (path: string): Promise<void> => files().rm(path, { force: true });

/** Returns the permissions of an existing file that is about to be rewritten, or `fresh` if there is none. */
export async function modeOf(path: string, fresh: number): Promise<number> {
  const there = await unless(["ENOENT", "ENOTDIR"], files().stat(path));
  return there ? there.mode & 0o777 : fresh;
}

/** Copies a file's content, written as `writeDurably` does. */
export const copyDurably = (from: string, to: string, options: WriteOptions): Promise<void> =>
  writeDurably(to, createReadStream(from), options);

/**
 * Removes the permissions of everyone but the owner. Does nothing if the file is missing or belongs to another user.
 */
export function keepPrivate(path: string): void {
  const there = statSync(path, { throwIfNoEntry: false });
  if (there && (there.mode & 0o077) !== 0)
    unlessNow(["ENOENT", "ENOTSUP", "EPERM"], () => chmodSync(path, there.mode & 0o700));
}

/** Opens a file, runs `work` on it, and closes it. */
function withFileNow(path: string, flags: string | number, work: (file: number) => void): void {
  const file = openSync(path, flags, 0o600);
  try {
    work(file);
  } finally {
    closeSync(file);
  }
}

/**
 * Ensures that a file exists and only its owner can access it, before another program fills it: SQLite gives the files
 * next to a database the database's permissions. An existing file is not opened, because closing it would release the
 * locks that this process holds on it. With `isGiven: false`, the file stays with the user that creates it, even in
 * another user's folder.
 */
export function own(path: string, { isGiven = true } = {}): void {
  const made = (file: number) => {
    if (isGiven) giveToFolder(file, dirname(path));
  };
  if (!existsSync(path)) unlessNow(["EEXIST"], () => withFileNow(path, "wx", made));
  keepPrivate(path);
}

/**
 * Like `own`, and syncs the folder so that the name is on disk. Synchronous, because startup has nothing else to do.
 */
export function ownDurably(path: string): void {
  own(path);
  unlessNow(noFolderSync, () => withFileNow(dirname(path), "r", fsyncSync));
}
