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

/** A document of the insurance corpus, the installation's own. Days are `YYYY-MM-DD`. */
export interface DocumentTable {
  id: string;
  /** What all versions of a document share: market, carrier, class, line, language, and its key or title. */
  family: string;
  version: string;
  title: string;
  /** Null: no carrier stands behind it. */
  carrier: string | null;
  market: string;
  /** Null: all lines. */
  product_line: string | null;
  /** Null: a legal note. */
  document_type: "terms" | "ipid" | "methodology" | null;
  provenance: "carrier" | "distribution" | "sample" | "legal_note";
  language: string;
  valid_from: string | null;
  valid_to: string | null;
  url: string | null;
  /** Its path inside the folder that was imported. */
  file: string;
  format: "pdf" | "docx" | "html" | "markdown" | "text";
  /** Of content, facts and the way of reading them: the same digest means that there is nothing to do. */
  digest: string;
  content_sha256: string;
  /** Null: the format has none. */
  pages: number | null;
  characters: number;
  chunks: number;
  state: DocumentState;
  /** Why it was refused. */
  reason: string | null;
  revision: number;
  /** Of `machines/document.ts`. */
  snapshot_json: string;
  created_at: number;
  updated_at: number;
  live_at: number | null;
}

/** A passage of a document; found only while its document is live. */
export interface ChunkTable {
  id: Generated<number>;
  document_id: string;
  /** From 0. */
  ordinal: number;
  page: number | null;
  /** The headings above it, ` > ` between them. */
  heading: string;
  text: string;
  /** Where it begins in the document's text, in UTF-16 units. */
  start: number;
}

/** How far a file is that was sent to be imported. The last five are its end. */
export type DocumentImportStatus =
  | "waiting"
  | "importing"
  | "imported"
  | "replaced"
  | "unchanged"
  | "refused"
  | "failed";

/** A file that was sent to the server to be imported. Until its end its content lies in the folder of uploads, under its id. */
export interface DocumentImportTable {
  id: string;
  /** The name that its sender has for it, without a folder. */
  file: string;
  /** The facts that were sent with it. */
  facts_json: string;
  bytes: number;
  content_sha256: string;
  status: DocumentImportStatus;
  /** How often it was begun. */
  attempts: number;
  /** What became of it; null until its end. */
  report_json: string | null;
  /** As the audit log names who sent it. */
  actor: string;
  created_at: number;
  ended_at: number | null;
}
