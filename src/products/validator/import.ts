import { type Static, Type as T } from "@sinclair/typebox";
import { audienceInFirm, insertAudience } from "../../../db/queries/audiences.ts";
import { insertSnapshot } from "../../../db/queries/snapshots.ts";
import { insertValidation, personasOf, putPersona, validationById } from "../../../db/queries/validations.ts";
import type { AudienceTable, ValidationPersonaTable, ValidationTable } from "../../../db/schema/validator-tables.ts";
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

/** One line of the file: a study made on the specialist web surface. */
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
      /** On the Juster scale. */
      juster: T.Number({ minimum: 0, maximum: 10 }),
      answer: Text(4000),
    }),
    { maxItems: 50 },
  ),
});
export type ImportedStudy = Static<typeof ImportedStudy>;

/** The owner of the imported studies. */
export interface ImportOwner {
  readonly firm_id: string;
  readonly workspace_id: string;
  readonly user_id: string;
}

/** The result for one line; `notes` says why it was refused or what is unusual about it. */
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

/** Returns what is wrong with a line's study. */
function faultsOf(study: unknown): string[] {
  if (study === undefined) return ["is not valid JSON"];
  const wrong = problems(ImportedStudy, study, "").map(({ path, message }) => `${path || "/"} ${message}`);
  if (wrong.length > 0) return wrong;
  const { audience } = study as ImportedStudy;
  return marketNamed(audience.market) ? [] : [`/audience/market ${unknownMarket}`];
}

/** Returns the snapshot of a study that went through all of its states elsewhere. */
function completedSnapshot(personas: number): string {
  const asked: ValidationEvent[] =
    personas === 0
      ? [{ type: "DREW", batches: 0 }]
      : [
          { type: "DREW", batches: 1 },
          { type: "INTERVIEWED", batch: 0, personas },
          { type: "WEIGHED" },
          { type: "SETTLED" },
        ];
  const events: ValidationEvent[] = [{ type: "BEGIN" }, ...asked];
  return events.reduce(
    (snapshot, event) => validationStatechart.next(snapshot, event).snapshot,
    validationStatechart.initial({}).snapshot,
  );
}

