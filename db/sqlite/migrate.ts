import { Database } from "bun:sqlite";
import { Migrator, sql } from "kysely";
import type { Db, Reading, Store } from "../store.ts";
import { unscoped } from "../tenancy.ts";
import { databaseOn } from "./connection.ts";

/** The migrations' names, in order. Their code is loaded only if one is pending, which is rare. */
export const migrationNames: readonly string[] = [
  "0001_identity",
  "0002_credits",
  "0003_workflow",
  "0004_runs",
  "0005_auth",
  "0006_usage",
  "0007_external_identities",
  "0008_jobs",
  "0009_corpus",
  "0010_oauth",
  "0011_connectors",
  "0012_run_rows",
  "0013_checkpoints",
  "0014_step_results",
  "0015_step_keys",
  "0016_effect_leases",
  "0018_refresh_families",
  "0019_trust",
  "0020_lists",
  "0023_validator",
  "0025_datasets",
  "0027_solutions",
  "0028_short_owners",
  "0031_operators",
  "0032_usage_by_key",
  "0034_solution_texts",
  "0035_document_imports",
  "0036_authenticated_at",
  "0037_tool_day_credits",
  "0038_unsettled_verdicts",
  "0039_audience_markets",
  "0040_counted_runs",
];

const migrator = (db: Db) =>
  new Migrator({
    db,
    provider: { getMigrations: async () => (await import("../schema/migrations/index.ts")).migrations },
  });

/**
 * Brings the schema up to date, on a separate connection and before anything else writes. Returns the names of the
 * migrations it applied. It applies all or none, so after an interrupted start the next start can migrate.
 */
export async function migrate(store: Store): Promise<string[]> {
  // Kysely inspects every table first; a start without pending migrations should not wait for that.
  const { pending, unknown } = await migrationState(store);
  if (pending.length + unknown.length === 0) return [];
  const database = new Database(store.file, { readwrite: true, strict: true });
  database.run("pragma busy_timeout = 5000");
  database.run("pragma synchronous = full");
  database.run("pragma foreign_keys = on");
  const db = databaseOn(database);
  try {
    // Kysely assumes that SQLite has no transactional DDL, so the transaction is opened here.
    database.run("begin immediate");
    const { results = [], error } = await migrator(unscoped(db)).migrateToLatest();
    if (error) throw error;
    database.run("commit");
    return results.filter((r) => r.status === "Success").map((r) => r.migrationName);
  } finally {
    if (database.inTransaction) database.run("rollback");
    await db.destroy();
  }
}

/** Which migrations are applied and which are not. */
export interface MigrationState {
  readonly applied: readonly string[];
  /** Known to this version and not applied. */
  readonly pending: string[];
  /** Applied by a newer version, so that this version must not open the database. */
  readonly unknown: string[];
}

/** Reads the state of the schema. */
export async function migrationState(store: Reading): Promise<MigrationState> {
  const applied = await appliedMigrations(store.read);
  return {
    applied,
    pending: migrationNames.filter((name) => !applied.includes(name)),
    unknown: applied.filter((name) => !migrationNames.includes(name)),
  };
}

async function appliedMigrations(db: Db): Promise<string[]> {
  const { rows: tables } = await sql`select 1 from sqlite_master where name = 'kysely_migration'`.execute(db);
  if (tables.length === 0) return [];
  const rows = await db
    .withTables<{ kysely_migration: { name: string } }>()
    .selectFrom("kysely_migration")
    .select("name")
    .orderBy("name")
    .execute();
  return rows.map((row) => row.name);
}
