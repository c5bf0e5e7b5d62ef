import { prepared, preparedUnscoped } from "../prepared.ts";
import type { SolutionTable } from "../schema/solution-tables.ts";

export const insertSolution = prepared<SolutionTable>((db, value) =>
  db.insertInto("solutions").values({
    id: value("id"),
    firm_id: value("firm_id"),
    workspace_id: value("workspace_id"),
    user_id: value("user_id"),
    state: value("state"),
    intake_json: value("intake_json"),
    choices_json: value("choices_json"),
    saved_json: value("saved_json"),
    saved_sha256: value("saved_sha256"),
    consent_email: value("consent_email"),
    consented_at: value("consented_at"),
    revision: value("revision"),
    snapshot_json: value("snapshot_json"),
    created_at: value("created_at"),
    updated_at: value("updated_at"),
  }),
);

/** Writes what a transition may change: one row, or none where the row no longer has the revision `known`. */
export const updateSolution = prepared<SolutionTable & { known: number }>((db, value) =>
  db
    .updateTable("solutions")
    .set({
      state: value("state"),
      choices_json: value("choices_json"),
      saved_json: value("saved_json"),
      saved_sha256: value("saved_sha256"),
      consent_email: value("consent_email"),
      consented_at: value("consented_at"),
      revision: value("revision"),
      snapshot_json: value("snapshot_json"),
      updated_at: value("updated_at"),
    })
    .where("id", "=", value("id"))
    .where("firm_id", "=", value("firm_id"))
    .where("revision", "=", value("known")),
);

/** A solution of the firm; another one's is not there. */
export const solutionInFirm = prepared<{ id: string; firm_id: string }, SolutionTable>((db, value) =>
  db.selectFrom("solutions").selectAll().where("id", "=", value("id")).where("firm_id", "=", value("firm_id")),
);

/** A solution by its id alone: for the host, which acts for no tenant. */
export const solutionById = preparedUnscoped<{ id: string }, SolutionTable>((db, value) =>
  db.selectFrom("solutions").selectAll().where("id", "=", value("id")),
);
