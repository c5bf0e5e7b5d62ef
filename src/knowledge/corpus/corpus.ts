/**
 * The insurance corpus as engines and routes use it. Documents and chunks are database rows (`db/queries/documents.ts`,
 * `db/queries/chunks.ts`); searches use an index file derived from them (`retrieval/`). `createCorpus` in
 * `retrieval/service.ts` creates it.
 */

/** The class of a carrier's document, one of the specification's three. */
export const documentTypes = ["terms", "ipid", "methodology"] as const;
export type DocumentType = (typeof documentTypes)[number];

/**
 * A document's origin: published by the carrier, supplied under a distribution relationship, a sample of a fictitious
 * carrier, or a note on the law. The last two never count as a real carrier's documents.
 */
export const provenances = ["carrier", "distribution", "sample", "legal_note"] as const;
export type Provenance = (typeof provenances)[number];

/** A live document: imported, chunked and searchable. */
export interface CorpusDocument {
  readonly id: string;
  /** Shared by all versions of a document. Of the valid versions, only the newest is searched. */
  readonly family: string;
  readonly title: string;
  /** Null if it is no carrier's, such as a law or an association's model wording. */
  readonly carrier: string | null;
  /** ISO 3166-1 alpha-2 in upper case, or `EU` if it applies in every member state. */
  readonly market: string;
  /** A key such as `motor_liability`; null: all product lines. */
  readonly product_line: string | null;
  /** Null for a legal note. */
  readonly document_type: DocumentType | null;
  readonly provenance: Provenance;
  /** ISO 639-1. */
  readonly language: string;
  /** As the publisher writes it, such as `05/2018` or `2.1`. */
  readonly version: string;
  /** First day of validity, `YYYY-MM-DD`; null: no start. */
  readonly valid_from: string | null;
  /** Last day of validity, `YYYY-MM-DD`; null: no end. */
  readonly valid_to: string | null;
  readonly url: string | null;
}

/** A chunk of a document: a clause or, if that is long, a part of it. */
export interface CorpusChunk {
  /** The row's id. A document that is imported again gets new ones. */
  readonly id: number;
  readonly document_id: string;
  /** Index among the document's chunks, from 0. */
  readonly ordinal: number;
  /** From 1; null if the format has no pages. */
  readonly page: number | null;
  /** The headings above it, joined by ` > `; empty if there are none. */
  readonly heading: string;
  readonly text: string;
  /** Offset of the text in the document's extracted text, in UTF-16 code units. */
  readonly start: number;
}

export interface PassageQuery {
  readonly question: string;
  /** ISO 639-1 code of the question's language; detected if absent. Documents in it rank first; others are included. */
  readonly language?: string | undefined;
  /** ISO 3166-1 alpha-2, in any case: restricts to this market's documents and the EU's. */
  readonly country?: string | undefined;
  /** Restricts to documents of this line or of all lines. Case, accents and punctuation are ignored. */
  readonly product_line?: string | undefined;
  /** Restricts to documents of this carrier or of none (the law). */
  readonly carrier?: string | undefined;
  /** The date on which the documents must be valid. Of several valid versions, the newest is used. */
  readonly at: Date;
  /** Maximum number of chunks, 1 to 100. */
  readonly limit: number;
  /** Aborts the wait for passages that have no embedding yet. */
  readonly signal?: AbortSignal | undefined;
}

/** A query for texts in documents that are later than others. */
export interface LaterQuery {
  readonly than: readonly CorpusDocument[];
  readonly at: Date;
  readonly wanted: (text: string) => boolean;
  readonly signal?: AbortSignal | undefined;
}

/** A chunk found by a search. */
export interface Chunk {
  readonly chunk: CorpusChunk;
  readonly document: CorpusDocument;
  /** From 0 to 1 and comparable only within one result list: a ranking score, not a probability. */
  readonly score: number;
  /** Cosine similarity of question and chunk; absent if the meaning models did not compare them. */
  readonly likeness?: number | undefined;
  /** Similarity to known questions about this chunk; absent if there are none or nothing was compared. */
  readonly askedBefore?: AskedBefore | undefined;
}

/** Cosine similarities of a question to a passage's known questions. */
export interface AskedBefore {
  /** The known questions that the passage answers, with the range of the chunk's text in UTF-16 code units. */
  readonly answered: readonly { readonly from: number; readonly to: number; readonly likeness: number }[];
  /** The highest similarity to a known question that the passage nearly answers but does not; 0 if there is none. */
  readonly nearly: number;
}

/** The state of the search index, as `assay index status` and `/ready` report it. */
export interface CorpusState {
  /** `empty`: the corpus has no documents. `building` with `documents` > 0: the previous index still serves. */
  readonly status: "missing" | "building" | "ready" | "empty";
  /** Size of the index in use. */
  readonly documents: number;
  readonly chunks: number;
  /** The corpus's version counter when the index in use was built; null if there is no index. */
  readonly version: number | null;
  /** Number of passages without an embedding. Until they have one, a search may miss their paraphrases. */
  readonly unread: number;
  /** The source of the vectors: `corpus` (embedded) or the endpoint's model; null if there are none yet. */
  readonly vectors: string | null;
}

/** The service that engines use: chunks with their documents. */
export interface Corpus {
  /** Returns the best chunks, best first. Builds the index first if there is none. Rethrows database errors. */
  search(query: PassageQuery): Promise<Chunk[]>;
  /** Returns all live documents, valid or not, by id. */
  documents(): Promise<readonly CorpusDocument[]>;
  /**
   * Returns the chunks whose text satisfies `wanted`, from documents that are later than the given ones, of the same
   * carrier, market and line, and valid on the day. Results are cached per document as long as `wanted` is the same
   * function.
   */
  later(query: LaterQuery): Promise<readonly Chunk[]>;
  state(): Promise<CorpusState>;
  /** Checks whether the corpus has changed, and waits until the index matches its current state. */
  refresh(): Promise<CorpusState>;
  /** Starts no more builds and waits for the one in progress. Called before the database is closed. */
  close(): Promise<void>;
}
