import { Database } from "bun:sqlite";
import { Kysely, Migrator } from "kysely";
import { BunSqliteDialect } from "kysely-bun-sqlite";
import { migrations } from "../../db/schema/migrations/index.ts";
import type { Tables } from "../../db/schema/tables.ts";

interface Column {
  readonly name: string;
  readonly type: string;
  /** Position in the primary key, from 1; 0 if not part of it. */
  readonly pk: number;
}

interface ForeignKey {
  readonly from: string;
  readonly table: string;
}

interface Table {
  readonly name: string;
  readonly columns: readonly Column[];
  readonly foreignKeys: readonly ForeignKey[];
}

/** Returns the tables by name, as created by the migrations. */
export async function migratedTables(): Promise<ReadonlyMap<string, Table>> {
  const database = new Database(":memory:");
  const db = new Kysely<Tables>({ dialect: new BunSqliteDialect({ database }) });
  const { error } = await new Migrator({ db, provider: { getMigrations: async () => migrations } }).migrateToLatest();
  if (error) throw error;
  const names = database.query<{ name: string }, []>(
    "select name from sqlite_master where type = 'table' and name not glob 'sqlite_*' and name not glob 'kysely_*' order by name",
  );
  const columns = database.query<Column, [string]>("select name, type, pk from pragma_table_info(?) order by cid");
  const keys = database.query<ForeignKey, [string]>(
    'select "from", "table" from pragma_foreign_key_list(?) order by id desc',
  );
  const tables = names.all().map(({ name }): [string, Table] => {
    return [name, { name, columns: columns.all(name), foreignKeys: keys.all(name) }];
  });
  await db.destroy();
  return new Map(tables);
}

/** Returns the columns that identify a row or refer to another one; all columns are in `db/schema`. */
function attributes({ columns, foreignKeys }: Table): string[] {
  const foreign = new Set(foreignKeys.map(({ from }) => from));
  return columns
    .filter(({ name, pk }) => pk > 0 || foreign.has(name) || /_(id|seq)$/.test(name))
    .map(({ name, type, pk }) => {
      const marks = [pk > 0 && "PK", foreign.has(name) && "FK"].filter((mark) => mark !== false);
      return `    ${[type.toLowerCase(), name, marks.join(", ")].join(" ").trimEnd()}`;
    });
}

/** Returns foreign keys as solid lines, and undeclared references to tables of the same diagram as dotted ones. */
function relations({ name, columns, foreignKeys }: Table, drawn: ReadonlySet<string>): string[] {
  const declared = foreignKeys.map(({ table, from }) => `  ${table} ||--o{ ${name} : ${from}`);
  const foreign = new Set(foreignKeys.map(({ from }) => from));
  const named = columns.flatMap((column) => {
    const other = `${/^(.+)_(id|seq)$/.exec(column.name)?.[1]}s`;
    return drawn.has(other) && !foreign.has(column.name) ? [`  ${other} ||..o{ ${name} : ${column.name}`] : [];
  });
  return [...declared, ...named];
}

/** Returns a Mermaid diagram of the tables with their keys and references. */
export function tableDiagram(tables: readonly Table[]): string {
  const drawn = new Set(tables.map(({ name }) => name));
  const lines = tables.flatMap((table) => relations(table, drawn));
  const entities = tables.flatMap((table) => [`  ${table.name} {`, ...attributes(table), "  }"]);
  return ["erDiagram", ...lines, ...entities].join("\n");
}
