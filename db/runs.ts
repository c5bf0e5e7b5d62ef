import { sql } from "kysely";
import type { Db } from "./connection.ts";
import { prepared } from "./prepared.ts";
import type { ReceiptTable, RunStatus, RunTable } from "./tables.ts";

export const insertRun = prepared<RunTable>((db, value) =>
  db.insertInto("runs").values({
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
  }),
);

/** Writes what a transition may change. The snapshot's revision guards it. */
export const updateRun = prepared<RunTable>((db, value) =>
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
      started_at: value("started_at"),
      finished_at: value("finished_at"),
      updated_at: value("updated_at"),
      })
    .where("id", "=", value("id")),
);

export const insertReceipt = prepared<ReceiptTable>((db, value) =>
  db.insertInto("receipts").values({ run_id: value("run_id"), receipt: value("receipt") }),
);

/** A run's receipt, which is there once the run is terminal. Whether the caller may see the run is asked before. */
export const receiptOf = prepared<{ run_id: string }, { receipt: string }>((db, value) =>
  db.selectFrom("receipts").select("receipt").where("run_id", "=", value("run_id")),
);

/** A run by its id alone: for the host, which acts for no tenant. */
export const runById = prepared<{ id: string }, RunTable>((db, value) =>
  db.selectFrom("runs").selectAll().where("id", "=", value("id")),
);

/** A run of the workspace; another one's is not there. */
export const runInWorkspace = prepared<{ id: string; workspace_id: string }, RunTable>((db, value) =>
  db
    .selectFrom("runs")
    .selectAll()
    .where("id", "=", value("id"))
    .where("workspace_id", "=", value("workspace_id")),
);

/** A run of the firm, in whichever workspace. */
export const runInFirm = prepared<{ id: string; firm_id: string }, RunTable>((db, value) =>
  db.selectFrom("runs").selectAll().where("id", "=", value("id")).where("firm_id", "=", value("firm_id")),
);

export interface RunFilter {
  readonly workspace_ids: readonly string[];
  readonly status?: RunStatus | undefined;
  readonly capability?: string | undefined;
  readonly before?: string | undefined;
  readonly limit: number;
}

/** Runs of the workspaces, the newest first. */
export function runsOf(db: Db, { workspace_ids, status, capability, before, limit }: RunFilter): Promise<RunTable[]> {
  let query = db
    .selectFrom("runs")
    .selectAll()
    .where("workspace_id", "in", [...workspace_ids])
    .orderBy("id", "desc")
    .limit(limit);
  if (before !== undefined) query = query.where("id", "<", before);
  if (capability !== undefined) query = query.where("capability", "=", capability);
  // As a literal, so that the partial index over the exceptional states serves.
  if (status !== undefined) query = query.where("status", "=", sql<RunStatus>`${sql.lit(status)}`);
  // An unfinished run always has something to do: the few effects lead to it, not the many runs.
  if (status === "queued" || status === "running")
    query = query.where("id", "in", db.selectFrom("effects").select("actor_id").where("machine", "=", "run"));
  return query.execute();
}

/** Terminal runs behind `after` in the order of ids, for `assay verify`. */
export const finishedRuns = (db: Db, after: string, limit: number): Promise<RunTable[]> =>
  db
    .selectFrom("runs")
    .selectAll()
    .where("id", ">", after)
    .where("finished_at", "is not", null)
    .orderBy("id")
    .limit(limit)
    .execute();
