import { type Static, Type as T } from "@sinclair/typebox";
import { insertAudience } from "../../../db/queries/audiences.ts";
import { insertSnapshot } from "../../../db/queries/snapshots.ts";
import { insertValidation, putPersona, validationById } from "../../../db/queries/validations.ts";
import type { ValidationTable } from "../../../db/schema/validator-tables.ts";
import type { Db, Store } from "../../../db/store.ts";
import { unscoped } from "../../../db/tenancy.ts";
import type { ValidationEvent } from "../../../machines/validation.ts";
import { appendAudit } from "../../execution/audit.ts";
import type { Runtime } from "../../platform/runtime.ts";
import { closed, nullable } from "../../platform/schema.ts";
import { problems } from "../../platform/validate.ts";
import { validationStatechart } from "./decide.ts";
import { languageOf } from "./hypothesis.ts";
import { validationMachineName } from "./machine-name.ts";
import { marketNamed, unknownMarket } from "./markets.ts";
import { DecisionSizeSchema, Verdict } from "./report.ts";

const Text = (maxLength: number) => T.String({ minLength: 1, maxLength });

/** A line of the file: a study that was made on the specialist web surface. */
export const ImportedStudy = closed({
  id: T.String({ format: "uuid" }),
  hypothesis: T.String({ minLength: 10, maxLength: 2000 }),
  decision_size: DecisionSizeSchema,
  audience: closed({
    id: T.String({ format: "uuid" }),
    name: Text(120),
    description: Text(2000),
    market: T.String({ minLength: 2, maxLength: 120 }),
  }),
  verdict: nullable(Verdict),
  confidence: nullable(T.Number({ minimum: 0, maximum: 1 })),
  summary: nullable(Text(2000)),
  created_at: T.String({ format: "date-time" }),
  personas: T.Array(
    closed({
      age: T.Integer({ minimum: 18, maximum: 110 }),
      role: Text(120),
      bio: Text(1000),
      /** On the scale of Juster. */
      juster: T.Number({ minimum: 0, maximum: 10 }),
      answer: Text(4000),
    }),
    { maxItems: 50 },
  ),
});
export type ImportedStudy = Static<typeof ImportedStudy>;

/** Whose the studies become. */
export interface ImportOwner {
  readonly firm_id: string;
  readonly workspace_id: string;
  readonly user_id: string;
}

