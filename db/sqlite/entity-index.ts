import type { Database, Statement } from "bun:sqlite";
import type { Entity, EntityCell, EntityKeys, EntityPage, EntitySearch } from "../datasets.ts";

/**
 * The index by which entity rows are found and counted, in their table's file. Rows are numbered from 0 in file order.
 * A term's positions are stored in segments of 65,536 rows, two bytes per position. A search reads the segments of its
 * terms and intersects them, so that every page takes the same few milliseconds.
 */

/** Tables that a draft creates in addition to its entities. */
export const entityIndexSchema = `
  create table positions (position integer primary key, key text not null);
  create table postings (term text not null, segment integer not null, ids blob not null,
    primary key (term, segment)) without rowid;
  create table signs (sign text not null, position integer not null, primary key (sign, position)) without rowid;
  create table cells (dimensions text primary key, rows integer not null, amount real not null) without rowid;
`;

const segmentSize = 65_536;

/** Indexes rows as they are staged. Its memory use is bounded by the segment size. */
export class EntityIndexWriter {
  private readonly statements: Readonly<Record<"position" | "posting" | "sign" | "cell", Statement>>;
  private readonly cells = new Map<string, { rows: number; amount: number }>();
  private postings = new Map<string, number[]>();
  private signs: [string, number][] = [];
  private next = 0;

  constructor(database: Database) {
    this.statements = {
      position: database.prepare("insert into positions values (?, ?)"),
      posting: database.prepare("insert into postings values (?, ?, ?)"),
      sign: database.prepare("insert or ignore into signs values (?, ?)"),
      cell: database.prepare("insert into cells values (?, ?, ?)"),
    };
  }

  add(key: string, { terms, signs, dimensions, amount }: EntityKeys): void {
    const position = this.next++;
    this.statements.position.run(position, key);
    for (const term of new Set(terms)) {
      const ids = this.postings.get(term);
      if (ids) ids.push(position % segmentSize);
      else this.postings.set(term, [position % segmentSize]);
    }
    for (const sign of signs) this.signs.push([sign, position]);
    const about = JSON.stringify(dimensions);
    const cell = this.cells.get(about) ?? { rows: 0, amount: 0 };
    this.cells.set(about, { rows: cell.rows + 1, amount: cell.amount + (amount ?? 0) });
    if (this.next % segmentSize === 0) this.flush();
  }

  private flush(): void {
    const segment = Math.floor((this.next - 1) / segmentSize);
    const { posting, sign } = this.statements;
    for (const term of [...this.postings.keys()].sort()) {
      const ids = Uint16Array.from(this.postings.get(term) ?? []);
      posting.run(term, segment, new Uint8Array(ids.buffer));
    }
    this.postings = new Map();
    for (const one of this.signs.sort(([a], [b]) => (a < b ? -1 : 1))) sign.run(...one);
    this.signs = [];
  }

  finish(): void {
    if (this.postings.size > 0 || this.signs.length > 0) this.flush();
    for (const [dimensions, { rows, amount }] of this.cells) this.statements.cell.run(dimensions, rows, amount);
  }

  close(): void {
    for (const statement of Object.values(this.statements)) statement.finalize();
  }
}

type Segments = ReadonlyMap<number, Uint16Array | Uint32Array>;

interface PostingRow {
  readonly segment: number;
  readonly ids: Uint8Array;
}

/** Copies the bytes, because SQLite's buffer may be misaligned. */
const idsOf = ({ ids }: PostingRow): Uint16Array => new Uint16Array(ids.slice().buffer);

/** Returns a bitmap of a segment's positions. */
function bitsOf(lists: Iterable<Uint16Array>): Uint32Array {
  const bits = new Uint32Array(segmentSize / 32);
  for (const ids of lists)
    for (let i = 0; i < ids.length; i++) {
      const id = ids[i] ?? 0;
      bits[id >>> 5] = (bits[id >>> 5] ?? 0) | (1 << (id & 31));
    }
  return bits;
}

function listOf(bits: Uint32Array): Uint16Array {
  const ids = new Uint16Array(segmentSize);
  let found = 0;
  for (let at = 0; at < bits.length; at++)
    for (let rest = bits[at] ?? 0; rest !== 0; rest &= rest - 1)
      ids[found++] = at * 32 + (31 - Math.clz32(rest & -rest));
  return ids.subarray(0, found);
}

