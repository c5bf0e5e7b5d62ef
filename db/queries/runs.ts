import { sql } from "kysely";
import { day } from "../../src/platform/clock.ts";
import { ownerBytes } from "../packed-columns.ts";
import { unpackReceipt } from "../packed-receipt.ts";
import { prepared, preparedUnscoped } from "../prepared.ts";
import type { ReceiptTable, RunStatus, RunTable } from "../schema/tables.ts";
import type { Db } from "../store.ts";
import { unscoped } from "../tenancy.ts";
import type { RunChange } from "../transition.ts";

/** A run with its sequence number in the order of acceptance. */
export type PlacedRun = RunTable & { readonly seq: number };

export const insertRun = prepared<PlacedRun>((db, value) =>
  db.insertInto("runs").values({
    seq: value("seq"),
    id: value("id"),
    firm_id: value("firm_id"),
    workspace_id: value("workspace_id"),
    user_id: value("user_id"),
    api_key_id: value("api_key_id"),
    kind: value("kind"),
    capability: value("capability"),
    use_case: value("use_case"),
    semantic_version: value("semantic_version"),
    status: value("status"),
    reason_code: value("reason_code"),
    mode: value("mode"),
    surface: value("surface"),
    input_json: value("input_json"),
    input_sha256: value("input_sha256"),
    engine_json: value("engine_json"),
    steps_json: value("steps_json"),
    approval_json: value("approval_json"),
    maximum_credits: value("maximum_credits"),
    reserved_credits: value("reserved_credits"),
    charged_credits: value("charged_credits"),
    released_credits: value("released_credits"),
    created_at: value("created_at"),
    started_at: value("started_at"),
    finished_at: value("finished_at"),
    updated_at: value("updated_at"),
    proposed_credits: value("proposed_credits"),
    revision: value("revision"),
  }),
);

/** The last run in the order of acceptance. */
export const lastRun = preparedUnscoped<object, { seq: number }>((db) =>
  db.selectFrom("runs").select("seq").orderBy("seq", "desc").limit(1),
);

/** Writes the columns that a transition may change. Changes no row if the row no longer has the revision `known`. */
export const updateRun = prepared<RunChange>((db, value) =>
  db
    .updateTable("runs")
    .set({
      status: value("status"),
      reason_code: value("reason_code"),
      engine_json: value("engine_json"),
      steps_json: value("steps_json"),
      approval_json: value("approval_json"),
      reserved_credits: value("reserved_credits"),
      charged_credits: value("charged_credits"),
      released_credits: value("released_credits"),
      proposed_credits: value("proposed_credits"),
      revision: value("revision"),
      started_at: value("started_at"),
      finished_at: value("finished_at"),
      updated_at: value("updated_at"),
    })
    .where("seq", "=", value("seq"))
    .where("firm_id", "=", value("firm_id"))
    .where("revision", "=", value("known")),
);

export const insertReceipt = prepared<ReceiptTable>((db, value) =>
  db.insertInto("receipts").values({ run_seq: value("run_seq"), receipt: value("receipt") }),
);

const storedReceiptOf = prepared<{ run_seq: number }, Pick<ReceiptTable, "receipt">>((db, value) =>
  db.selectFrom("receipts").select("receipt").where("run_seq", "=", value("run_seq")),
);

/** Returns a run's receipt, which exists once the run is terminal. The caller must have checked access to the run. */
export async function receiptOf(db: Db, run_seq: number): Promise<string | undefined> {
  const stored = await storedReceiptOf.first(db, { run_seq });
  return stored && unpackReceipt(stored.receipt);
}

/** A run by id alone. For the host, which acts for no tenant. */
export const runById = preparedUnscoped<{ id: string }, PlacedRun>((db, value) =>
  db.selectFrom("runs").selectAll().where("id", "=", value("id")),
);

/** A run of the workspace. Another workspace's is not found. */
export const runInWorkspace = prepared<{ id: string; workspace_id: string }, PlacedRun>((db, value) =>
  db.selectFrom("runs").selectAll().where("id", "=", value("id")).where("workspace_id", "=", value("workspace_id")),
);

/** A run of the firm, in any workspace. */
export const runInFirm = prepared<{ id: string; firm_id: string }, PlacedRun>((db, value) =>
  db.selectFrom("runs").selectAll().where("id", "=", value("id")).where("firm_id", "=", value("firm_id")),
);

