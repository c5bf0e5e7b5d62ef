import { existsSync } from "node:fs";
import { stat } from "node:fs/promises";
import { writeDurably } from "../../platform/files.ts";
import { IndexFileError } from "./layout.ts";
import { decodeSearchIndex, encodeSearchIndex, type SearchIndex } from "./search-index.ts";

/** Reads an index file; undefined if it does not exist. Throws `IndexFileError` if it can't be used. */
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

/** Replaces the index file atomically: a reader sees either the old or the new index. */
export const writeIndexFile = (file: string, index: SearchIndex): Promise<void> =>
  writeDurably(file, encodeSearchIndex(index), { mode: 0o600 });

/** Returns the file's size in bytes; null if it does not exist. */
export const indexFileSize = async (file: string): Promise<number | null> =>
  existsSync(file) ? (await stat(file)).size : null;
