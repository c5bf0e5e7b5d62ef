import { Database, type Statement } from "bun:sqlite";
import { accessSync, constants, statSync } from "node:fs";
import type {
  DataTable,
  Entity,
  EntityKeys,
  EntitySearch,
  Indicator,
  Observation,
  ObservationQuery,
  TableFacts,
} from "../datasets.ts";
import { EntityIndexReader, EntityIndexWriter, entityIndexSchema } from "./entity-index.ts";

/**
 * The rows of one imported table, in a separate SQLite file. Even ten million rows neither block the database's writer
 * nor fill its WAL, and publishing or dropping a table means moving or deleting one file.
 */

/** A figure as a reader returns it. */
export interface StagedFigure {
  readonly code: string;
  readonly title: string;
  readonly unit: string;
  readonly dimensions: Readonly<Record<string, string>>;
  readonly facts: Partial<TableFacts>;
  readonly place: string;
  readonly group: Readonly<Record<string, string>>;
  readonly period: string;
  readonly value: number | null;
  readonly missing: string | null;
  readonly flags: string;
  readonly line: number;
}

/** The line of the row that already has the key, or `undefined` if the row was added. */
export type Staged = number | undefined;

export interface DatasetDraft {
  figure(figure: StagedFigure): Staged;
  /** With `keys`, the entity can be searched, counted and compared. */
  entity(entity: Entity, keys?: EntityKeys): Staged;
  /** Writes the remaining rows and the indexes. Nothing can be added after that. */
  finish(facts: TableFacts): { readonly records: number; readonly indicators: number };
  close(): void;
}

const schema = `
  create table facts (json text not null);
  create table indicators (id integer primary key, key text not null unique, code text not null, title text not null,
    unit text not null, dimensions text not null, facts text not null, first_period text, last_period text,
    places integer not null default 0);
  create table series (id integer primary key, indicator integer not null, place text not null, grouped text not null,
    unique (indicator, place, grouped));
  create table observations (series integer not null, period text not null, value real, missing text,
    flags text not null, line integer not null, primary key (series, period)) without rowid;
  create table entities (key text primary key, fields text not null, line integer not null) without rowid;
`;

/** Number of rows per commit. An unfinished draft is discarded, so the commits need not be durable. */
const batch = 100_000;
/** Maximum number of cached keys; others are looked up in the file. */
const remembered = 50_000;

/** A bounded cache of row ids by key. */
class Ids {
  private readonly known = new Map<string, number>();

  of(key: string, lookUp: () => number): number {
    const id = this.known.get(key);
    if (id !== undefined) return id;
    if (this.known.size >= remembered) this.known.clear();
    const found = lookUp();
    this.known.set(key, found);
    return found;
  }
}

const json = (values: Readonly<Record<string, unknown>>): string => JSON.stringify(values);

class Draft implements DatasetDraft {
  private readonly indicatorIds = new Ids();
  private readonly seriesIds = new Ids();
  private readonly statements: Readonly<
    Record<"indicator" | "series" | "figure" | "line" | "entity" | "entityLine", Statement>
  >;
  private readonly index: EntityIndexWriter;
  private records = 0;
  private waiting = 0;

  constructor(private readonly database: Database) {
    database.run("pragma journal_mode = off");
    database.run("pragma synchronous = off");
    database.run("pragma cache_size = -32768");
    database.run("pragma temp_store = file");
    for (const statement of (schema + entityIndexSchema).split(";\n")) if (statement.trim()) database.run(statement);
    this.index = new EntityIndexWriter(database);
    const prepare = (sql: string) => database.prepare(sql);
    this.statements = {
      indicator: prepare(
        "insert into indicators (key, code, title, unit, dimensions, facts) values (?, ?, ?, ?, ?, ?) on conflict do update set key = key returning id",
      ),
      series: prepare(
        "insert into series (indicator, place, grouped) values (?, ?, ?) on conflict do update set place = place returning id",
      ),
      figure: prepare("insert or ignore into observations values (?, ?, ?, ?, ?, ?)"),
      line: prepare("select line from observations where series = ? and period = ?"),
      entity: prepare("insert or ignore into entities values (?, ?, ?)"),
      entityLine: prepare("select line from entities where key = ?"),
    };
    database.run("begin");
  }

  private idBy(statement: Statement, ...values: (string | number)[]): number {
    const row = statement.values(...values)[0];
    return Number(row?.[0]);
  }

  private added(changes: number, lineOf: Statement, ...key: (string | number)[]): Staged {
    if (changes === 0) return this.idBy(lineOf, ...key);
    this.records++;
    if (++this.waiting === batch) {
      this.waiting = 0;
      this.database.run("commit");
      this.database.run("begin");
    }
    return undefined;
  }

  figure(figure: StagedFigure): Staged {
    const { code, title, unit, dimensions, facts, place, group, period, value, missing, flags, line } = figure;
    const { indicator, series, figure: insert, line: lineOf } = this.statements;
    const about = json(dimensions);
    const key = `${code}\u0000${unit}\u0000${about}`;
    const measured = this.indicatorIds.of(key, () => this.idBy(indicator, key, code, title, unit, about, json(facts)));
    const grouped = json(group);
    const one = this.seriesIds.of(`${measured} ${place} ${grouped}`, () => this.idBy(series, measured, place, grouped));
    const { changes } = insert.run(one, period, value, missing, flags, line);
    return this.added(changes, lineOf, one, period);
  }

  entity({ key, fields, line }: Entity, keys?: EntityKeys): Staged {
    const { entity, entityLine } = this.statements;
    const { changes } = entity.run(key, json(fields), line);
    if (keys && changes > 0) this.index.add(key, keys);
    return this.added(changes, entityLine, key);
  }