/** What became of a line; `notes`: why it was refused, or what is odd about it. */
export interface ImportOutcome {
  readonly line: number;
  readonly id: string | null;
  readonly status: "imported" | "unchanged" | "refused";
  readonly personas: number;
  readonly notes: readonly string[];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** What is wrong with a line's study. */
function faultsOf(study: unknown): string[] {
  if (study === undefined) return ["is no JSON"];
  const wrong = problems(ImportedStudy, study, "").map(({ path, message }) => `${path || "/"} ${message}`);
  if (wrong.length > 0) return wrong;
  const { audience } = study as ImportedStudy;
  return marketNamed(audience.market) ? [] : [`/audience/market ${unknownMarket}`];
}

/** The snapshot of a study that has gone through all of its states elsewhere. */
function completedSnapshot(personas: number): string {
  const asked: ValidationEvent[] =
    personas === 0
      ? [{ type: "DREW", batches: 0 }]
      : [{ type: "DREW", batches: 1 }, { type: "INTERVIEWED", batch: 0, personas }, { type: "WEIGHED" }];
  const events: ValidationEvent[] = [{ type: "BEGIN" }, ...asked];
  return events.reduce(
    (snapshot, event) => validationStatechart.next(snapshot, event).snapshot,
    validationStatechart.initial({}).snapshot,
  );
}

function rowOf(study: ImportedStudy, owner: ImportOwner): ValidationTable {
  const { id, hypothesis, decision_size, audience, verdict, confidence, summary, personas } = study;
  const created_at = Date.parse(study.created_at);
  return {
    ...owner,
    ...{ id, hypothesis, decision_size, verdict, confidence, summary, created_at },
    source: "imported",
    mode: "live",
    audience_id: audience.id,
    audience_name: audience.name,
    audience_text: audience.description,
    market: marketNamed(audience.market)?.code ?? audience.market,
    size: personas.length,
    language: languageOf(hypothesis),
    seed: "",
    status: "completed",
    asked: personas.length,
    report_json: null,
    error_code: personas.length === 0 ? "no_personas" : null,
    error_message: personas.length === 0 ? "It was imported without personas." : null,
    charged_credits: null,
    charged_at: null,
    finished_at: created_at,
  };
}

async function write(tx: Db, study: ImportedStudy, owner: ImportOwner, at: number, actor: string): Promise<void> {
  const row = rowOf(study, owner);
  const { audience, personas, id } = study;
  const known = await tx
    .selectFrom("audiences")
    .select("id")
    .where("id", "=", audience.id)
    .where("firm_id", "=", owner.firm_id)
    .executeTakeFirst();
  const described = { ...audience, ...owner, market: row.market, size: Math.min(50, Math.max(5, personas.length)) };
  if (!known) await insertAudience.run(tx, { ...described, source: "imported", created_at: row.created_at });
  await insertValidation.run(tx, row);
  const snapshot_json = completedSnapshot(personas.length);
  await insertSnapshot.run(tx, { actor_id: id, machine: validationMachineName, revision: 1, snapshot_json });
  for (const [number, { age, role, bio, juster, answer }] of personas.entries()) {
    const persona_json = JSON.stringify({ number, age, role, bio });
    const given = { juster, framings: [juster], reason: "none", objections: [], words: answer };
    await putPersona.run(tx, { validation_id: id, number, persona_json, answer_json: JSON.stringify(given) });
  }
  const data = { personas: personas.length, decision_size: row.decision_size };
  await appendAudit(tx, { at, firm_id: owner.firm_id, actor, action: "validation.import", subject: id, data });
}

export interface ImportOptions {
  readonly store: Store;
  readonly runtime: Runtime;
  readonly actor: string;
  readonly owner: ImportOwner;
  /** JSON lines: one study each. */
  readonly text: string;
  readonly dryRun: boolean;
}

/** Whether the id is taken by an audience of another firm. */
async function isForeignAudience({ read }: Store, id: string, { firm_id }: ImportOwner): Promise<boolean> {
  const taken = await unscoped(read).selectFrom("audiences").select("firm_id").where("id", "=", id).executeTakeFirst();
  return taken !== undefined && taken.firm_id !== firm_id;
}

async function importLine(options: ImportOptions, text: string, line: number): Promise<ImportOutcome> {
  const { store, runtime, actor, owner, dryRun } = options;
  const given = parsed(text);
  const faults = faultsOf(given);
  if (faults.length > 0) return { line, id: null, status: "refused", personas: 0, notes: faults };
  const study = given as ImportedStudy;
  const { id, personas } = study;
  const told = { line, id, personas: personas.length };
  const known = await validationById.first(unscoped(store.read), { id });
  if (known && (known.firm_id !== owner.firm_id || known.source !== "imported"))
    return { ...told, status: "refused", notes: ["/id is another study's"] };
  if (known) return { ...told, status: "unchanged", notes: [] };
  if (await isForeignAudience(store, study.audience.id, owner))
    return { ...told, status: "refused", notes: ["/audience/id is another firm's audience"] };
  if (!dryRun) await store.write((tx) => write(tx, study, owner, runtime.now(), actor));
  const notes = personas.length === 0 ? ["has no personas: nothing can be charged for it"] : [];
  return { ...told, status: "imported", notes };
}

/** Imports studies, each whole or not at all, line by line. What is there already is left alone. Called by the command. */
export async function importStudies(options: ImportOptions): Promise<ImportOutcome[]> {
  const outcomes: ImportOutcome[] = [];
  for (const [i, text] of options.text.split("\n").entries())
    if (text.trim() !== "") outcomes.push(await importLine(options, text, i + 1));
  return outcomes;
}
