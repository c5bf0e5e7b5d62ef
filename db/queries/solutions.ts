import { prepared, preparedUnscoped } from "../prepared.ts";
import type { SolutionTable, SolutionTextTable } from "../schema/solution-tables.ts";

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

/** Up to `limit` solutions of any firm with ids between two, in order: which of them are due is in `updated_at`. */
export const solutionsBetween = preparedUnscoped<
  { after: string; before: string; limit: number },
  Pick<SolutionTable, "id" | "firm_id" | "updated_at">
>((db, value) =>
  db
    .selectFrom("solutions")
    .select(["id", "firm_id", "updated_at"])
    .where("id", ">", value("after"))
    .where("id", "<", value("before"))
    .orderBy("id")
    .limit(value("limit")),
);

/** Deletes a solution that nothing has changed since; nothing where something has. */
export const deleteSolutionBefore = prepared<{ id: string; firm_id: string; before: number }>((db, value) =>
  db
    .deleteFrom("solutions")
    .where("id", "=", value("id"))
    .where("firm_id", "=", value("firm_id"))
    .where("updated_at", "<", value("before")),
);

/** What a model wrote for a document of a solution, or why it did not. */
export const solutionText = prepared<
  Pick<SolutionTextTable, "solution_id" | "firm_id" | "of_sha256" | "model">,
  SolutionTextTable
>((db, value) =>
  db
    .selectFrom("solution_texts")
    .selectAll()
    .where("solution_id", "=", value("solution_id"))
    .where("firm_id", "=", value("firm_id"))
    .where("of_sha256", "=", value("of_sha256"))
    .where("model", "=", value("model")),
);

/** Keeps what came of asking a model. A text that is there already stays: it may have been read. */
export const keepSolutionText = prepared<SolutionTextTable>((db, value) =>
  db
    .insertInto("solution_texts")
    .values({
      solution_id: value("solution_id"),
      of_sha256: value("of_sha256"),
      model: value("model"),
      firm_id: value("firm_id"),
      text_json: value("text_json"),
      failure: value("failure"),
      asks: value("asks"),
      asked_at: value("asked_at"),
    })
    .onConflict((c) =>
      c
        .columns(["solution_id", "of_sha256", "model"])
        .doUpdateSet((eb) => ({
          text_json: eb.ref("excluded.text_json"),
          failure: eb.ref("excluded.failure"),
          asks: eb("solution_texts.asks", "+", eb.ref("excluded.asks")),
          asked_at: eb.ref("excluded.asked_at"),
        }))
        .where("solution_texts.text_json", "is", null),
    ),
);

/** How often a model was asked for texts of the firm since an instant. */
export const solutionTextAsks = prepared<{ firm_id: string; since: number }, { asks: number | null }>((db, value) =>
  db
    .selectFrom("solution_texts")
    .select((eb) => eb.fn.sum<number | null>("asks").as("asks"))
    .where("firm_id", "=", value("firm_id"))
    .where("asked_at", ">=", value("since")),
);

/** Deletes what was written for a solution. */
export const deleteSolutionTexts = prepared<Pick<SolutionTextTable, "solution_id" | "firm_id">>((db, value) =>
  db
    .deleteFrom("solution_texts")
    .where("solution_id", "=", value("solution_id"))
    .where("firm_id", "=", value("firm_id")),
);
