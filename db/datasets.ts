/**
 * What engines and routes read of the imported datasets. A dataset is a list of tables (a file each, as a publisher gives
 * it); a version of it never changes, and an answer is made from one version alone.
 */

/** A official and first-hand; B published by the owner of the figure; C secondary; D estimated or not traceable. */
export type ReliabilityLabel = "A" | "B" | "C" | "D";

/** Where a table is from, and how it was read. */
export interface TableFacts {
  /** What it is replaced by: a later import with the same name takes its place. */
  readonly name: string;
  readonly title: string;
  readonly publisher: string;
  /** The publisher's code of the table; null where it has none. */
  readonly code: string | null;
  readonly licence: string | null;
  readonly url: string | null;
  /** The publisher's date of it, or the day of the file: YYYY-MM-DD. */
  readonly retrieved: string;
  readonly reliability: ReliabilityLabel;
  readonly note: string | null;
}

/** What is measured, in one unit: all figures of it can be compared. */
export interface Indicator {
  readonly id: number;
  readonly code: string;
  readonly title: string;
  readonly unit: string;
  /** The other dimensions that it is fixed in, such as `{sex: "T"}`. */
  readonly dimensions: Readonly<Record<string, string>>;
  /** Publisher, licence and label, where an indicator has its own. */
  readonly facts: Partial<TableFacts>;
  readonly first_period: string;
  readonly last_period: string;
  /** Geographic codes that have it. */
  readonly places: number;
}

/** A figure; `value` is null where the publisher gives none, and `missing` is then what stands in its place. */
export interface Observation {
  readonly place: string;
  /** What it is a part of besides its place, such as `{type: "SZ"}`. */
  readonly group: Readonly<Record<string, string>>;
  readonly period: string;
  readonly value: number | null;
  readonly missing: string | null;
  /** The publisher's flags, a letter each: b, c, d, e, f, p, u … */
  readonly flags: string;
  /** Where it stands in its file, from 1. */
  readonly line: number;
}

/** A row about one thing, such as a company of a register. */
export interface Entity {
  readonly key: string;
  readonly fields: Readonly<Record<string, string | number | null>>;
  readonly line: number;
}

/** The keys that a row about a thing is found and counted by. The table's definition derives them when it is imported. */
export interface EntityKeys {
  /** Words and facets, each with a prefix that says which it is. */
  readonly terms: readonly string[];
  /** What two rows about the same thing would have in common. */
  readonly signs: readonly string[];
  /** What it is counted by. */
  readonly dimensions: Readonly<Record<string, string>>;
  /** What is added up of it. */
  readonly amount: number | null;
}

/** Rows that have all of the terms, and a term with each of the beginnings. */
export interface EntitySearch {
  readonly terms: readonly string[];
  readonly beginnings: readonly string[];
  readonly offset: number;
  readonly limit: number;
}

/** A page of what was found, in the order of the file. */
export interface EntityPage {
  readonly total: number;
  readonly entities: readonly Entity[];
}

/** How many rows have the same dimensions. */
export interface EntityCell {
  readonly dimensions: Readonly<Record<string, string>>;
  readonly rows: number;
  readonly amount: number;
}

/** Which figures are wanted; absent: all. */
export interface ObservationQuery {
  readonly places?: readonly string[];
  readonly from?: string;
  readonly to?: string;
  /** Those of whole places alone, without groups. */
  readonly ungrouped?: boolean;
  /** The newest first, not the earliest. */
  readonly newest?: boolean;
  /** At most so many. */
  readonly limit: number;
}

/** A table that was imported: it never changes. Reads are answered at once, from an index. */
export interface DataTable {
  readonly facts: TableFacts;
  indicators(): readonly Indicator[];
  observations(indicator: number, query: ObservationQuery): readonly Observation[];
  /** Where there are observations of it, in the order of the alphabet. */
  places(indicator: number): readonly string[];
  /** The periods that an indicator has figures for, the earliest first. */
  periods(indicator: number): readonly string[];
  /** Rows in the order of their keys, after `after`. */
  entities(after: string, limit: number): readonly Entity[];
  entity(key: string): Entity | undefined;
  find(search: EntitySearch): Generator<undefined, EntityPage>;
  /** Keys of other rows that have one of the signs. */
  sharing(
    key: string,
    signs: readonly string[],
    limit: number,
  ): readonly { readonly key: string; readonly sign: string }[];
  cells(): readonly EntityCell[];
  /** Gives its file back. Nothing may be read any more. */
  close(): void;
}

/** A dataset as it was published at one moment. */
export interface DatasetVersion {
  readonly dataset: string;
  /** From 1; 0 is what comes with the program. */
  readonly number: number;
  readonly tables: readonly DataTable[];
}

/** The imported datasets. */
export interface Datasets {
  /**
   * The version that serves now. Everything in one answer is read from one of them. Throws `database_unavailable` where its file
   * is missing.
   */
  current(dataset: string): Promise<DatasetVersion>;
}
