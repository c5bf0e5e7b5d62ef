/**
 * The insurance corpus as engines and routes see it. Documents and chunks are rows of the database (`db/queries/documents.ts`,
 * `db/queries/chunks.ts`); what searches them is a derived index file (`retrieval/`). Made by `createCorpus` of
 * `retrieval/service.ts`.
 */

/** What kind of wording a carrier's document is; the specification's three classes. */
export const documentTypes = ["terms", "ipid", "methodology"] as const;
export type DocumentType = (typeof documentTypes)[number];

/**
 * Where a document is from: published by the carrier, supplied under a distribution relationship, a sample of a
 * fictitious carrier, or a note on the law. The last two are no real carrier's and never counted as such.
 */
export const provenances = ["carrier", "distribution", "sample", "legal_note"] as const;
export type Provenance = (typeof provenances)[number];

/** A document that is live: loaded, chunked, and to be found. */
export interface CorpusDocument {
  readonly id: string;
  /** What all versions of a document share; of the valid ones the newest is searched. */
  readonly family: string;
  readonly title: string;
  /** Null where it is no carrier's: a law, an association's model wording. */
  readonly carrier: string | null;
  /** ISO 3166-1 alpha-2 in capitals, or `EU` for what holds in every member state. */
  readonly market: string;
  /** A key such as `motor_liability`; null: all lines. */
  readonly product_line: string | null;
  /** Null for a legal note. */
  readonly document_type: DocumentType | null;
  readonly provenance: Provenance;
  /** ISO 639-1. */
  readonly language: string;
  /** As the publisher writes it: `05/2018`, `2.1`. */
  readonly version: string;
  /** First day of validity, `YYYY-MM-DD`; null: always was. */
  readonly valid_from: string | null;
  /** Last day of validity, `YYYY-MM-DD`; null: until further notice. */
  readonly valid_to: string | null;
  readonly url: string | null;
}

/** A chunk of a document: a clause, or a part of one that is long. */
export interface CorpusChunk {
  /** The row's number; a document that is imported again gets new ones. */
  readonly id: number;
  readonly document_id: string;
  /** Place among the document's chunks, from 0. */
  readonly ordinal: number;
  /** Counted from 1; null where the format has no pages. */
  readonly page: number | null;
  /** The headings above it, ` > ` between them; empty when there are none. */
  readonly heading: string;
  readonly text: string;
  /** Where the text begins in the document's extracted text, in UTF-16 units. */
  readonly start: number;
}

export interface PassageQuery {
  readonly question: string;
  /** ISO 639-1 of the question; detected when left out. Documents in it come first; others are not excluded. */
  readonly language?: string | undefined;
  /** ISO 3166-1 alpha-2, any case: this market's documents and the EU's. */
  readonly country?: string | undefined;
  /** This line's documents and those for all lines. Compared without accents, case and signs. */
  readonly product_line?: string | undefined;
  /** This carrier's documents and those of none (the law). */
  readonly carrier?: string | undefined;
  /** The day that the documents must be valid on; of several valid versions the newest is used. */
  readonly at: Date;
  /** At most so many chunks, 1 to 100. */
  readonly limit: number;
  /** Its abort ends the waiting for passages that are not read yet. */
  readonly signal?: AbortSignal | undefined;
}

/** What is looked for in documents that came after others. */
export interface LaterQuery {
  readonly than: readonly CorpusDocument[];
  readonly at: Date;
  readonly wanted: (text: string) => boolean;
  readonly signal?: AbortSignal | undefined;
}

/** A chunk that was found. */
export interface Chunk {
  readonly chunk: CorpusChunk;
  readonly document: CorpusDocument;
  /** 0 to 1, comparable within one answer alone: the order's strength, not a probability. */
  readonly score: number;
  /** How alike question and chunk are in meaning, a cosine; left out where no model of meaning has judged. */
  readonly likeness?: number | undefined;
  /** How alike the question is to known ones on this chunk; left out where none is known, or nothing was compared. */
  readonly askedBefore?: AskedBefore | undefined;
}

/** How alike a question is to the known ones beside a passage: cosines. */
export interface AskedBefore {
  /** Each that the passage answers, with the stretch of the chunk's text that does, in UTF-16 units. */
  readonly answered: readonly { readonly from: number; readonly to: number; readonly likeness: number }[];
  /** The likest of those that it nearly answers, and does not; 0 where there is none. */
  readonly nearly: number;
}

/** What the index is and does at the moment, as `assay index status` and `/ready` report it. */
export interface CorpusState {
  /** `empty`: the corpus has no documents. `building` with `documents` > 0: the index before it still serves. */
  readonly status: "missing" | "building" | "ready" | "empty";
  /** What the index in use holds. */
  readonly documents: number;
  readonly chunks: number;
  /** The corpus's version counter that the index in use was built at; null: none. */
  readonly version: number | null;
  /** Passages that the model of meaning has yet to read: a search may miss what they say in other words. */
  readonly unread: number;
  /** How the vectors were made: `corpus` (embedded) or the endpoint's model; null: none yet. */
  readonly vectors: string | null;
}

/** The engines' service: chunks with their documents. */
export interface Corpus {
  /** The best chunks, the best first. Builds the index first when there is none; throws what the database throws. */
  search(query: PassageQuery): Promise<Chunk[]>;
  /** All live documents, valid or not, in the order of their ids. */
  documents(): Promise<readonly CorpusDocument[]>;
  /**
   * The chunks whose texts are `wanted`, of the documents that came after some, of the same carrier, market and line, and
   * are valid on the day. What is found of a document is remembered, as long as `wanted` is the same function.
   */
  later(query: LaterQuery): Promise<readonly Chunk[]>;
  state(): Promise<CorpusState>;
  /** Looks whether the corpus has changed, and waits until the index is that of the corpus as it is now. */
  refresh(): Promise<CorpusState>;
  /** Begins no more builds, and waits for the one under way. Called before the database is closed. */
  close(): Promise<void>;
}
