import type { DatasetVersion, EntityPage } from "../../../db/datasets.ts";
import { invalid } from "../../platform/errors.ts";
import type { Interruptible } from "../slices.ts";
import { type TableName, tableOf } from "./holdings.ts";
import { sameText, wordsOf } from "./words.ts";

/** What is looked for in a table. Empty texts restrict nothing. */
export interface Wanted {
  /** Every word of it begins a word of the row; one of two letters is a word of the row. */
  readonly query: string;
  readonly facets: Readonly<Record<string, string>>;
  readonly offset: number;
  readonly limit: number;
  /** Whether names and what else is withheld are searched too: else a search would tell them. */
  readonly named: boolean;
}

const none: EntityPage = { total: 0, entities: [] };
const shortest = 3;

/** Finds rows. A query without a single word, such as a legal form alone, finds nothing. */
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

/** How many rows were shown, and of which version. Its answers say both, so that there is nothing to seal. */
export const cursorOf = ({ number }: DatasetVersion, offset: number, total: number): string | null =>
  offset < total ? Buffer.from(`${number}:${offset}`).toString("base64url") : null;

/** Where a page begins. `validation_error` at `/query/cursor` where the data have changed since the page before. */
export function offsetOf({ number }: DatasetVersion, cursor: string | undefined, offset = 0): number {
  if (cursor === undefined) return offset;
  const [, version, shown] = /^(\d{1,9}):(\d{1,9})$/.exec(Buffer.from(cursor, "base64url").toString()) ?? [];
  if (version === undefined) throw invalid("/query/cursor", "must be a next_cursor of this list");
  if (Number(version) !== number)
    throw invalid("/query/cursor", "is of data that another import has replaced: begin again without it");
  return Number(shown);
}
