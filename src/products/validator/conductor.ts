import { audienceInFirm } from "../../../db/queries/audiences.ts";
import { runById, runInFirm } from "../../../db/queries/runs.ts";
import { validationById } from "../../../db/queries/validations.ts";
import type { RunTable } from "../../../db/schema/tables.ts";
import type { AudienceTable, ValidationTable } from "../../../db/schema/validator-tables.ts";
import type { Store } from "../../../db/store.ts";
import { unscoped } from "../../../db/tenancy.ts";
import type { ValidationEvent } from "../../../machines/validation.ts";
import { EngineError } from "../../contracts/engine.ts";
import type { StudyCaller, StudyConductor, StudyInput, StudyOrder, StudyOutcome } from "../../contracts/study.ts";
import type { Host } from "../../execution/host.ts";
import type { ActorWatch } from "../../execution/watch.ts";
import type { Worker } from "../../execution/worker.ts";
import { present } from "../../platform/assert.ts";
import { failure, invalid } from "../../platform/errors.ts";
import type { Log } from "../../platform/log.ts";
import type { Runtime } from "../../platform/runtime.ts";
import { type StoredStep, stepsOf } from "../../runs/record.ts";
import { decideNewValidation, endedEarly } from "./decide.ts";
import { isUnreadable, languageOf, unreadable } from "./hypothesis.ts";
import type { ValidationKind } from "./kind.ts";
import { marketNamed, unknownMarket } from "./markets.ts";
import type { Report } from "./report.ts";
import { costOf, runPersonas, runSize } from "./sizes.ts";
import { seedOf } from "./study.ts";

export interface ConductorOptions {
  readonly store: Store;
  readonly host: Host;
  readonly kind: ValidationKind;
  readonly worker: Worker;
  readonly watch: ActorWatch;
  readonly runtime: Runtime;
  readonly log: Log;
  readonly baseUrl: string;
}

/** Returns the path of a study's page. */
export const studyPath = (id: string): string => `/console/validations/${id}`;

/** A step's key starts with its run's id, which is also the study's id. */
const runIdLength = 36;

/**
 * Returns an audience that the caller may use. Not found if it belongs to another firm or, for a key, another
 * workspace.
 */
export async function audienceFor(store: Pick<Store, "read">, caller: StudyCaller, id: string) {
  const { firm_id, workspace_id } = caller;
  const row = await audienceInFirm.first(store.read, { id, firm_id });
  return row && (workspace_id === null || row.workspace_id === workspace_id) ? row : undefined;
}

const missingAudience = () =>
  new EngineError("audience_not_found", "The audience was deleted before the study began. Nothing was charged.", false);

/** Returns the initial study of a run. */
function newStudy(run: RunTable, input: StudyInput, audience: AudienceTable | undefined, created_at: number) {
  const { hypothesis, decision_size = runSize, personas: size = runPersonas } = input;
  const market = marketNamed(input.market);
  if (!market) throw new EngineError("market_unknown", `The market ${unknownMarket}.`, false);
  const asked = {
    hypothesis,
    market: market.code,
    audience_text: audience?.description ?? null,
    decision_size,
    size,
  };
  const { id, firm_id, workspace_id, user_id, mode } = run;
  return {
    ...{ id, firm_id, workspace_id, user_id, mode, created_at },
    ...asked,
    audience_id: audience?.id ?? null,
    audience_name: audience?.name ?? null,
    audience_market: audience?.market ?? null,
    seed: seedOf(asked),
    language: languageOf(hypothesis),
  };
}

/** The conductor, with the methods that the validator's own service needs. */
export interface Conductor extends StudyConductor {
  /**
   * Creates the study of a run if it does not exist, so that it is visible before the run is processed. Throws
   * `EngineError` if its audience has been deleted.
   */
  open(run_id: string, input: StudyInput): Promise<void>;
  /** Returns the current study, completed if its run has settled the charge or has ended without it. */
  current(row: ValidationTable): Promise<ValidationTable>;
}

/** Returns the credits charged for a study. An imported one is charged when its use is reported. */
export function chargedFor({ source, mode, verdict, decision_size, asked, charged_credits }: ValidationTable): number {
  if (source === "imported") return charged_credits ?? 0;
  return mode === "trial" || verdict === null ? 0 : costOf(decision_size, asked);
}

/** Returns the run's validator step; a use case's run has other steps too. */
export const stepOfStudy = (run: Pick<RunTable, "steps_json">): StoredStep | undefined =>
  stepsOf(run).find(({ capability }) => capability === "market-validator");

/** Returns a weighed study's outcome for its run. Throws `EngineError` if there is no verdict. */
function outcomeOf(row: ValidationTable, baseUrl: string): StudyOutcome {
  const { id, verdict, confidence, error_code, error_message, report_json } = row;
  if (verdict === null)
    throw new EngineError(error_code ?? "engine_failed", error_message ?? "The study reached no verdict.", false);
  const { notes = [] }: Pick<Report, "notes"> = JSON.parse(report_json ?? "{}");
  return { verdict, confidence: confidence ?? 0, reference: baseUrl + studyPath(id), notes, credits: chargedFor(row) };
}