  finish(facts: TableFacts) {
    const { database } = this;
    this.index.finish();
    database.run("commit");
    database.run(
      "update indicators set places = (select count(distinct place) from series where indicator = indicators.id)",
    );
    database.run(`update indicators set (first_period, last_period) = (select min(period), max(period)
      from series join observations on series = series.id where indicator = indicators.id and value is not null)`);
    database.run("insert into facts values (?)", [JSON.stringify(facts)]);
    const { n } = database.query<{ n: number }, []>("select count(*) as n from indicators").get() ?? { n: 0 };
    return { records: this.records, indicators: n };
  }

  close(): void {
    this.index.close();
    for (const statement of Object.values(this.statements)) statement.finalize();
    this.database.close();
  }
}

/** Creates a table in a new file or in memory. Throws SQLite's errors, such as for a full disk. */
export const draftDatasetFile = (file: string): DatasetDraft =>
  new Draft(new Database(file, { create: true, strict: true }));

interface IndicatorRow {
  readonly id: number;
  readonly code: string;
  readonly title: string;
  readonly unit: string;
  readonly dimensions: string;
  readonly facts: string;
  readonly first_period: string | null;
  readonly last_period: string | null;
  readonly places: number;
}

interface ObservationRow extends Omit<Observation, "group"> {
  readonly grouped: string;
}

/** The parameters that narrow a query, or `null`. */
type Asked = Record<"places" | "grouped", string | null>;

/** A published table. */
class Table implements DataTable {
  readonly facts: TableFacts;
  private readonly index: EntityIndexReader;
  private known: readonly Indicator[] | undefined;

  /** Throws SQLite's errors, and if the file was never finished. */
  constructor(private readonly database: Database) {
    this.index = new EntityIndexReader(database);
    const row = database.query<{ json: string }, []>("select json from facts").get();
    if (!row) throw new Error("the table was never finished");
    this.facts = JSON.parse(row.json);
  }

  indicators(): readonly Indicator[] {
    this.known ??= this.database
      .query<IndicatorRow, []>("select * from indicators order by id")
      .all()
      .map((row) => ({
        ...row,
        dimensions: JSON.parse(row.dimensions),
        facts: JSON.parse(row.facts),
        first_period: row.first_period ?? "",
        last_period: row.last_period ?? "",
      }));
    return this.known;
  }

  observations(indicator: number, query: ObservationQuery): readonly Observation[] {
    const { places, from = "", to = "\uffff", ungrouped = false, newest = false, limit } = query;
    const order = newest ? "period desc, place, grouped" : "period, place, grouped";
    return this.database
      .query<ObservationRow, Record<"indicator" | "limit", number> & Record<"from" | "to", string> & Asked>(
        `select place, grouped, period, value, missing, flags, line from series join observations on series = series.id
         where indicator = :indicator and (:places is null or place in (select value from json_each(:places)))
         and (:grouped is null or grouped = :grouped) and period >= :from and period <= :to order by ${order} limit :limit`,
      )
      .all({
        indicator,
        places: places ? JSON.stringify(places) : null,
        grouped: ungrouped ? "{}" : null,
        from,
        to,
        limit,
      })
      .map(({ grouped, ...row }) => ({ ...row, group: JSON.parse(grouped) }));
  }

  places(indicator: number): readonly string[] {
    return this.database
      .query<{ place: string }, [number]>("select distinct place from series where indicator = ? order by place")
      .all(indicator)
      .map(({ place }) => place);
  }

  periods(indicator: number): readonly string[] {
    return this.database
      .query<{ period: string }, [number]>(
        "select distinct period from series join observations on series = series.id where indicator = ? order by period",
      )
      .all(indicator)
      .map(({ period }) => period);
  }

  entities(after: string, limit: number): readonly Entity[] {
    return this.database
      .query<{ key: string; fields: string; line: number }, [string, number]>(
        "select key, fields, line from entities where key > ? order by key limit ?",
      )
      .all(after, limit)
      .map(({ fields, ...row }) => ({ ...row, fields: JSON.parse(fields) }));
  }

  entity(key: string): Entity | undefined {
    const found = this.database
      .query<{ fields: string; line: number }, [string]>("select fields, line from entities where key = ?")
      .get(key);
    return found ? { key, line: found.line, fields: JSON.parse(found.fields) } : undefined;
  }

  find(search: EntitySearch) {
    return this.index.find(search);
  }

  sharing(key: string, signs: readonly string[], limit: number) {
    return this.index.sharing(key, signs, limit);
  }

  cells() {
    return this.index.cells();
  }

  close(): void {
    this.database.close();
  }
}

/** Opens a published table for reading. It can stay open, because its file never changes. Throws SQLite's errors. */
export function openDatasetFile(file: string): DataTable {
  const database = new Database(file, { readonly: true, strict: true });
  try {
    return new Table(database);
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Why a published table can't be read. */
export type TableTrouble = "missing" | "closed to this user" | "damaged";

/** Returns what prevents a published table's file from being opened, or `undefined` if nothing does. */
export function troubleWith(file: string): TableTrouble | undefined {
  try {
    if (!statSync(file, { throwIfNoEntry: false })) return "missing";
    accessSync(file, constants.R_OK);
  } catch {
    return "closed to this user";
  }
  try {
    openDatasetFile(file).close();
    return undefined;
  } catch {
    return "damaged";
  }
}

/** Builds a table in memory, for data included in the executable. */
export function datasetInMemory(facts: TableFacts, fill: (draft: DatasetDraft) => void): DataTable {
  const database = new Database(":memory:", { strict: true });
  const draft = new Draft(database);
  fill(draft);
  draft.finish(facts);
  return new Table(database);
}
