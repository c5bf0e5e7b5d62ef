import { fold } from "../../platform/text.ts";
import type { CorpusDocument, PassageQuery } from "../corpus/corpus.ts";

/** The parts of a query that decide which documents may answer it. */
export type Filter = Pick<PassageQuery, "country" | "product_line" | "carrier" | "at">;

const day = (at: Date): string => at.toISOString().slice(0, 10);
const bare = (text: string): string => fold(text).replace(/[^\p{L}\p{N}]+/gu, "");

const isValid = ({ valid_from, valid_to }: CorpusDocument, on: string): boolean =>
  (valid_from === null || valid_from <= on) && (valid_to === null || valid_to >= on);

/** Compares versions, the older first: by first day of validity, then by version, with numbers compared by value. */
function byAge(a: CorpusDocument, b: CorpusDocument): number {
  const [from, other] = [a.valid_from ?? "", b.valid_from ?? ""];
  if (from !== other) return from < other ? -1 : 1;
  return a.version.localeCompare(b.version, "en", { numeric: true }) || (a.id < b.id ? -1 : 1);
}

/** Checks that a document matches the market, line and carrier asked for, or applies to all (EU, null). */
function isAsked(document: CorpusDocument, { country, product_line, carrier }: Filter): boolean {
  if (country !== undefined && ![country.toUpperCase(), "EU"].includes(document.market)) return false;
  if (
    product_line !== undefined &&
    document.product_line !== null &&
    bare(document.product_line) !== bare(product_line)
  )
    return false;
  return carrier === undefined || document.carrier === null || bare(document.carrier) === bare(carrier);
}

/**
 * Returns a 1 for each document that may answer: it matches the filter, is valid on the day and is the newest valid
 * version of its family. Searches use it to filter chunks.
 */
export function allowedDocuments(documents: readonly CorpusDocument[], filter: Filter): Uint8Array {
  const on = day(filter.at);
  const newest = new Map<string, CorpusDocument>();
  for (const document of documents) {
    if (!isValid(document, on)) continue;
    const known = newest.get(document.family);
    if (known === undefined || byAge(known, document) < 0) newest.set(document.family, document);
  }
  return Uint8Array.from(documents, (document) =>
    newest.get(document.family) === document && isAsked(document, filter) ? 1 : 0,
  );
}

/**
 * Returns the documents that are later than one of `quoted`: of the same carrier, market and line, valid on the day,
 * and the newest version of their family. They supersede what they change in it. Documents without a carrier, such as
 * laws, are never related in this way.
 */
export function laterDocuments(
  documents: readonly CorpusDocument[],
  quoted: readonly CorpusDocument[],
  at: Date,
): CorpusDocument[] {
  const allowed = allowedDocuments(documents, { at });
  const isAfter = (one: CorpusDocument, other: CorpusDocument) =>
    other.carrier !== null &&
    bare(one.carrier ?? "") === bare(other.carrier) &&
    one.market === other.market &&
    bare(one.product_line ?? "") === bare(other.product_line ?? "") &&
    isLater(one, other);
  return documents.filter((one, place) => allowed[place] === 1 && quoted.some((other) => isAfter(one, other)));
}

/** Checks whether a document is valid from a later day than another. Without a day, it was always valid. */
export const isLater = (one: CorpusDocument, other: CorpusDocument): boolean =>
  (one.valid_from ?? "") > (other.valid_from ?? "");