/** Conducts the studies that runs ask for. */
class StudyHost implements Conductor {
  constructor(private readonly options: ConductorOptions) {}

  private stored(id: string) {
    return validationById.first(unscoped(this.options.store.read), { id });
  }

  async open(id: string, input: StudyInput): Promise<void> {
    if (await this.stored(id)) return;
    const { store, host, kind, runtime } = this.options;
    const run = present(await runById.first(unscoped(store.read), { id }), "the run of a study");
    const { audience_id } = input;
    const audience = audience_id === undefined ? undefined : await audienceFor(store, run, audience_id);
    if (audience_id !== undefined && !audience) throw missingAudience();
    const created_at = runtime.now();
    const decision = decideNewValidation(newStudy(run, input, audience, created_at), "host");
    const claim = { firm_id: run.firm_id, operation: "validation", key: id, input_hash: "", resource_id: id };
    const guards = [{ guard: "claim" as const, ...claim, created_at }];
    await host.commit(kind, { ...decision, transition: { ...decision.transition, guards } });
  }

  private async begin(id: string): Promise<void> {
    const { host, kind, worker, runtime } = this.options;
    const context = { at: runtime.now(), actor: "host" };
    const applied = await host.deliver(kind, { id, events: [{ type: "BEGIN" }], context });
    if (applied && !applied.refused) for (const effect of applied.effects) worker.submit(effect);
  }

  /**
   * Resolves with the study once it is weighed or has ended without a verdict. Rejects when the caller aborts; the
   * study continues. A stopping server starts no further batch: the run releases the study, and both resume at the next
   * start.
   */
  private async weighed(id: string, { signal, progress }: StudyOrder): Promise<ValidationTable> {
    const { watch, worker } = this.options;
    let wake = Promise.withResolvers<void>();
    const notice = () => wake.resolve();
    const unsubscribe = watch.subscribe(id, notice);
    for (const end of [signal, worker.ending]) end.addEventListener("abort", notice, { once: true });
    try {
      for (;;) {
        signal.throwIfAborted();
        const heard = wake.promise;
        const row = present(await this.stored(id), "the study");
        progress?.(row.asked < row.size ? "interviewing" : "weighing", row.asked, row.size);
        if (row.status === "completed" || row.verdict !== null) return row;
        if (worker.ending.aborted) worker.abort("run", id);
        signal.throwIfAborted();
        await heard;
        wake = Promise.withResolvers();
      }
    } finally {
      unsubscribe();
      for (const end of [signal, worker.ending]) end.removeEventListener("abort", notice);
    }
  }

  async current(row: ValidationTable): Promise<ValidationTable> {
    if (row.status === "completed") return row;
    const { store, host, kind, runtime } = this.options;
    const { id, firm_id } = row;
    const run = await runInFirm.first(store.read, { id, firm_id });
    const isSettled = row.verdict !== null && run !== undefined && stepOfStudy(run)?.status === "succeeded";
    if (!isSettled && run?.finished_at == null) return row;
    const event: ValidationEvent = { type: isSettled ? "SETTLED" : "CANCEL" };
    const context = { at: runtime.now(), actor: "host", ...(!isSettled && { message: endedEarly(row) }) };
    const applied = await host.deliver(kind, { id, events: [event], context });
    // Another reader may have completed it first.
    return applied && !applied.refused ? applied.state.row : ((await this.stored(id)) ?? row);
  }

  /** Completes a weighed study when its run settles or ends. After a crash, the next read completes it. */
  private follow(id: string): void {
    const { watch, log } = this.options;
    const look = async () => {
      const row = await this.stored(id);
      if (!row || (await this.current(row)).status === "completed") unsubscribe();
    };
    const unsubscribe = watch.subscribe(id, () => {
      look().catch((error: unknown) => log.warn("a study was not completed after its run", { study: id, error }));
    });
  }

  async admit({ hypothesis, market, audience_id }: StudyInput, caller: StudyCaller): Promise<void> {
    if (!marketNamed(market)) throw invalid("/body/input/market", unknownMarket);
    if (isUnreadable(hypothesis)) throw invalid("/body/input/hypothesis", unreadable);
    if (audience_id !== undefined && !(await audienceFor(this.options.store, caller, audience_id)))
      throw failure("not_found");
  }

  async conduct(order: StudyOrder): Promise<StudyOutcome> {
    const id = order.stepKey.slice(0, runIdLength);
    await this.open(id, order.input);
    await this.begin(id);
    const row = await this.weighed(id, order);
    if (row.status === "running") this.follow(id);
    return outcomeOf(row, this.options.baseUrl);
  }
}

/** Creates the conductor. Called by `app.ts`, once per store. */
export const createConductor = (options: ConductorOptions): Conductor => new StudyHost(options);
