import { prepared, preparedUnscoped } from "../prepared.ts";
import type { JobTable, JobTypeName } from "../schema/job-tables.ts";
import type { Db } from "../store.ts";

export const insertJob = prepared<JobTable>((db, value) =>
  db.insertInto("jobs").values({
    id: value("id"),
    firm_id: value("firm_id"),
    workspace_id: value("workspace_id"),
    user_id: value("user_id"),
    api_key_id: value("api_key_id"),
    type: value("type"),
    status: value("status"),
    stage: value("stage"),
    completed: value("completed"),
    total: value("total"),
    attempts: value("attempts"),
    input_json: value("input_json"),
    result_json: value("result_json"),
    engine_json: value("engine_json"),
    error_code: value("error_code"),
    error_message: value("error_message"),
    quota: value("quota"),
    created_at: value("created_at"),
    started_at: value("started_at"),
    finished_at: value("finished_at"),
  }),
);

/** Writes the columns that a transition may change. The snapshot's revision guards the write. */
export const updateJob = prepared<JobTable>((db, value) =>
  db
    .updateTable("jobs")
    .set({
      status: value("status"),
      stage: value("stage"),
      completed: value("completed"),
      total: value("total"),
      attempts: value("attempts"),
      result_json: value("result_json"),
      engine_json: value("engine_json"),
      error_code: value("error_code"),
      error_message: value("error_message"),
      quota: value("quota"),
      started_at: value("started_at"),
      finished_at: value("finished_at"),
    })
    .where("id", "=", value("id"))
    .where("firm_id", "=", value("firm_id")),
);

/** A job by id alone. For the host, which acts for no tenant. */
export const jobById = preparedUnscoped<{ id: string }, JobTable>((db, value) =>
  db.selectFrom("jobs").selectAll().where("id", "=", value("id")),
);

export interface JobFilter {
  readonly firm_id: string;
  readonly user_id: string;
  readonly workspace_id: string;
  readonly type: JobTypeName;
  readonly status?: JobTable["status"] | undefined;
  /** The id of the last job seen. */
  readonly before?: string | undefined;
  readonly limit: number;
}

/** A person's jobs of one type in a workspace, newest first. */
export const jobsOf = (db: Db, { firm_id, user_id, workspace_id, type, status, before, limit }: JobFilter) =>
  db
    .selectFrom("jobs")
    .selectAll()
    .where("firm_id", "=", firm_id)
    .where("user_id", "=", user_id)
    .where("workspace_id", "=", workspace_id)
    .where("type", "=", type)
    .$if(status !== undefined, (q) => q.where("status", "=", status ?? "queued"))
    .$if(before !== undefined, (q) => q.where("id", "<", before ?? ""))
    .orderBy("id", "desc")
    .limit(limit)
    .execute();

/** A job of the firm. Another firm's is not found. */
export const jobInFirm = prepared<{ id: string; firm_id: string }, JobTable>((db, value) =>
  db.selectFrom("jobs").selectAll().where("id", "=", value("id")).where("firm_id", "=", value("firm_id")),
);
