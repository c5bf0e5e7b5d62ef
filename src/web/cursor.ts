import { hkdfSync } from "node:crypto";
import { Type as T, type TSchema } from "@sinclair/typebox";
import { seal, unseal } from "../identity/sealing.ts";
import { invalid } from "../platform/errors.ts";
import type { Runtime } from "../platform/runtime.ts";
import { closed, nullable } from "../platform/schema.ts";

/** The query member of every list that goes on. */
export const cursorMember = { cursor: T.Optional(T.String({ maxLength: 200 })) };

/** `{items, next_cursor}`, as every list is unless the specification says otherwise. */
export const page = <S extends TSchema>(item: S, title: string) =>
  closed({ items: T.Array(item), next_cursor: nullable(T.String()) }, { title });

/** Longer than any position, so that not even a cursor's length says how many there are. */
const positionLength = 40;

/** Characters of JSON in a page of items that may be long: a hundred of the longest hold the event loop for 0.1 s. */
const longestPage = 1_000_000;

/** How many of the rows a page holds: at most `limit`, fewer where they are long, and one at least. `chars`: of a row's JSON. */
export function itemsInPage<Row>(rows: readonly Row[], limit: number, chars: (row: Row) => number): number {
  let sum = 0;
  const beyond = rows.slice(0, limit).findIndex((row, i) => {
    sum += chars(row);
    return i > 0 && sum > longestPage;
  });
  return beyond === -1 ? limit : beyond;
}

/** One page of rows that were asked for with `limit + 1`: an item beyond the limit means that there is more. */
export interface Paged<Row, Item> {
  readonly rows: readonly Row[];
  readonly limit: number;
  readonly show: (row: Row) => Item;
  /** Where the row is in its list. */
  readonly position: (row: Row) => string | number;
}

/** The cursors of an installation's lists. A list is known by its name: another one's cursor is none of its own. */
export interface Cursors {
  /** The position after which the page begins. Throws `validation_error` for what is no cursor of this list. */
  read(list: string, cursor: string | undefined): string | undefined;
  /** The same of lists in the order of a sequence. */
  readSequence(list: string, cursor: string | undefined): number | undefined;
  page<Row, Item>(list: string, paged: Paged<Row, Item>): { items: Item[]; next_cursor: string | null };
}

/**
 * Made by `app.ts`. A cursor holds the position of the last item shown, sealed under a key that comes from the master
 * key: positions count the rows of all tenants, which is nobody's business.
 */
export function createCursors(masterKey: Uint8Array, runtime: Pick<Runtime, "randomBytes">): Cursors {
  const key = new Uint8Array(hkdfSync("sha256", masterKey, "", "assay cursors", 32));

  function read(list: string, cursor: string | undefined): string | undefined {
    if (cursor === undefined) return undefined;
    try {
      return unseal(key, cursor, list).trimEnd();
    } catch {
      throw invalid("/query/cursor", "must be a next_cursor of this list; leave it out to begin again");
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
