import { prepared, preparedUnscoped } from "../prepared.ts";
import type { ValidationPersonaTable, ValidationTable } from "../schema/validator-tables.ts";
import type { Db } from "../store.ts";

export const insertValidation = prepared<ValidationTable>((db, value) =>
  db.insertInto("validations").values({
    id: value("id"),
    firm_id: value("firm_id"),
    workspace_id: value("workspace_id"),
    user_id: value("user_id"),
    source: value("source"),
    mode: value("mode"),
    audience_id: value("audience_id"),
    audience_name: value("audience_name"),
    audience_text: value("audience_text"),
    audience_market: value("audience_market"),
    hypothesis: value("hypothesis"),
    market: value("market"),
    decision_size: value("decision_size"),
    size: value("size"),
    language: value("language"),
    seed: value("seed"),
    status: value("status"),
    asked: value("asked"),
    verdict: value("verdict"),
    confidence: value("confidence"),
    summary: value("summary"),
    report_json: value("report_json"),
    error_code: value("error_code"),
    error_message: value("error_message"),
    charged_credits: value("charged_credits"),
    charged_at: value("charged_at"),
    created_at: value("created_at"),
    finished_at: value("finished_at"),
  }),
);

/** Writes the columns that a transition may change. The snapshot's revision guards the write. */
export const updateValidation = prepared<ValidationTable>((db, value) =>
  db
    .updateTable("validations")
    .set({
      status: value("status"),
      asked: value("asked"),
      verdict: value("verdict"),
      confidence: value("confidence"),
      summary: value("summary"),
      report_json: value("report_json"),
      error_code: value("error_code"),
      error_message: value("error_message"),
      charged_credits: value("charged_credits"),
      charged_at: value("charged_at"),
      finished_at: value("finished_at"),
    })
    .where("id", "=", value("id"))
    .where("firm_id", "=", value("firm_id")),
);

/** A validation by id alone. For the host, which acts for no tenant. */
export const validationById = preparedUnscoped<{ id: string }, ValidationTable>((db, value) =>
  db.selectFrom("validations").selectAll().where("id", "=", value("id")),
);

/** A validation of the firm. Another firm's is not found. */
export const validationInFirm = prepared<{ id: string; firm_id: string }, ValidationTable>((db, value) =>
  db.selectFrom("validations").selectAll().where("id", "=", value("id")).where("firm_id", "=", value("firm_id")),
);

/** The firm's latest validations, newest first; of one workspace if `workspace_id` is not empty. */
export const latestValidations = prepared<{ firm_id: string; workspace_id: string; limit: number }, ValidationTable>(
  (db, value) =>
    db
      .selectFrom("validations")
      .selectAll()
      .where("firm_id", "=", value("firm_id"))
      .where((is) =>
        is.or([is(is.val(value("workspace_id")), "=", ""), is("workspace_id", "=", value("workspace_id"))]),
      )
      .orderBy("id", "desc")
      .limit(value("limit")),
);

/** Inserts a drawn persona, or updates its answer. */
export const putPersona = prepared<ValidationPersonaTable>((db, value) =>
  db
    .insertInto("validation_personas")
    .values({
      validation_id: value("validation_id"),
      number: value("number"),
      persona_json: value("persona_json"),
      answer_json: value("answer_json"),
    })
    .onConflict((conflict) =>
      conflict
        .columns(["validation_id", "number"])
        .doUpdateSet((of) => ({ answer_json: of.ref("excluded.answer_json") })),
    ),
);

/** A study's personas, by number. */
export const personasOf = prepared<{ validation_id: string }, ValidationPersonaTable>((db, value) =>
  db
    .selectFrom("validation_personas")
    .selectAll()
    .where("validation_id", "=", value("validation_id"))
    .orderBy("number"),
);

/** The workspaces' imported studies that were charged on their own, from `from` up to but excluding `before`. */
export const studyCharges = (
  db: Db,
  firm_id: string,
  { workspace_ids, from, before }: { workspace_ids: readonly string[]; from: number; before: number },
): Promise<{ charged_at: number | null; charged_credits: number | null }[]> =>
  db
    .selectFrom("validations")
    .select(["charged_at", "charged_credits"])
    .where("firm_id", "=", firm_id)
    .where("workspace_id", "in", [...workspace_ids])
    .where("charged_at", ">=", from)
    .where("charged_at", "<", before)
    .orderBy("charged_at")
    .execute();