function rowOf(study: ImportedStudy, owner: ImportOwner): ValidationTable {
  const { id, hypothesis, decision_size, audience, verdict, confidence, summary, personas } = study;
  const created_at = Date.parse(study.created_at);
  const market = marketNamed(audience.market)?.code ?? audience.market;
  return {
    ...owner,
    ...{ id, hypothesis, decision_size, verdict, confidence, summary, created_at },
    source: "imported",
    mode: "live",
    audience_id: audience.id,
    audience_name: audience.name,
    audience_text: audience.description,
    ...{ market, audience_market: market },
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

/** Returns the personas as stored, in order. */
const personaRowsOf = ({ id, personas }: ImportedStudy): ValidationPersonaTable[] =>
  personas.map(({ age, role, bio, juster, answer }, number) => {
    const persona_json = JSON.stringify({ number, age, role, bio });
    const given = { juster, framings: [juster], reason: "none", objections: [], words: answer };
    return { validation_id: id, number, persona_json, answer_json: JSON.stringify(given) };
  });

async function write(tx: Db, study: ImportedStudy, owner: ImportOwner, at: number, actor: string): Promise<void> {
  const row = rowOf(study, owner);
  const { audience, personas, id } = study;
  const described = { ...audience, ...owner, market: row.market, size: Math.min(50, Math.max(5, personas.length)) };
  if (!(await audienceInFirm.first(tx, { id: audience.id, firm_id: owner.firm_id })))
    await insertAudience.run(tx, { ...described, source: "imported", created_at: row.created_at });
  await insertValidation.run(tx, row);
  const snapshot_json = completedSnapshot(personas.length);
  await insertSnapshot.run(tx, { actor_id: id, machine: validationMachineName, revision: 1, snapshot_json });
  for (const persona of personaRowsOf(study)) await putPersona.run(tx, persona);
  const data = { personas: personas.length, decision_size: row.decision_size };
  await appendAudit(tx, { at, firm_id: owner.firm_id, actor, action: "validation.import", subject: id, data });
}

export interface ImportOptions {
  readonly store: Store;
  readonly runtime: Runtime;
  readonly actor: string;
  readonly owner: ImportOwner;
  /** JSON lines, one study each. */
  readonly text: string;
  readonly dryRun: boolean;
}

/** The values of a study or an audience, by JSON pointer. */
type Said = Readonly<Record<string, string | number | null>>;

/** Studies and audiences of earlier lines, by id. Kept in a dry run too, so that it reports what the import would. */
interface Brought {
  readonly studies: Map<string, Said>;
  readonly audiences: Map<string, Said>;
}

const saidOf = (row: ValidationTable, personas: readonly ValidationPersonaTable[]): Said => ({
  "/hypothesis": row.hypothesis,
  "/decision_size": row.decision_size,
  "/audience/id": row.audience_id,
  "/audience/name": row.audience_name,
  "/audience/description": row.audience_text,
  "/audience/market": row.market,
  "/verdict": row.verdict,
  "/confidence": row.confidence,
  "/summary": row.summary,
  "/created_at": row.created_at,
  "/personas": JSON.stringify(
    personas.map(({ persona_json, answer_json }) => [JSON.parse(persona_json), JSON.parse(answer_json ?? "null")]),
  ),
});

const audienceSaid = ({ name, description, market }: Pick<AudienceTable, "name" | "description" | "market">): Said => ({
  "/audience/name": name,
  "/audience/description": description,
  "/audience/market": market,
});

/** Returns the pointers at which the two differ. */
const differing = (one: Said, other: Said): string[] => Object.keys(one).filter((place) => one[place] !== other[place]);

/** Returns the firm's study with that id, `foreign` if the id belongs to another one, or `undefined` if it is free. */
async function studyHeld(
  { store: { read }, owner }: ImportOptions,
  { studies }: Brought,
  id: string,
): Promise<Said | "foreign" | undefined> {
  const brought = studies.get(id);
  if (brought) return brought;
  const row = await validationById.first(unscoped(read), { id });
  if (!row) return undefined;
  if (row.firm_id !== owner.firm_id || row.source !== "imported") return "foreign";
  return saidOf(row, await personasOf.all(read, { validation_id: id }));
}

/** Like `studyHeld`, for an audience. */
async function audienceHeld(
  { store: { read }, owner: { firm_id } }: ImportOptions,
  { audiences }: Brought,
  id: string,
): Promise<Said | "foreign" | undefined> {
  const brought = audiences.get(id);
  if (brought) return brought;
  const own = await audienceInFirm.first(read, { id, firm_id });
  if (own) return audienceSaid(own);
  const taken = await unscoped(read).selectFrom("audiences").select("firm_id").where("id", "=", id).executeTakeFirst();
  return taken && "foreign";
}

/**
 * Whether the name or market differs, which makes it another audience. Descriptions may be rewritten between studies.
 */
const otherAudience = (places: readonly string[]): boolean => places.some((place) => place !== "/audience/description");

async function importLine(
  options: ImportOptions,
  brought: Brought,
  text: string,
  line: number,
): Promise<ImportOutcome> {
  const { store, runtime, actor, owner, dryRun } = options;
  const given = parsed(text);
  const faults = faultsOf(given);
  if (faults.length > 0) return { line, id: null, status: "refused", personas: 0, notes: faults };
  const study = given as ImportedStudy;
  const { id, personas, audience } = study;
  const row = rowOf(study, owner);
  const said = saidOf(row, personaRowsOf(study));
  const told = { line, id, personas: personas.length };
  const refused = (note: string): ImportOutcome => ({ ...told, status: "refused", notes: [note] });
  const held = await studyHeld(options, brought, id);
  if (held === "foreign") return refused("/id belongs to another study");
  const changed = held ? differing(said, held) : [];
  if (changed.length > 0)
    return refused(`/id belongs to an existing study with a different ${changed.join(", ")}: use a new id`);
  if (held) return { ...told, status: "unchanged", notes: [] };
  const described = audienceSaid({ ...audience, market: row.market });
  const known = await audienceHeld(options, brought, audience.id);
  if (known === "foreign") return refused("/audience/id belongs to another firm's audience");
  const places = known ? differing(described, known) : [];
  if (otherAudience(places))
    return refused(`/audience/id belongs to an existing audience with a different ${places.join(", ")}`);
  if (!dryRun) await store.write((tx) => write(tx, study, owner, runtime.now(), actor));
  brought.studies.set(id, said);
  if (!known) brought.audiences.set(audience.id, described);
  const notes = [
    ...(personas.length === 0 ? ["has no personas: nothing can be charged for it"] : []),
    ...(places.length > 0
      ? ["/audience/description is stored with the study; the existing audience keeps its own"]
      : []),
  ];
  return { ...told, status: "imported", notes };
}

/**
 * Imports studies line by line, each all or nothing. An existing study is unchanged if the line matches it and refused
 * if it differs, since it may have been charged. Called by the command.
 */
export async function importStudies(options: ImportOptions): Promise<ImportOutcome[]> {
  const brought: Brought = { studies: new Map(), audiences: new Map() };
  const outcomes: ImportOutcome[] = [];
  for (const [i, text] of options.text.split("\n").entries())
    if (text.trim() !== "") outcomes.push(await importLine(options, brought, text, i + 1));
  return outcomes;
}
