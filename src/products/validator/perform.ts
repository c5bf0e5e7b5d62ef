import { runInFirm } from "../../../db/queries/runs.ts";
import { personasOf } from "../../../db/queries/validations.ts";
import type { EffectTable } from "../../../db/schema/tables.ts";
import type { ValidationPersonaTable, ValidationTable } from "../../../db/schema/validator-tables.ts";
import type { Store } from "../../../db/store.ts";
import type { ValidationEvent, ValidationStage } from "../../../machines/validation.ts";
import { EngineError } from "../../contracts/engine.ts";
import type { Control } from "../../execution/control.ts";
import { fan } from "../../execution/fan.ts";
import type { Host } from "../../execution/host.ts";
import { type CooperativeYield, cooperativeYield } from "../../knowledge/retrieval/cooperative-yield.ts";
import type { Log } from "../../platform/log.ts";
import type { Runtime } from "../../platform/runtime.ts";
import { runCooperatively } from "../slices.ts";
import type { Answer } from "./answer.ts";
import { conclude } from "./conclude.ts";
import { endedEarly, type ValidationEventContext, type ValidationState } from "./decide.ts";
import type { Interviewer } from "./interviewer.ts";
import type { ValidationKind } from "./kind.ts";
import type { Persona } from "./persona.ts";
import { personasOfDrawn, studyOf, studyWithPeople } from "./study.ts";

/** Personas interviewed between two commits, which is the most that a crash repeats. */
export const batchSize = 5;

export interface ValidationPerformOptions {
  readonly store: Store;
  readonly host: Host;
  readonly kind: ValidationKind;
  readonly interviewer: Interviewer;
  readonly runtime: Runtime;
  readonly log: Log;
}

type Caused = Omit<ValidationEventContext, "at" | "actor">;
type Outcome = readonly [ValidationEvent, Caused];

const personaOf = ({ persona_json }: ValidationPersonaTable): Persona => JSON.parse(persona_json) as Persona;
const answerOf = ({ answer_json }: ValidationPersonaTable): Answer => JSON.parse(answer_json ?? "null") as Answer;

/** Carries out the stages of validations: drawing, each batch of interviews, weighing. Created by `app.ts`. */
export class ValidationPerformer {
  constructor(private readonly options: ValidationPerformOptions) {}

  private async draw(row: ValidationTable): Promise<Outcome> {
    const { study, drawn } = await runCooperatively(this.options.runtime, studyWithPeople(row));
    const personas = personasOfDrawn(study, drawn).map((persona) => ({
      validation_id: row.id,
      number: persona.number,
      persona_json: JSON.stringify(persona),
      answer_json: null,
    }));
    return [{ type: "DREW", batches: Math.ceil(personas.length / batchSize) }, { personas }];
  }

  private async interview(
    row: ValidationTable,
    batch: number,
    { signal }: Control,
    turn: CooperativeYield,
  ): Promise<Outcome> {
    const { store, interviewer } = this.options;
    const study = studyOf(row);
    const all = await personasOf.all(store.read, { validation_id: row.id });
    const asked = all.slice(batch * batchSize, (batch + 1) * batchSize);
    const work = async (one: ValidationPersonaTable): Promise<ValidationPersonaTable> => {
      await turn();
      const answer = await interviewer.ask(personaOf(one), study, row.hypothesis, signal);
      return { ...one, answer_json: JSON.stringify(answer) };
    };
    const personas = await fan(asked, work, { concurrency: batchSize, signal });
    return [{ type: "INTERVIEWED", batch, personas: personas.length }, { personas }];
  }

  private async weigh(row: ValidationTable): Promise<Outcome> {
    const { store, runtime, interviewer } = this.options;
    const stored = await personasOf.all(store.read, { validation_id: row.id });
    const asked = stored.map((one) => ({ persona: personaOf(one), answer: answerOf(one) }));
    const { study, drawn } = await runCooperatively(runtime, studyWithPeople(row));
    const studied = {
      ...study,
      drawn,
      asked,
      engine: interviewer.identity,
      inputs: interviewer.inputs,
    };
    const conclusion = await runCooperatively(runtime, conclude(studied));
    return [{ type: "WEIGHED" }, { conclusion }];
  }

  /** Whether its run has already ended, cancelled or failed. */
  private async isAbandoned({ id, firm_id }: ValidationTable): Promise<boolean> {
    const run = await runInFirm.first(this.options.store.read, { id, firm_id });
    return run === undefined || run.finished_at !== null;
  }

  private async work({ row }: ValidationState, effect: EffectTable, control: Control): Promise<Outcome> {
    const { runtime } = this.options;
    if (await this.isAbandoned(row)) return [{ type: "CANCEL" }, { message: endedEarly(row) }];
    const stage = effect.kind as ValidationStage;
    if (stage === "draw") return this.draw(row);
    if (stage === "weigh") return this.weigh(row);
    const { batch } = JSON.parse(effect.payload_json) as { batch: number };
    return this.interview(row, batch, control, cooperativeYield(runtime, control.signal));
  }

  /** Returns the outcome of a stage; `undefined` if the process is stopping, so that the next start repeats it. */
  private async attempt(state: ValidationState, effect: EffectTable, control: Control): Promise<Outcome | undefined> {
    try {
      return await this.work(state, effect, control);
    } catch (error) {
      if (control.aborted) return undefined;
      if (error instanceof EngineError) {
        const { code, message, retryable } = error;
        return [{ type: "FAILED", reason: code, retryable }, { message }];
      }
      this.options.log.error("a part of a validation failed", { effect: effect.id, error });
      return [{ type: "FAILED", reason: "engine_failed", retryable: false }, { message: "The engine failed." }];
    }
  }

  /** Carries out one stage and returns the effects that follow. Safe to repeat after a crash. */
  async carryOut(effect: EffectTable, control: Control): Promise<readonly EffectTable[]> {
    const { host, kind, runtime } = this.options;
    const known = await kind.load(effect.actor_id);
    const outcome = await this.attempt(known, effect, control);
    if (!outcome) return [];
    const [event, caused] = outcome;
    const context = { ...caused, at: runtime.now(), actor: "host" };
    const applied = await host.deliver(kind, { id: effect.actor_id, known, events: [event], context, effect });
    return applied && !applied.refused ? applied.effects : [];
  }
}
