import { latestValidations, personasOf, validationInFirm } from "../../../db/queries/validations.ts";
import type { ValidationTable } from "../../../db/schema/validator-tables.ts";
import type { Store } from "../../../db/store.ts";
import { EngineError } from "../../contracts/engine.ts";
import type { StudyInput } from "../../contracts/study.ts";
import { type Identity, type Principal, workspaceFor } from "../../identity/principal.ts";
import { present } from "../../platform/assert.ts";
import { rfc3339 } from "../../platform/clock.ts";
import { failure, invalid } from "../../platform/errors.ts";
import { canonical } from "../../platform/json.ts";
import type { Runtime } from "../../platform/runtime.ts";
import type { Registry } from "../../registry/registry.ts";
import type { Acceptance, Accepted, Submission } from "../../runs/accept.ts";
import { capabilityPlan } from "../../runs/plan.ts";
import type { Answer } from "./answer.ts";
import { createAudiences, scopeOf } from "./audiences.ts";
import { audienceFor, type Conductor, chargedFor, studyPath } from "./conductor.ts";
import { withoutVerdict } from "./decide.ts";
import { isUnreadable, unreadable } from "./hypothesis.ts";
import { marketNamed, unknownMarket } from "./markets.ts";
import type { Persona } from "./persona.ts";
import type { Outcome, ValidationList, ValidationResult } from "./schema.ts";
import { costOf, type DecisionSize, runSize } from "./sizes.ts";

/** A request to run a validation. */
export interface ValidationRequest {
  readonly hypothesis: string;
  readonly audience_id: string;
  readonly market?: string | undefined;
  readonly decision_size?: DecisionSize | undefined;
}

export interface ValidatorOptions {
  readonly store: Store;
  readonly acceptance: Acceptance;
  readonly conductor: Conductor;
  readonly identity: Identity;
  readonly registry: Registry;
  readonly runtime: Runtime;
  readonly baseUrl: string;
}

/** A persona of a study with its answer, as shown on the study's page. */
export interface StudiedPerson {
  readonly role: string;
  readonly bio: string;
  readonly answer: string;
  readonly juster: number;
}

/** Returns the start of a hypothesis, enough to recognise it in a list. */
function beginningOf(hypothesis: string): string {
  const letters = [...hypothesis];
  return letters.length <= 200 ? hypothesis : `${letters.slice(0, 199).join("")}…`;
}

const slug = "market-validator";
const operation = "validation.run";

/** Hides a verdict that the study's run has not settled yet. */
const delivered = (row: ValidationTable): ValidationTable =>
  row.status === "completed" ? row : { ...row, ...withoutVerdict };

/** Returns how a study ended; `null` while it is running. */
function outcomeOf({ status, verdict, error_code }: ValidationTable): Outcome | null {
  if (status === "running") return null;
  if (error_code !== null) return error_code === "cancelled" ? "cancelled" : "failed";
  return verdict === null ? "answers" : "verdict";
}

/**
 * Creates the service for audiences and validations that the tools, the page and the command line use. Called by
 * `app.ts`.
 */
