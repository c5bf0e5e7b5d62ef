import type { Computation } from "../../contracts/computing.ts";
import type { RefusalCode } from "./blocks.ts";
import type { Chunk } from "./chunk.ts";
import type { Facts } from "./facts.ts";

/** A file, with the facts known about it. */
export interface DocumentFile {
  readonly file: string;
  readonly bytes: Uint8Array;
  readonly facts: Facts;
}

/** A document's text, as read from its file. */
export interface DocumentText {
  readonly title: string;
  readonly language: string;
  readonly family: string;
  readonly characters: number;
  /** Null if the format has no pages. */
  readonly pages: number | null;
  readonly notes: readonly string[];
  readonly sections: number;
  readonly chunks: readonly Chunk[];
}

/** The reason why a file can't be read. */
export interface Unreadable {
  readonly refused: { readonly code: RefusalCode; readonly message: string };
}

/**
 * Copies a file's bytes to memory shared with worker threads. A copy per thread blocks the event loop twice as long, 45
 * ms for an upload of 32 MiB. The thread makes its own copy for the extractors, since not all of them accept shared
 * memory.
 */
export function shareable(bytes: Uint8Array): Uint8Array {
  const shared = new Uint8Array(new SharedArrayBuffer(bytes.length));
  shared.set(bytes);
  return shared;
}

/** Size in bytes from which reading takes longer than a few dozen milliseconds. */
export const large = 100_000;

/** Reads a document, as a computation for the thread pool. */
export const documentReading: Computation<DocumentFile, DocumentText | Unreadable> = {
  name: "document-reading",
  budget: { ms: 120_000, memory_mib: 768 },
  isHeavy: ({ file, bytes }) => bytes.length > large || /\.(?:pdf|docx)$/i.test(file),
  async load() {
    const { readDocument } = await import("./read-document.ts");
    return (file, work) => readDocument({ ...file, bytes: file.bytes.slice() }, work);
  },
};

/** Returns the unparsed front matter of a large text; null if there is none. */
export const frontMatterReading: Computation<Uint8Array, string | null> = {
  name: "front-matter",
  budget: { ms: 30_000, memory_mib: 768 },
  isHeavy: () => true,
  async load() {
    const { frontMatterOf } = await import("./front-matter.ts");
    return (bytes) => frontMatterOf(bytes.slice());
  },
};
