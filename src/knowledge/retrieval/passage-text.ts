import type { CorpusChunk } from "../corpus/corpus.ts";

/** What the model of meaning reads of a chunk. */
export const passageText = ({ heading, text }: Pick<CorpusChunk, "heading" | "text">): string =>
  heading === "" ? text : `${heading}\n${text}`;

/** A text's name among those that were read: the same text has the same vector, however often it is imported. */
export const textKey = (text: string): bigint => Bun.hash.wyhash(text);

/** The key of a chunk's text as the index holds it: two numbers for each. */
export const textKeyAt = (textKeys: Uint32Array, chunk: number): bigint =>
  (BigInt(textKeys[2 * chunk] ?? 0) << 32n) | BigInt(textKeys[2 * chunk + 1] ?? 0);
