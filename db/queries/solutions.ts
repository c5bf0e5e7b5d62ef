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

/** Writes the columns that a transition may change. Changes no row if the row no longer has the revision `known`. */
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

/** A solution of the firm. Another firm's is not found. */
export const solutionInFirm = prepared<{ id: string; firm_id: string }, SolutionTable>((db, value) =>
  db.selectFrom("solutions").selectAll().where("id", "=", value("id")).where("firm_id", "=", value("firm_id")),
);

/** A solution by id alone. For the host, which acts for no tenant. */
export const solutionById = preparedUnscoped<{ id: string }, SolutionTable>((db, value) =>
  db.selectFrom("solutions").selectAll().where("id", "=", value("id")),
);

/** Up to `limit` solutions of any firm between two ids, in order. `updated_at` shows which of them are due. */
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

/** Deletes a solution that has not changed since then; otherwise deletes nothing. */
export const deleteSolutionBefore = prepared<{ id: string; firm_id: string; before: number }>((db, value) =>
  db
    .deleteFrom("solutions")
    .where("id", "=", value("id"))
    .where("firm_id", "=", value("firm_id"))
    .where("updated_at", "<", value("before")),
);

/** The text that a model wrote for a solution's document, or the reason why there is none. */
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

/** Stores the outcome of asking a model. An existing text is kept, because it may have been read. */
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

/** How often a model was asked for the firm's texts since an instant. */
export const solutionTextAsks = prepared<{ firm_id: string; since: number }, { asks: number | null }>((db, value) =>
  db
    .selectFrom("solution_texts")
    .select((eb) => eb.fn.sum<number | null>("asks").as("asks"))
    .where("firm_id", "=", value("firm_id"))
    .where("asked_at", ">=", value("since")),
);

/** Deletes all texts of a solution. */
export const deleteSolutionTexts = prepared<Pick<SolutionTextTable, "solution_id" | "firm_id">>((db, value) =>
  db
    .deleteFrom("solution_texts")
    .where("solution_id", "=", value("solution_id"))
    .where("firm_id", "=", value("firm_id")),
);
