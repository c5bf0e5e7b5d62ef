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
 * How the product writes files: each is whole or not there, also after a power cut. Only what a database holds is written
 * elsewhere, by SQLite.
 */

/** Loaded with the first file that is written: a start writes none until it serves. */
const files = once(() => process.getBuiltinModule("node:fs/promises"));

/** What a file is to hold. */
export type Content = string | Uint8Array | Iterable<Uint8Array> | AsyncIterable<Uint8Array>;

export interface WriteOptions {
  /** Permissions from the first byte on; the process's umask takes some away. */
  readonly mode: number;
  /** False: fails with `EEXIST` where the name is taken. */
  readonly replace?: boolean;
}

/** Throws the system's error again, unless it has one of these codes. */
function expect(codes: readonly string[], error: unknown): undefined {
  if (!(error instanceof Error && "code" in error && codes.includes(String(error.code)))) throw error;
}

/** The value, or nothing where the system answers with one of these codes. */
async function unless<T>(codes: readonly string[], work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    return expect(codes, error);
  }
}

/** The same of what is done at once. */
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
 * Gives what root has just made in a folder of somebody else's to that one, as SQLite does with the files beside a
 * database: a server that runs as the folder's owner could not use it otherwise. By what is open and not by its name,
 * behind which the folder's owner may put something else.
 */
function giveToFolder(descriptor: number, folder: string): void {
  if (process.geteuid?.() !== 0) return;
  const { uid, gid } = statSync(folder);
  if (uid !== 0) fchownSync(descriptor, uid, gid);
}

/** Systems without a sync of folders refuse to open them, or to sync them, with these. */
const noFolderSync = ["EACCES", "EBADF", "EINVAL", "EISDIR", "ENOTSUP", "EPERM"];

/** Resolves when the names in a folder are on disk: those of files that were made, renamed or removed. */
export async function syncFolder(folder: string): Promise<void> {
  await unless(
    noFolderSync,
    withFile(files().open(folder, "r"), (opened) => opened.sync()),
  );
}

/** The folder itself, and nothing that a link in its place leads to. */
const folderItself = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;

/** Makes a folder and those above it that are missing. One that is there keeps its permissions. */
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

/** Whether a name is that of a file whose writing a power cut ended. */
export const isDraft = (name: string): boolean => unfinished.test(name);

async function fill(file: FileHandle, content: Content): Promise<void> {
  const parts =
    typeof content === "string" ? [Buffer.from(content)] : content instanceof Uint8Array ? [content] : content;
  // One call may write less than it was given.
  for await (const part of parts)
    for (let at = 0; at < part.length; ) at += (await file.write(part, at, part.length - at)).bytesWritten;
}

/** The last step: the name, then its folder. */
async function putInPlace(draft: string, path: string, replace: boolean): Promise<void> {
  if (replace) await files().rename(draft, path);
  else {
    // A link, unlike a rename, fails when the name is there.
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

/** What a path leads to, past links, and what is there. */
async function targetOf(path: string) {
  const target = (await unless(["ENOENT", "ENOTDIR"], files().realpath(path))) ?? path;
  return { target, there: await unless(["ENOENT", "ENOTDIR"], files().stat(target)) };
}

/** Rejects with the system's error where `writeDurably` could make no file of that name now. Nothing stays. */
export async function tryWriting(path: string): Promise<void> {
  const { target, there } = await targetOf(path);
  if (there?.isDirectory()) return withFile(files().open(target, "w"), async () => {});
  // To open a pipe would wait for its reader.
  if (there && !there.isFile()) return;
  const draft = `${target}.${newId()}.new`;
  await withFile(files().open(draft, "wx", 0o600), () => files().rm(draft));
}

/**
 * Writes a file beside its name, and puts it there at once when it is on disk: a reader sees the old one or the new one
 * whole, and what depends on it may be written next. A link stays a link; a pipe or a device is written to as it is.
 * Rejects with the system's error, and leaves what was there.
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

/** Removes a file, where it is there. */
export const remove = (path: string): Promise<void> => files().rm(path, { force: true });

/** Permissions of a file that is about to be written again; `fresh` where there is none yet. */
export async function modeOf(path: string, fresh: number): Promise<number> {
  const there = await unless(["ENOENT", "ENOTDIR"], files().stat(path));
  return there ? there.mode & 0o777 : fresh;
}

/** Copies a file's content as `writeDurably` writes one. */
export const copyDurably = (from: string, to: string, options: WriteOptions): Promise<void> =>
  writeDurably(to, createReadStream(from), options);

/** Takes a file from all but its owner. Nothing where there is none, and where it is somebody else's. */
export function keepPrivate(path: string): void {
  const there = statSync(path, { throwIfNoEntry: false });
  if (there && (there.mode & 0o077) !== 0)
    unlessNow(["ENOENT", "ENOTSUP", "EPERM"], () => chmodSync(path, there.mode & 0o700));
}

/** Opens a file, does something with it, and closes it. */
function withFileNow(path: string, flags: string | number, work: (file: number) => void): void {
  const file = openSync(path, flags, 0o600);
  try {
    work(file);
  } finally {
    closeSync(file);
  }
}

/**
 * Makes sure that there is a file of its owner's alone, empty at first, before another program fills it: SQLite gives the
 * files beside a database the permissions of the database. One that is there is not opened: closing it would end the locks
 * that this process holds on it. `isGiven: false`: it stays with whoever makes it, in a folder of somebody else's too.
 */
export function own(path: string, { isGiven = true } = {}): void {
  const made = (file: number) => {
    if (isGiven) giveToFolder(file, dirname(path));
  };
  if (!existsSync(path)) unlessNow(["EEXIST"], () => withFileNow(path, "wx", made));
  keepPrivate(path);
}

/** The same, with its name on disk. Waits for the disk itself: a start has nothing else to do meanwhile. */
export function ownDurably(path: string): void {
  own(path);
  unlessNow(noFolderSync, () => withFileNow(dirname(path), "r", fsyncSync));
}
