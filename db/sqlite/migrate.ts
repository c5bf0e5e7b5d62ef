import { Database } from "bun:sqlite";
import { type Migration, Migrator, sql } from "kysely";
import * as identity from "../schema/migrations/0001_identity.ts";
import * as credits from "../schema/migrations/0002_credits.ts";
import * as workflow from "../schema/migrations/0003_workflow.ts";
import * as runs from "../schema/migrations/0004_runs.ts";
import * as auth from "../schema/migrations/0005_auth.ts";
import * as usage from "../schema/migrations/0006_usage.ts";
import * as external from "../schema/migrations/0007_external_identities.ts";
import * as jobs from "../schema/migrations/0008_jobs.ts";
import * as corpus from "../schema/migrations/0009_corpus.ts";
import * as oauth from "../schema/migrations/0010_oauth.ts";
import * as connectors from "../schema/migrations/0011_connectors.ts";
import * as runRows from "../schema/migrations/0012_run_rows.ts";
import * as checkpoints from "../schema/migrations/0013_checkpoints.ts";
import * as stepResults from "../schema/migrations/0014_step_results.ts";
import * as stepKeys from "../schema/migrations/0015_step_keys.ts";
import * as effectLeases from "../schema/migrations/0016_effect_leases.ts";
import * as refreshFamilies from "../schema/migrations/0018_refresh_families.ts";
import * as trust from "../schema/migrations/0019_trust.ts";
import * as lists from "../schema/migrations/0020_lists.ts";
import * as validator from "../schema/migrations/0023_validator.ts";
import * as datasets from "../schema/migrations/0025_datasets.ts";
import * as solutions from "../schema/migrations/0027_solutions.ts";
import * as shortOwners from "../schema/migrations/0028_short_owners.ts";
import * as operators from "../schema/migrations/0031_operators.ts";
import * as usageByKey from "../schema/migrations/0032_usage_by_key.ts";
import * as solutionTexts from "../schema/migrations/0034_solution_texts.ts";
import * as documentImports from "../schema/migrations/0035_document_imports.ts";
import type { Db, Store } from "../store.ts";
import { unscoped } from "../tenancy.ts";
import { databaseOn } from "./connection.ts";

/** In order, by name. A static list, since a compiled executable has no folder to scan. */
export const migrations: Record<string, Migration> = {
  "0001_identity": identity,
  "0002_credits": credits,
  "0003_workflow": workflow,
  "0004_runs": runs,
  "0005_auth": auth,
  "0006_usage": usage,
  "0007_external_identities": external,
  "0008_jobs": jobs,
  "0009_corpus": corpus,
  "0010_oauth": oauth,
  "0011_connectors": connectors,
  "0012_run_rows": runRows,
  "0013_checkpoints": checkpoints,
  "0014_step_results": stepResults,
  "0015_step_keys": stepKeys,
  "0016_effect_leases": effectLeases,
  "0018_refresh_families": refreshFamilies,
  "0019_trust": trust,
  "0020_lists": lists,
  "0023_validator": validator,
  "0025_datasets": datasets,
  "0027_solutions": solutions,
  "0028_short_owners": shortOwners,
  "0031_operators": operators,
  "0032_usage_by_key": usageByKey,
  "0034_solution_texts": solutionTexts,
  "0035_document_imports": documentImports,
};

const migrator = (db: Db) => new Migrator({ db, provider: { getMigrations: async () => migrations } });

/**
 * Brings the schema up to date, on a connection of its own and before anything else writes. Answers the names of the
 * migrations that were applied now. All of them or none: a start that is cut off leaves a database that the next one can
 * bring up to date.
 */
export async function migrate(store: Store): Promise<string[]> {
  // Kysely looks at every table first, which a start with nothing to carry out need not wait for.
  const { pending, unknown } = await migrationState(store);
  if (pending.length + unknown.length === 0) return [];
  const database = new Database(store.file, { readwrite: true, strict: true });
  database.run("pragma busy_timeout = 5000");
  database.run("pragma synchronous = full");
  database.run("pragma foreign_keys = on");
  const db = databaseOn(database);
  try {
    // Kysely takes SQLite for a database without transactional DDL, so the transaction is ours.
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

/** What of the schema is there, and what is not. */
export interface MigrationState {
  readonly applied: readonly string[];
  /** Known here and not applied. */
  readonly pending: string[];
  /** Applied by a newer version, so that this one must keep off. */
  readonly unknown: string[];
}

/** Reads how far the schema is. */
export async function migrationState(store: Store): Promise<MigrationState> {
  const applied = await appliedMigrations(store.read);
  const known = Object.keys(migrations);
  return {
    applied,
    pending: known.filter((name) => !applied.includes(name)),
    unknown: applied.filter((name) => !known.includes(name)),
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
