import type { Chunk, CorpusChunk, CorpusDocument } from "../../src/knowledge/corpus/corpus.ts";

/** Sample terms in English. */
const document: CorpusDocument = {
  id: "d",
  family: "d",
  title: "Terms",
  carrier: null,
  market: "CZ",
  product_line: null,
  document_type: "terms",
  provenance: "carrier",
  language: "en",
  version: "1",
  valid_from: null,
  valid_to: null,
  url: null,
};

/** Returns a search result with a chunk of the sample document. */
export const foundChunk = (
  chunk: Pick<CorpusChunk, "id" | "text"> & Partial<CorpusChunk>,
  found: Partial<Omit<Chunk, "chunk">> = {},
): Chunk => ({
  chunk: { document_id: document.id, ordinal: 0, page: null, heading: "", start: 0, ...chunk },
  document,
  score: 0.5,
  ...found,
});
