import { type Static, Type as T } from "@sinclair/typebox";
import type { DocumentTable } from "../../../db/schema/corpus-tables.ts";
import { documentTypes, provenances } from "../../knowledge/corpus/corpus.ts";
import { rfc3339, rfc3339OrNull } from "../../platform/clock.ts";
import { closed, enumeration, nullable } from "../../platform/schema.ts";
import { definePattern, twoLetters } from "../../platform/validate.ts";
import type { Report, ShownImport } from "../../products/insurance/document-imports.ts";

const Id = T.String({ format: "uuid" });
const Time = T.String({ format: "date-time" });
const Day = T.String({ format: "date" });
const count = (description?: string) => T.Integer({ minimum: 0, ...(description && { description }) });

/** A file name, without a folder. */
const FileName = T.String({
  minLength: 1,
  maxLength: 255,
  pattern: definePattern(
    "^[^/\\\\\\x00-\\x1f\\x7f]+$",
    "must be a file name without a folder: no slash, backslash or control character",
  ),
  description: "The file's name, without a folder; its extension determines the format.",
  examples: ["household-2026.pdf"],
});

/** Facts sent with a file that it does not state itself, named as in a manifest. */
export const DocumentFacts = T.Object({
  file: FileName,
  market: T.Optional(T.String({ pattern: twoLetters, description: "ISO 3166-1 alpha-2, or EU.", examples: ["CZ"] })),
  carrier: T.Optional(T.String({ maxLength: 120, description: "The insurer that the document belongs to." })),
  product_line: T.Optional(T.String({ maxLength: 80, description: "`all` for every line.", examples: ["household"] })),
  document_type: T.Optional({
    ...enumeration(...documentTypes, "legal_note"),
    description: "A note on the law has no carrier.",
  }),
  provenance: T.Optional({ ...enumeration(...provenances), description: "Where it comes from." }),
  language: T.Optional(T.String({ pattern: twoLetters, description: "ISO 639-1; detected from the text if absent." })),
  version: T.Optional(T.String({ maxLength: 40, description: "As the publisher writes it." })),
  valid_from: T.Optional({ ...Day, description: "The first day of validity." }),
  valid_to: T.Optional({ ...Day, description: "The last day of validity." }),
  title: T.Optional(T.String({ maxLength: 300, description: "If absent, the document's own." })),
  url: T.Optional(T.String({ maxLength: 2048, description: "Where it is published." })),
  key: T.Optional(
    T.String({ maxLength: 120, description: "Identifies the document across versions whose titles differ." }),
  ),
});

export const DocumentImport = closed(
  {
    id: Id,
    file: T.String(),
    bytes: count(),
    status: {
      ...enumeration("waiting", "importing", "imported", "replaced", "unchanged", "refused", "failed"),
      description:
        "`replaced`: the same version existed with other content, which this replaced. `unchanged`: it already existed. `refused`: see `reason`. `failed`: a server error, not the file's fault.",
    },
    progress: nullable(
      closed({ page: count(), pages: count() }, { description: "While a format with pages is being read." }),
      null,
    ),
    document_id: nullable(Id),
    title: nullable(T.String()),
    version: nullable(T.String()),
    language: nullable(T.String()),
    pages: nullable(count("Null if the format has no pages.")),
    chunks: count("Number of searchable passages."),
    reason: nullable(
      closed({
        code: T.String({ description: "A code listed in the guide `corpus`, or `failed`.", examples: ["scanned"] }),
        message: T.String(),
      }),
      null,
    ),
    notes: T.Array(T.String(), { description: "Notes on its text, such as pages without text." }),
    created_at: Time,
    ended_at: nullable(Time),
  },
  { title: "DocumentImport" },
);
type DocumentImport = Static<typeof DocumentImport>;

const nothing: Omit<Report, "reason"> & { reason: null } = {
  document_id: null,
  title: null,
  version: null,
  language: null,
  pages: null,
  chunks: 0,
  reason: null,
  notes: [],
};

/** Returns an import as the API shows it. */
export function importView({ row, progress }: ShownImport): DocumentImport {
  const { id, file, bytes, status, report_json, created_at, ended_at } = row;
  const { notes, ...report } = report_json === null ? nothing : (JSON.parse(report_json) as Report);
  const times = { created_at: rfc3339(created_at), ended_at: rfc3339OrNull(ended_at) };
  return { id, file, bytes, status, progress, ...report, notes: [...notes], ...times };
}

export const OperatorDocument = closed(
  {
    id: Id,
    title: T.String(),
    carrier: nullable(T.String({ description: "Null for a document of no carrier, such as a note on the law." })),
    market: T.String(),
    product_line: nullable(T.String({ description: "Null for all lines." })),
    document_type: nullable(enumeration(...documentTypes)),
    provenance: enumeration(...provenances),
    language: T.String(),
    version: T.String(),
    valid_from: nullable(Day),
    valid_to: nullable(Day),
    url: nullable(T.String()),
    file: T.String(),
    format: enumeration("pdf", "docx", "html", "markdown", "text"),
    pages: nullable(count()),
    chunks: count("Number of searchable passages."),
    live_at: nullable(Time),
  },
  { title: "OperatorDocument" },
);
type OperatorDocument = Static<typeof OperatorDocument>;

/** Returns a document as the API shows it. */
export const documentView = (row: DocumentTable): OperatorDocument => ({
  id: row.id,
  title: row.title,
  carrier: row.carrier,
  market: row.market,
  product_line: row.product_line,
  document_type: row.document_type,
  provenance: row.provenance,
  language: row.language,
  version: row.version,
  valid_from: row.valid_from,
  valid_to: row.valid_to,
  url: row.url,
  file: row.file,
  format: row.format,
  pages: row.pages,
  chunks: row.chunks,
  live_at: rfc3339OrNull(row.live_at),
});
