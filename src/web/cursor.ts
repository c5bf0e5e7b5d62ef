import { Type as T, type TSchema } from "@sinclair/typebox";
import { invalid } from "../platform/errors.ts";
import { closed, nullable } from "../platform/schema.ts";

/** The query member of every list that goes on. */
export const cursorMember = { cursor: T.Optional(T.String({ maxLength: 200 })) };

/** `{items, next_cursor}`, as every list is unless the specification says otherwise. */
export const page = <S extends TSchema>(item: S, title: string) =>
  closed({ items: T.Array(item), next_cursor: nullable(T.String()) }, { title });

const idForm = /^[0-9a-f-]{36}$/;
const sequenceForm = /^[1-9]\d{0,15}$/;

function read(cursor: string, form: RegExp): string {
  const text = Buffer.from(cursor, "base64url").toString("utf8");
  if (!form.test(text)) throw invalid("/query/cursor", "must be a next_cursor of this list");
  return text;
}

/** Opaque to callers: it holds the id of the last item shown. */
export const readCursor = (cursor: string | undefined): string | undefined =>
  cursor === undefined ? undefined : read(cursor, idForm);

/** The same for lists in the order of a sequence. */
export const readSequence = (cursor: string | undefined): number | undefined =>
  cursor === undefined ? undefined : Number(read(cursor, sequenceForm));

/** The same for lists that are searched anew for each page: how many were shown, of which version of the data. */
export function readPosition(cursor: string): { readonly version: number; readonly offset: number } {
  const [version, offset] = read(cursor, /^\d{1,9}:\d{1,9}$/)
    .split(":")
    .map(Number);
  return { version: version ?? 0, offset: offset ?? 0 };
}

/** What `readPosition` reads; null at the end of the list. */
export const positionCursor = (version: number, offset: number, total: number): string | null =>
  offset < total ? Buffer.from(`${version}:${offset}`, "utf8").toString("base64url") : null;

/** One page of rows that were asked for with `limit + 1`: an item beyond the limit means that there is more. */
export function paged<Row, Item>(
  rows: readonly Row[],
  limit: number,
  show: (row: Row) => Item,
  position: (row: Row) => string,
) {
  const shown = rows.slice(0, limit);
  const last = rows.length > limit ? shown.at(-1) : undefined;
  return {
    items: shown.map(show),
    next_cursor: last ? Buffer.from(position(last), "utf8").toString("base64url") : null,
  };
}
