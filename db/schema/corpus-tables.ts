import type { Generated } from "kysely";

export type DocumentState =
  | "extracting"
  | "structuring"
  | "chunking"
  | "indexing"
  | "live"
  | "refused"
  | "replaced"
  | "removed";

/** A document of the insurance corpus, which belongs to the installation. Days are `YYYY-MM-DD`. */
export interface DocumentTable {
  id: string;
  /** Shared by all versions of a document: market, carrier, class, line, language, and its key or title. */
  family: string;
  version: string;
  title: string;
  /** `null` if no carrier issued it. */
  carrier: string | null;
  market: string;
  /** `null` for all lines. */
  product_line: string | null;
  /** `null` for a legal note. */
  document_type: "terms" | "ipid" | "methodology" | null;
  provenance: "carrier" | "distribution" | "sample" | "legal_note";
  language: string;
  valid_from: string | null;
  valid_to: string | null;
  url: string | null;
  /** Path within the imported folder. */
  file: string;
  format: "pdf" | "docx" | "html" | "markdown" | "text";
  /** Digest of the content, the facts and the method of reading. If it is unchanged, there is nothing to import. */
  digest: string;
  content_sha256: string;
  /** `null` if the format has no pages. */
  pages: number | null;
  characters: number;
  chunks: number;
  state: DocumentState;
  /** Why it was refused. */
  reason: string | null;
  revision: number;
  /** Snapshot of `machines/document.ts`. */
  snapshot_json: string;
  created_at: number;
  updated_at: number;
  live_at: number | null;
}

/** A chunk of a document. It is found only while its document is live. */
export interface ChunkTable {
  id: Generated<number>;
  document_id: string;
  /** Position in the document, from 0. */
  ordinal: number;
  page: number | null;
  /** The headings above it, separated by ` > `. */
  heading: string;
  text: string;
  /** Offset in the document's text, in UTF-16 units. */
  start: number;
}

/** The status of an uploaded file's import. The last five are final. */
export type DocumentImportStatus =
  | "waiting"
  | "importing"
  | "imported"
  | "replaced"
  | "unchanged"
  | "refused"
  | "failed";

/** A file uploaded to be imported. Until the import ends, its content is in the uploads folder, under its id. */
export interface DocumentImportTable {
  id: string;
  /** The uploader's name for the file, without a folder. */
  file: string;
  /** The facts uploaded with it. */
  facts_json: string;
  bytes: number;
  content_sha256: string;
  status: DocumentImportStatus;
  /** Number of attempts started. */
  attempts: number;
  /** The outcome; `null` until the import ends. */
  report_json: string | null;
  /** The uploader, as the audit log names actors. */
  actor: string;
  created_at: number;
  ended_at: number | null;
}
