import type { Computation } from "../../contracts/computing.ts";
import type { RefusalCode } from "./blocks.ts";
import type { Chunk } from "./chunk.ts";
import type { Facts } from "./facts.ts";

/** A file, and what is known of it otherwise. */
export interface DocumentFile {
  readonly file: string;
  readonly bytes: Uint8Array;
  readonly facts: Facts;
}

/** What is in a file. */
export interface DocumentText {
  readonly title: string;
  readonly language: string;
  readonly family: string;
  readonly characters: number;
  /** Null: the format has none. */
  readonly pages: number | null;
  readonly notes: readonly string[];
  readonly sections: number;
  readonly chunks: readonly Chunk[];
}

/** Why a file can't be read. */
export interface Unreadable {
  readonly refused: { readonly code: RefusalCode; readonly message: string };
}

/**
 * A file's bytes for threads, which share them: a copy for each costs the event loop twice as long, 45 ms for an upload of 32 MiB. Readers
 * get a copy that the thread makes, since not every one takes memory that is shared.
 */
export function shareable(bytes: Uint8Array): Uint8Array {
  const shared = new Uint8Array(new SharedArrayBuffer(bytes.length));
  shared.set(bytes);
  return shared;
}

/** Bytes from which reading takes longer than a few dozen milliseconds. */
export const large = 100_000;

/** Reading a document, as a computation for the pool of threads. */
export const documentReading: Computation<DocumentFile, DocumentText | Unreadable> = {
  name: "document-reading",
  budget: { ms: 120_000, memory_mib: 768 },
  isHeavy: ({ file, bytes }) => bytes.length > large || /\.(?:pdf|docx)$/i.test(file),
  async load() {
    const { readDocument } = await import("./read-document.ts");
    return (file, work) => readDocument({ ...file, bytes: file.bytes.slice() }, work);
  },
};

/** The facts at the top of a large text, undecoded; null: there are none. */
export const frontMatterReading: Computation<Uint8Array, string | null> = {
  name: "front-matter",
  budget: { ms: 30_000, memory_mib: 768 },
  isHeavy: () => true,
  async load() {
    const { frontMatterOf } = await import("./front-matter.ts");
    return (bytes) => frontMatterOf(bytes.slice());
  },
};
