import type { DatasetVersion, EntityPage } from "../../../db/datasets.ts";
import { invalid } from "../../platform/errors.ts";
import type { Interruptible } from "../slices.ts";
import { type TableName, tableOf } from "./holdings.ts";
import { sameText, wordsOf } from "./words.ts";

/** A search in a table. Empty texts do not restrict it. */
export interface Wanted {
  /** Each of its words is a prefix of a word of the row; a word of fewer than three letters must match exactly. */
  readonly query: string;
  readonly facets: Readonly<Record<string, string>>;
  readonly offset: number;
  readonly limit: number;
  /** Whether withheld fields such as names are searched too; otherwise a search would reveal them. */
  readonly named: boolean;
}

const none: EntityPage = { total: 0, entities: [] };
const shortest = 3;

/** Finds rows. A query without any word left, such as only a legal form, finds nothing. */
export function* findIn(version: DatasetVersion, name: TableName, wanted: Wanted): Interruptible<EntityPage> {
  const { query, facets, offset, limit, named } = wanted;
  const words = [...new Set(wordsOf(query))].map((word) => `${named ? "any" : "open"} ${word}`);
  if (query.trim() !== "" && words.length === 0) return none;
  const isShort = (term: string): boolean => term.length - term.indexOf(" ") - 1 < shortest;
  const exact = Object.entries(facets).flatMap(([facet, text]) =>
    text.trim() === "" ? [] : [`${facet} ${sameText(text)}`],
  );
  const search = { terms: [...exact, ...words.filter(isShort)], beginnings: words.filter((term) => !isShort(term)) };
  const table = tableOf(version, name);
  return table ? yield* table.find({ ...search, offset, limit }) : none;
}

/** Returns a cursor with the version and the number of rows shown. Answers contain both, so it needs no encryption. */
export const cursorOf = ({ number }: DatasetVersion, offset: number, total: number): string | null =>
  offset < total ? Buffer.from(`${number}:${offset}`).toString("base64url") : null;

/**
 * Returns the offset of a page. Throws `validation_error` at `/query/cursor` if the data have changed since the
 * previous page.
 */
export function offsetOf({ number }: DatasetVersion, cursor: string | undefined, offset = 0): number {
  if (cursor === undefined) return offset;
  const [, version, shown] = /^(\d{1,9}):(\d{1,9})$/.exec(Buffer.from(cursor, "base64url").toString()) ?? [];
  if (version === undefined) throw invalid("/query/cursor", "must be a next_cursor of this list");
  if (Number(version) !== number)
    throw invalid("/query/cursor", "belongs to data that another import has replaced: start again without it");
  return Number(shown);
}
