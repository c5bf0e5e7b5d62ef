import type { PlacedRun } from "../../db/queries/runs.ts";
import { resultsOfRun, resultsOfRuns } from "../../db/queries/step-results.ts";
import type { StepResultTable } from "../../db/schema/tables.ts";
import type { Db } from "../../db/store.ts";
import type { Transition } from "../../db/transition.ts";
import { chain, type MaybePromise } from "../platform/maybe-promise.ts";
import { packSteps } from "./packed-row.ts";
import { type StoredRun, type StoredStep, stepsOf } from "./record.ts";

/**
 * A run's row is written again by each transition, with its steps. A longer result, in characters of its JSON, gets a row
 * of its own, which is written once.
 */
export const longestInline = 2_048;

/** Steps as a transition writes them: into the run's row, and beside it. */
export interface WrittenSteps {
  readonly steps: readonly StoredStep[];
  readonly steps_json: string;
  readonly results: Transition["results"];
}

/** Seals a step's output under a key that the same transition writes. */
export type SealOutput = (step: string, text: string) => string;

type NewResult = Transition["results"]["put"][number];

const isSeparate = ({ separate_result_chars }: StoredStep): boolean => separate_result_chars !== undefined;

/** A step whose output waits for approval: from here on it is sealed, in memory too. */
function sealedStep(step: StoredStep, put: NewResult[], seal: SealOutput): StoredStep {
  if (step.result === null) return step;
  const result_json = seal(step.key, JSON.stringify(step.result));
  put.push({ step: step.key, result_json });
  return { ...step, result: null, sealed: true, separate_result_chars: result_json.length };
}

/** The steps after a transition that found them as `before`: the same steps in the same order. Called by `decide.ts`. */
export function writtenSteps(
  before: readonly StoredStep[],
  after: readonly StoredStep[],
  seal: SealOutput,
): WrittenSteps {
  const put: NewResult[] = [];
  const clear: string[] = [];
  const steps = after.map((found, i) => {
    if (found.status === "awaiting_approval") return sealedStep(found, put, seal);
    let step = found;
    if (isSeparate(step) && (step.sealed || step.result === null)) {
      clear.push(step.key);
      step = { ...step, separate_result_chars: undefined, sealed: undefined };
    }
    if (step.result === null || step.result === before[i]?.result) return step;
    const result_json = JSON.stringify(step.result);
    if (result_json.length <= longestInline) return step;
    put.push({ step: step.key, result_json });
    return { ...step, separate_result_chars: result_json.length };
  });
  const inRow = steps.map((step) => (isSeparate(step) ? { ...step, result: null } : step));
  return { steps, steps_json: packSteps(inRow), results: { put, clear } };
}

/**
 * Attaches the results that have rows of their own. One that is no longer there was erased after the steps were read: it
 * is not shown, and whatever is decided from these steps is refused for their old revision. One that waits for approval
 * stays sealed. For `verify.ts` besides.
 */
export function withResults(steps: readonly StoredStep[], results: readonly StepResultTable[]): StoredStep[] {
  const texts = new Map(results.map(({ step, result_json }) => [step, result_json]));
  return steps.map((step) =>
    isSeparate(step) && !step.sealed ? { ...step, result: JSON.parse(texts.get(step.key) ?? "null") as unknown } : step,
  );
}

/** A run by its row, with all results of its steps. Called wherever a single run is read. */
export function storedRun(db: Db, row: PlacedRun): MaybePromise<StoredRun> {
  const steps = stepsOf(row);
  if (!steps.some(isSeparate)) return { row, steps };
  return chain(resultsOfRun.all(db, { run_seq: row.seq }), (results) => ({ row, steps: withResults(steps, results) }));
}

/** A page of runs by their rows, with all results of their steps. Called by the list of runs. */
export async function storedRuns(db: Db, rows: readonly PlacedRun[]): Promise<StoredRun[]> {
  const runs = rows.map((row) => ({ row, steps: stepsOf(row) }));
  const seqs = runs.filter(({ steps }) => steps.some(isSeparate)).map(({ row }) => row.seq);
  if (seqs.length === 0) return runs;
  const results = Map.groupBy(await resultsOfRuns(db, seqs), ({ run_seq }) => run_seq);
  return runs.map(({ row, steps }) => ({ row, steps: withResults(steps, results.get(row.seq) ?? []) }));
}

/** Characters of the results that have rows of their own, as their steps say. */
export const separateChars = (steps: readonly StoredStep[]): number =>
  steps.reduce((sum, { separate_result_chars = 0 }) => sum + separate_result_chars, 0);

/** Characters of a run's JSON, with the results that have rows of their own. */
export const charsOf = (row: PlacedRun): number =>
  row.input_json.length + row.steps_json.length + separateChars(stepsOf(row));

/** Where a run's steps and the rows of its results differ: a line each. For `assay verify`. */
export function* resultProblems(steps: readonly StoredStep[], results: readonly StepResultTable[]): Generator<string> {
  const lengths = new Map(results.map(({ step, result_json }) => [step, result_json.length]));
  for (const { key, separate_result_chars } of steps) {
    if (lengths.get(key) !== separate_result_chars)
      yield separate_result_chars === undefined
        ? `a result of step ${key} is kept that should have been erased`
        : `the result of step ${key} is gone or was changed`;
    lengths.delete(key);
  }
  for (const step of lengths.keys()) yield `a result is kept of ${step}, which is no step of it`;
}