export function createValidator({
  store,
  acceptance,
  conductor,
  identity,
  registry,
  runtime,
  baseUrl,
}: ValidatorOptions) {
  const dashboard = (id: string): string => baseUrl + studyPath(id);

  const listed = (row: ValidationTable) => ({
    simulation_id: row.id,
    status: row.status,
    outcome: outcomeOf(row),
    verdict: row.verdict,
    decision_size: row.decision_size,
    created_at: rfc3339(row.created_at),
    dashboard_url: dashboard(row.id),
  });

  /** Returns the current study. Throws `not_found` if it belongs to another firm or, for a key, another workspace. */
  async function studyOf({ firm_id, workspace_id }: Principal, id: string): Promise<ValidationTable> {
    const stored = await validationInFirm.first(store.read, { id, firm_id });
    if (!stored || (workspace_id !== null && stored.workspace_id !== workspace_id)) throw failure("not_found");
    return delivered(await conductor.current(stored));
  }

  const shown = (row: ValidationTable): ValidationResult => ({
    ...listed(row),
    progress: { completed: row.asked, total: row.size },
    confidence: row.confidence,
    summary: row.summary,
    mode: row.mode,
    audience_id: row.audience_id,
    error: row.error_code === null ? null : { code: row.error_code, message: row.error_message ?? "" },
    report: row.report_json === null ? null : JSON.parse(row.report_json),
    charged_credits: chargedFor(row),
  });

  /** Returns the personas; empty for a trial and for a study that has not been charged. */
  async function peopleOf({ id, mode, source, verdict }: ValidationTable): Promise<StudiedPerson[]> {
    if (mode === "trial" || (source === "run" && verdict === null)) return [];
    const stored = await personasOf.all(store.read, { validation_id: id });
    return stored.flatMap(({ persona_json, answer_json }) => {
      if (answer_json === null) return [];
      const { role, bio } = JSON.parse(persona_json) as Persona;
      const { words, juster } = JSON.parse(answer_json) as Answer;
      return [{ role, bio, answer: words, juster }];
    });
  }

  /** Returns the run that a key ordered of an audience since deleted. Throws `not_found` and `idempotency_conflict`. */
  async function orderedBefore(
    caller: Principal,
    asked: ValidationRequest,
    key: string | undefined,
  ): Promise<Accepted> {
    const earlier = key === undefined ? undefined : await acceptance.replayed(caller, operation, key);
    const { workspace_id } = caller;
    if (!earlier || (workspace_id !== null && earlier.run.row.workspace_id !== workspace_id))
      throw failure("not_found");
    const ordered = JSON.parse(earlier.run.row.input_json) as StudyInput;
    const { hypothesis, market = ordered.market, audience_id, decision_size = runSize } = asked;
    const again = { ...ordered, hypothesis, market, audience_id, decision_size };
    if (canonical(again) !== canonical(ordered)) throw failure("idempotency_conflict");
    return earlier;
  }

  return {
    ...createAudiences({ store, identity, runtime }),

    /**
     * Orders a validation: its run reserves the price of the whole audience and settles the personas interviewed.
     * Throws `not_found`, `validation_error` and the errors of accepting a run; a firm without enough credits gets a
     * refused run.
     */
    async order(
      caller: Principal,
      asked: ValidationRequest,
      surface: Submission["surface"],
      idempotency_key?: string,
    ): Promise<Accepted> {
      const { hypothesis, decision_size = runSize } = asked;
      const found = await audienceFor(store, caller, asked.audience_id);
      if (!found) return orderedBefore(caller, asked, idempotency_key);
      const { id, size, market } = found;
      const input = { hypothesis, market: asked.market ?? market, audience_id: id, decision_size, personas: size };
      const accepted = await acceptance.accept({
        principal: caller,
        slug,
        plan() {
          if (asked.market !== undefined && !marketNamed(asked.market)) throw invalid("/body/market", unknownMarket);
          if (isUnreadable(hypothesis)) throw invalid("/body/hypothesis", unreadable);
          const plan = capabilityPlan(present(registry.capabilities.get(slug), "the validator"), "live");
          return {
            ...plan,
            steps: plan.steps.map((step) => ({ ...step, maximum_credits: costOf(decision_size, size) })),
          };
        },
        input,
        mode: "live",
        workspace_id: await workspaceFor(identity, caller),
        surface,
        idempotency_key,
        operation,
      });
      const { row } = accepted.run;
      if (row.finished_at === null)
        await conductor.open(row.id, input).catch((error: unknown) => {
          // The audience was deleted after it was looked up. The run fails for the same reason and charges nothing.
          throw error instanceof EngineError ? failure("not_found") : error;
        });
      return accepted;
    },

    /** Throws `not_found`. */
    async result(caller: Principal, id: string): Promise<ValidationResult> {
      return shown(await studyOf(caller, id));
    },

    /** Returns everything that the study's page shows. Throws `not_found`. */
    async study(caller: Principal, id: string) {
      const row = await studyOf(caller, id);
      return { result: shown(row), hypothesis: row.hypothesis, people: await peopleOf(row) };
    },

    async latest(caller: Principal, limit: number): Promise<ValidationList> {
      const rows = await latestValidations.all(store.read, { ...scopeOf(caller), limit });
      const current = await Promise.all(rows.map(async (row) => delivered(await conductor.current(row))));
      return { validations: current.map((row) => ({ ...listed(row), hypothesis: beginningOf(row.hypothesis) })) };
    },
  };
}

export type Validator = ReturnType<typeof createValidator>;