export interface RunFilter {
  readonly workspace_ids: readonly string[];
  readonly status?: RunStatus | undefined;
  readonly capability?: string | undefined;
  readonly use_case?: string | undefined;
  /** The first and last day on which the runs were created, in days since 1970-01-01 (UTC). */
  readonly first_day?: number | undefined;
  readonly last_day?: number | undefined;
  readonly before?: number | undefined;
  readonly limit: number;
}

/**
 * Returns the runs that a filter starts from: by effects, by an exceptional status, by what was run, or by workspace.
 */
function candidates(db: Db, workspace_id: string, { status, capability, use_case }: RunFilter) {
  // An unfinished run always has an effect, and effects are few compared with runs.
  if (status === "queued" || status === "running")
    return db
      .selectFrom("runs")
      .select("seq")
      .where("id", "in", unscoped(db).selectFrom("effects").select("actor_id").where("machine", "=", "run"))
      .where("workspace_id", "=", workspace_id);
  // Must repeat the condition of the partial index literally, or SQLite does not use it.
  if (status !== undefined && status !== "succeeded")
    return db
      .selectFrom("runs")
      .select("seq")
      .where(sql<boolean>`status in ('failed', 'refused', 'awaiting_approval')`)
      .where("workspace_id", "=", workspace_id)
      .where("status", "=", status);
  if (capability !== undefined)
    return db
      .selectFrom("capability_runs")
      .select("seq")
      .where("workspace_id", "=", ownerBytes(workspace_id))
      .where("capability", "=", capability);
  if (use_case !== undefined)
    return db
      .selectFrom("use_case_runs")
      .select("seq")
      .where("workspace_id", "=", ownerBytes(workspace_id))
      .where("use_case", "=", use_case);
  return db.selectFrom("workspace_runs").select("seq").where("workspace_id", "=", ownerBytes(workspace_id));
}

/**
 * Returns the first and last sequence numbers of the workspace's runs on these days, or `undefined` if there are none.
 */
async function placesOf(
  db: Db,
  workspace_id: string,
  { first_day = 0, last_day = Number.MAX_SAFE_INTEGER }: RunFilter,
) {
  const { first, last } = await db
    .selectFrom("workspace_days")
    .select((eb) => [eb.fn.min("first_seq").as("first"), eb.fn.max("last_seq").as("last")])
    .where("workspace_id", "=", workspace_id)
    .where("day", ">=", first_day)
    .where("day", "<=", last_day)
    .executeTakeFirstOrThrow();
  return first === null || last === null ? undefined : { first, last };
}

async function runsOfOne(db: Db, workspace_id: string, filter: RunFilter) {
  const { status, capability, use_case, first_day, last_day, before, limit } = filter;
  let query = db
    .selectFrom(candidates(db, workspace_id, filter).as("c"))
    .innerJoin("runs as r", "r.seq", "c.seq")
    .selectAll("r")
    .where("r.workspace_id", "=", workspace_id)
    .orderBy("c.seq", "desc")
    .limit(limit);
  if (first_day !== undefined || last_day !== undefined) {
    const places = await placesOf(db, workspace_id, filter);
    if (!places) return [];
    query = query.where("c.seq", ">=", places.first).where("c.seq", "<=", places.last);
  }
  if (first_day !== undefined) query = query.where("r.created_at", ">=", first_day * day);
  if (last_day !== undefined) query = query.where("r.created_at", "<", (last_day + 1) * day);
  if (before !== undefined) query = query.where("c.seq", "<", before);
  if (capability !== undefined) query = query.where("r.capability", "=", capability);
  if (use_case !== undefined) query = query.where("r.use_case", "=", use_case);
  if (status !== undefined) query = query.where("r.status", "=", status);
  return query.execute();
}

/**
 * Returns the workspaces' runs, newest first. The indexes for the filter must be caught up. A firm has few workspaces:
 * queried one by one, each returns its runs in index order; together, all of them would have to be sorted.
 */
export async function runsOf(db: Db, filter: RunFilter) {
  const each = await Promise.all(filter.workspace_ids.map((workspace_id) => runsOfOne(db, workspace_id, filter)));
  return each
    .flat()
    .sort((a, b) => b.seq - a.seq)
    .slice(0, filter.limit);
}
