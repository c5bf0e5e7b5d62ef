import type { CorpusChunk } from "../corpus/corpus.ts";

/** Returns the text of a chunk that the encoder reads. */
export const passageText = ({ heading, text }: Pick<CorpusChunk, "heading" | "text">): string =>
  heading === "" ? text : `${heading}\n${text}`;

/** Returns the key of a text's embedding, so that it is computed once, however often the text is imported. */
export const textKey = (text: string): bigint => Bun.hash.wyhash(text);

/** Returns the key of a chunk's text from an index, which stores two numbers per key. */
export const textKeyAt = (textKeys: Uint32Array, chunk: number): bigint =>
  (BigInt(textKeys[2 * chunk] ?? 0) << 32n) | BigInt(textKeys[2 * chunk + 1] ?? 0);
