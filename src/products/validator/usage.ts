import { runInFirm } from "../../../db/queries/runs.ts";
import { personasOf, validationInFirm } from "../../../db/queries/validations.ts";
import type { ValidationTable } from "../../../db/schema/validator-tables.ts";
import type { Store } from "../../../db/store.ts";
import { transfersOf } from "../../execution/credits/ledger.ts";
import type { Host } from "../../execution/host.ts";
import { transitionOf } from "../../execution/transition.ts";
import { actorOf, type Principal } from "../../identity/principal.ts";
import { present } from "../../platform/assert.ts";
import { rfc3339 } from "../../platform/clock.ts";
import { failure, invalid } from "../../platform/errors.ts";
import type { Runtime } from "../../platform/runtime.ts";
import { type Conductor, stepOfStudy } from "./conductor.ts";
import type { ValidationKind } from "./kind.ts";
import { validationMachineName } from "./machine-name.ts";
import type { ValidatorUsageResponse } from "./schema.ts";
import { costOf } from "./sizes.ts";

export interface UsageOptions {
  readonly store: Store;
  readonly host: Host;
  readonly kind: ValidationKind;
  readonly runtime: Runtime;
  readonly conductor: Pick<Conductor, "current">;
}

/** The step that an imported study's charge settles; also known to `db/sqlite/verification.ts`. */
const step = "study";
const nothing = (why: string) => invalid("/body/study_id", `has no personas to charge for: ${why}`);

/** Creates the reporting of use, which charges each study at most once. Called by `app.ts`. */
export function createValidatorUsage({ store, host, kind, runtime, conductor }: UsageOptions) {
  /** Returns what a study's own run has charged for it. */
  async function chargedByRun({ id, firm_id, status, verdict, asked }: ValidationTable) {
    if (status === "running") throw nothing("it is still running, and its run charges it when it completes");
    if (verdict === null) throw nothing("it reached no verdict, so its run released the credits");
    const run = present(await runInFirm.first(store.read, { id, firm_id }), "the run of a study");
    const own = stepOfStudy(run);
    if (own?.finished_at == null) throw nothing("its run ended without charging it");
    return {
      study_id: id,
      personas_count: asked,
      credits_charged: own.charged_credits,
      replayed: true,
      charged_at: own.finished_at,
    };
  }

  const told = (row: ValidationTable, personas_count: number, replayed: boolean): ValidatorUsageResponse => ({
    study_id: row.id,
    personas_count,
    credits_charged: row.charged_credits ?? 0,
    replayed,
    charged_at: rfc3339(row.charged_at ?? row.created_at),
  });

  /** Charges an imported study for its stored personas, in one commit. Of concurrent calls, one charges. */
  async function charge(caller: Principal, id: string): Promise<ValidatorUsageResponse> {
    const { row: before, revision: known, snapshot } = await kind.load(id);
    const personas = (await personasOf.all(store.read, { validation_id: id })).length;
    if (before.charged_at !== null) return told(before, personas, true);
    if (personas === 0) throw nothing("none is stored with the study");
    const { firm_id } = before;
    const at = runtime.now();
    const credits = costOf(before.decision_size, personas);
    const row = { ...before, charged_credits: credits, charged_at: at };
    const stored = { actor_id: id, machine: validationMachineName, revision: known + 1, snapshot_json: snapshot };
    const audited = { personas, credits };
    const applied = await host.commit(kind, {
      state: { row, revision: known + 1, snapshot },
      transition: transitionOf({
        actors: [{ write: "validation.update", row, snapshot: stored, known, personas: [] }],
        transfers: transfersOf({ firm_id, run_id: id, at, id: runtime.id }, [
          { type: "reserve", credits },
          { type: "settle", step, credits },
        ]),
        audit: [{ at, firm_id, actor: actorOf(caller), action: "validation.charge", subject: id, data: audited }],
      }),
    });
    if (applied.refused === "insufficient_credits") throw failure("quota_exceeded");
    if (applied.refused) return charge(caller, id);
    return told(row, personas, false);
  }

  return {
    /**
     * Reports a study's use. Throws `not_found` if it belongs to another firm or workspace, `validation_error` if there
     * is nothing to charge, and `quota_exceeded` if the firm lacks the credits; nothing is charged in these cases.
     */
    async report(caller: Principal, study_id: string): Promise<ValidatorUsageResponse> {
      const { firm_id, workspace_id } = caller;
      const row = await validationInFirm.first(store.read, { id: study_id, firm_id });
      if (!row || (workspace_id !== null && row.workspace_id !== workspace_id)) throw failure("not_found");
      return row.source === "run" ? chargedByRun(await conductor.current(row)) : charge(caller, row.id);
    },
  };
}

export type ValidatorUsage = ReturnType<typeof createValidatorUsage>;