const isBits = (ids: Uint16Array | Uint32Array): ids is Uint32Array => ids instanceof Uint32Array;

/** Returns the positions that all lists of a segment share, in order. */
function common(lists: readonly (Uint16Array | Uint32Array)[]): Uint16Array {
  const [first, ...others] = lists.map((one) => (isBits(one) ? one : bitsOf([one])));
  const both = new Uint32Array(first ?? []);
  for (const bits of others) for (let at = 0; at < both.length; at++) both[at] = (both[at] ?? 0) & (bits[at] ?? 0);
  return listOf(both);
}

/** Searches and counts a published table's rows. Created by `dataset-file.ts`. */
export class EntityIndexReader {
  private size: number | undefined;
  private counted: readonly EntityCell[] | undefined;

  constructor(private readonly database: Database) {}

  private rows(): number {
    this.size ??=
      this.database.query<{ n: number }, []>("select coalesce(max(position) + 1, 0) as n from positions").get()?.n ?? 0;
    return this.size;
  }

  private exact(term: string): Segments {
    const found = this.database.query<PostingRow, [string]>("select segment, ids from postings where term = ?");
    return new Map(found.all(term).map((row) => [row.segment, idsOf(row)]));
  }

  private beginning(begin: string): Segments {
    const found = this.database.query<PostingRow, [string, string]>(
      "select segment, ids from postings where term >= ? and term < ?",
    );
    const bySegment = Map.groupBy(found.all(begin, `${begin}\uffff`), ({ segment }) => segment);
    return new Map(
      [...bySegment].map(([segment, [first, ...rest]]) => [
        segment,
        first && rest.length === 0 ? idsOf(first) : bitsOf([...(first ? [first] : []), ...rest].map(idsOf)),
      ]),
    );
  }

  private at(positions: readonly number[]): Entity[] {
    return this.database
      .query<{ key: string; fields: string; line: number }, [string]>(
        `select entities.key, fields, line from json_each(?) join positions on position = value
         join entities on entities.key = positions.key order by position`,
      )
      .all(JSON.stringify(positions))
      .map(({ fields, ...row }) => ({ ...row, fields: JSON.parse(fields) }));
  }

  /** Yields between terms and between segments, so that other work can run. */
  *find({ terms, beginnings, offset, limit }: EntitySearch): Generator<undefined, EntityPage> {
    const lists: Segments[] = [];
    for (const term of terms) {
      lists.push(this.exact(term));
      yield;
    }
    for (const begin of beginnings) {
      lists.push(this.beginning(begin));
      yield;
    }
    const [first, ...rest] = lists;
    if (!first) {
      const total = this.rows();
      const shown = Math.max(0, Math.min(limit, total - offset));
      return { total, entities: this.at(Array.from({ length: shown }, (_, i) => offset + i)) };
    }
    let total = 0;
    const positions: number[] = [];
    for (const segment of [...first.keys()].sort((a, b) => a - b)) {
      const parts = [first, ...rest].flatMap((list) => list.get(segment) ?? []);
      if (parts.length < lists.length) continue;
      const ids = common(parts);
      const from = Math.max(0, offset - total);
      const missing = limit - positions.length;
      for (const id of ids.subarray(from, from + missing)) positions.push(segment * segmentSize + id);
      total += ids.length;
      yield;
    }
    return { total, entities: this.at(positions) };
  }

  /** Returns the keys of other rows that share one of the signs, with the sign. */
  sharing(key: string, signs: readonly string[], limit: number) {
    return this.database
      .query<{ key: string; sign: string }, [string, string, number]>(
        `select key, sign from signs join positions using (position)
         where sign in (select value from json_each(?)) and key <> ? order by position limit ?`,
      )
      .all(JSON.stringify(signs), key, limit);
  }

  cells(): readonly EntityCell[] {
    this.counted ??= this.database
      .query<{ dimensions: string; rows: number; amount: number }, []>("select * from cells order by dimensions")
      .all()
      .map(({ dimensions, ...cell }) => ({ ...cell, dimensions: JSON.parse(dimensions) }));
    return this.counted;
  }
}
