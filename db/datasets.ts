/**
 * How engines and routes read the imported datasets. A dataset is a list of tables, one per publisher's file. A version
 * never changes, and every answer uses a single version.
 */

/** A: official and first-hand. B: published by the owner of the figure. C: secondary. D: estimated or not traceable. */
export type ReliabilityLabel = "A" | "B" | "C" | "D";

/** A table's origin, and how it was read. */
export interface TableFacts {
  /** A later import with the same name replaces the table. */
  readonly name: string;
  readonly title: string;
  readonly publisher: string;
  /** The publisher's code for the table, or `null`. */
  readonly code: string | null;
  readonly licence: string | null;
  readonly url: string | null;
  /** The publisher's date, or the date of the file, as YYYY-MM-DD. */
  readonly retrieved: string;
  readonly reliability: ReliabilityLabel;
  readonly note: string | null;
}

/** A measured quantity in one unit, so that all its figures are comparable. */
export interface Indicator {
  readonly id: number;
  readonly code: string;
  readonly title: string;
  readonly unit: string;
  /** Its fixed values in other dimensions, such as `{sex: "T"}`. */
  readonly dimensions: Readonly<Record<string, string>>;
  /** Publisher, licence and label, if they differ from the table's. */
  readonly facts: Partial<TableFacts>;
  readonly first_period: string;
  readonly last_period: string;
  /** Number of geographic codes that have figures. */
  readonly places: number;
}

/** One figure. If the publisher gives none, `value` is `null` and `missing` is what the publisher wrote instead. */
export interface Observation {
  readonly place: string;
  /** Its values in dimensions other than the place, such as `{type: "SZ"}`. */
  readonly group: Readonly<Record<string, string>>;
  readonly period: string;
  readonly value: number | null;
  readonly missing: string | null;
  /** The publisher's flags, one letter each: b, c, d, e, f, p, u … */
  readonly flags: string;
  /** The line in its file, from 1. */
  readonly line: number;
}

/** A row about one entity, such as a company in a register. */
export interface Entity {
  readonly key: string;
  readonly fields: Readonly<Record<string, string | number | null>>;
  readonly line: number;
}

/** The keys that an entity's row is found and counted by. The table's definition derives them on import. */
export interface EntityKeys {
  /** Words and facets, each with a prefix that identifies its type. */
  readonly terms: readonly string[];
  /** Values that two rows about the same entity would share. */
  readonly signs: readonly string[];
  /** The dimensions by which rows are counted. */
  readonly dimensions: Readonly<Record<string, string>>;
  /** The amount that is summed. */
  readonly amount: number | null;
}

/** Selects rows that have all of the terms, and for each prefix in `beginnings` a term that starts with it. */
export interface EntitySearch {
  readonly terms: readonly string[];
  readonly beginnings: readonly string[];
  readonly offset: number;
  readonly limit: number;
}

/** A page of results, in the order of the file. */
export interface EntityPage {
  readonly total: number;
  readonly entities: readonly Entity[];
}

/** The number of rows that share the same dimensions. */
export interface EntityCell {
  readonly dimensions: Readonly<Record<string, string>>;
  readonly rows: number;
  readonly amount: number;
}

/** Selects figures; absent fields do not filter. */
export interface ObservationQuery {
  readonly places?: readonly string[];
  readonly from?: string;
  readonly to?: string;
  /** Only figures for whole places, without groups. */
  readonly ungrouped?: boolean;
  /** Newest first instead of earliest first. */
  readonly newest?: boolean;
  /** Maximum number of figures. */
  readonly limit: number;
}

/** An imported table. It never changes; reads are synchronous, from an index. */
export interface DataTable {
  readonly facts: TableFacts;
  indicators(): readonly Indicator[];
  observations(indicator: number, query: ObservationQuery): readonly Observation[];
  /** Returns the places that have figures for the indicator, in alphabetical order. */
  places(indicator: number): readonly string[];
  /** Returns the periods that have figures for the indicator, earliest first. */
  periods(indicator: number): readonly string[];
  /** Returns rows in the order of their keys, after the key `after`. */
  entities(after: string, limit: number): readonly Entity[];
  entity(key: string): Entity | undefined;
  find(search: EntitySearch): Generator<undefined, EntityPage>;
  /** Returns the keys of other rows that share one of the signs. */
  sharing(
    key: string,
    signs: readonly string[],
    limit: number,
  ): readonly { readonly key: string; readonly sign: string }[];
  cells(): readonly EntityCell[];
  /** Closes the file. Nothing may be read after that. */
  close(): void;
}

/** A dataset as it was published at one moment. */
export interface DatasetVersion {
  readonly dataset: string;
  /** Counted from 1; 0 is the version included in the executable. */
  readonly number: number;
  readonly tables: readonly DataTable[];
}

/** The imported datasets. */
export interface Datasets {
  /**
   * Returns the current version; one answer uses only one version. Throws `database_unavailable` if its file is
   * missing.
   */
  current(dataset: string): Promise<DatasetVersion>;
}
