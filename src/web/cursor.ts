import { hkdfSync } from "node:crypto";
import { Type as T, type TSchema } from "@sinclair/typebox";
import { seal, unseal } from "../identity/sealing.ts";
import { invalid } from "../platform/errors.ts";
import type { Runtime } from "../platform/runtime.ts";
import { closed, nullable } from "../platform/schema.ts";

/** The query parameter of every paginated list. */
export const cursorMember = { cursor: T.Optional(T.String({ maxLength: 200 })) };

/** `{items, next_cursor}`, the schema of every list unless the specification says otherwise. */
export const page = <S extends TSchema>(item: S, title: string) =>
  closed({ items: T.Array(item), next_cursor: nullable(T.String()) }, { title });

/** Longer than any position, so that a cursor's length reveals nothing. */
const positionLength = 40;

/** Maximum characters of JSON in a page of long items. A hundred of the longest block the event loop for 0.1 s. */
const longestPage = 1_000_000;

/**
 * Returns how many of the rows a page holds: at most `limit`, fewer if they are long, but at least one. `chars` returns
 * the length of a row's JSON.
 */
export function itemsInPage<Row>(rows: readonly Row[], limit: number, chars: (row: Row) => number): number {
  let sum = 0;
  const beyond = rows.slice(0, limit).findIndex((row, i) => {
    sum += chars(row);
    return i > 0 && sum > longestPage;
  });
  return beyond === -1 ? limit : beyond;
}

/** One page of rows that were queried with `limit + 1`: an extra row means that there are more. */
export interface Paged<Row, Item> {
  readonly rows: readonly Row[];
  readonly limit: number;
  readonly show: (row: Row) => Item;
  /** Returns the row's position in its list. */
  readonly position: (row: Row) => string | number;
}

/** Encodes and decodes an installation's cursors. A cursor is valid only for the list, by name, that issued it. */
export interface Cursors {
  /**
   * Returns the position after which the page starts. Throws `validation_error` if the cursor is not one of this list.
   */
  read(list: string, cursor: string | undefined): string | undefined;
  /** Like `read`, for lists ordered by a sequence. */
  readSequence(list: string, cursor: string | undefined): number | undefined;
  page<Row, Item>(list: string, paged: Paged<Row, Item>): { items: Item[]; next_cursor: string | null };
}

/**
 * Creates the cursors, for `app.ts`. A cursor holds the position of the last item shown, sealed under a key derived
 * from the master key, because positions count the rows of all tenants.
 */
export function createCursors(masterKey: Uint8Array, runtime: Pick<Runtime, "randomBytes">): Cursors {
  const key = new Uint8Array(hkdfSync("sha256", masterKey, "", "assay cursors", 32));

  function read(list: string, cursor: string | undefined): string | undefined {
    if (cursor === undefined) return undefined;
    try {
      return unseal(key, cursor, list).trimEnd();
    } catch {
      throw invalid("/query/cursor", "must be a next_cursor of this list; omit it to start from the beginning");
    }
  }

  return {
    read,
    readSequence(list, cursor) {
      const position = read(list, cursor);
      return position === undefined ? undefined : Number(position);
    },
    page(list, { rows, limit, show, position }) {
      const shown = rows.slice(0, limit);
      const last = rows.length > limit ? shown.at(-1) : undefined;
      const place = last === undefined ? undefined : String(position(last)).padEnd(positionLength);
      return { items: shown.map(show), next_cursor: place === undefined ? null : seal(runtime, key, place, list) };
    },
  };
}
