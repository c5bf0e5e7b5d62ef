import { existsSync } from "node:fs";
import { open, rename, rm, stat } from "node:fs/promises";
import { IndexFileError } from "./layout.ts";
import { decodeSearchIndex, encodeSearchIndex, type SearchIndex } from "./search-index.ts";

/** Reads an index file; undefined when there is none. Throws `IndexFileError` when it can't be used. */
export async function readIndexFile(file: string): Promise<SearchIndex | undefined> {
  if (!existsSync(file)) return undefined;
  const bytes = new Uint8Array(await Bun.file(file).arrayBuffer());
  try {
    return decodeSearchIndex(bytes);
  } catch (error) {
    if (error instanceof IndexFileError) throw error;
    throw new IndexFileError(`it can't be read: ${error instanceof Error ? error.message : "unknown"}`);
  }
}

/** Writes an index beside the file and puts it in its place at once: a reader sees the old one or the new one whole. */
export async function writeIndexFile(file: string, index: SearchIndex): Promise<void> {
  const draft = `${file}.${process.pid}.tmp`;
  const handle = await open(draft, "w", 0o600);
  try {
    for (const part of encodeSearchIndex(index)) if (part.length > 0) await handle.write(part);
    await handle.sync();
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  } finally {
    await handle.close();
  }
  await rename(draft, file);
}

/** Bytes of the file; null when there is none. */
export const indexFileSize = async (file: string): Promise<number | null> =>
  existsSync(file) ? (await stat(file)).size : null;
