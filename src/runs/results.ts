import type { PlacedRun } from "../../db/queries/runs.ts";
import { resultsOfRun, resultsOfRuns } from "../../db/queries/step-results.ts";
import type { StepResultTable } from "../../db/schema/tables.ts";
import type { Db } from "../../db/store.ts";
import type { Transition } from "../../db/transition.ts";
import { chain, type MaybePromise } from "../platform/maybe-promise.ts";
import { packSteps } from "./packed-row.ts";
import { type StoredRun, type StoredStep, stepsOf } from "./record.ts";

/**
 * Longest result stored in the run's row, in characters of its JSON. Every transition rewrites that row with its steps,
 * so a longer result gets its own row, which is written once.
 */
export const longestInline = 2_048;

/** Steps as a transition writes them: in the run's row, and in rows of their own. */
export interface WrittenSteps {
  readonly steps: readonly StoredStep[];
  readonly steps_json: string;
  readonly results: Transition["results"];
}

/** Seals a step's output under a key that the same transition writes. */
export type SealOutput = (step: string, text: string) => string;

type NewResult = Transition["results"]["put"][number];

const isSeparate = ({ separate_result_chars }: StoredStep): boolean => separate_result_chars !== undefined;

/** Seals the output of a step awaiting approval. From here on it is sealed in memory too. */
function sealedStep(step: StoredStep, put: NewResult[], seal: SealOutput): StoredStep {
  if (step.result === null) return step;
  const result_json = seal(step.key, JSON.stringify(step.result));
  put.push({ step: step.key, result_json });
  return { ...step, result: null, sealed: true, separate_result_chars: result_json.length };
}

/**
 * Returns the steps as a transition writes them. `before` and `after` are the same steps, in order. Used by
 * `decide.ts`.
 */
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
 * Attaches the results that have their own rows. A missing one was erased after the steps were read: it is not shown,
 * and any decision based on these steps is refused because of their old revision. A result awaiting approval stays
 * sealed. Also used by `verify.ts`.
 */
export function withResults(steps: readonly StoredStep[], results: readonly StepResultTable[]): StoredStep[] {
  const texts = new Map(results.map(({ step, result_json }) => [step, result_json]));
  return steps.map((step) =>
    isSeparate(step) && !step.sealed ? { ...step, result: JSON.parse(texts.get(step.key) ?? "null") as unknown } : step,
  );
}

/** Returns a run from its row, with all results of its steps. Used wherever a single run is read. */
export function storedRun(db: Db, row: PlacedRun): MaybePromise<StoredRun> {
  const steps = stepsOf(row);
  if (!steps.some(isSeparate)) return { row, steps };
  return chain(resultsOfRun.all(db, { run_seq: row.seq }), (results) => ({ row, steps: withResults(steps, results) }));
}

/** Returns a page of runs from their rows, with all results of their steps. Used by the list of runs. */
export async function storedRuns(db: Db, rows: readonly PlacedRun[]): Promise<StoredRun[]> {
  const runs = rows.map((row) => ({ row, steps: stepsOf(row) }));
  const seqs = runs.filter(({ steps }) => steps.some(isSeparate)).map(({ row }) => row.seq);
  if (seqs.length === 0) return runs;
  const results = Map.groupBy(await resultsOfRuns(db, seqs), ({ run_seq }) => run_seq);
  return runs.map(({ row, steps }) => ({ row, steps: withResults(steps, results.get(row.seq) ?? []) }));
}

/** Returns the total length of the results that have their own rows, in characters. */
export const separateChars = (steps: readonly StoredStep[]): number =>
  steps.reduce((sum, { separate_result_chars = 0 }) => sum + separate_result_chars, 0);

/** Returns the length of a run's JSON in characters, including results that have their own rows. */
export const charsOf = (row: PlacedRun): number =>
  row.input_json.length + row.steps_json.length + separateChars(stepsOf(row));

/** Yields the differences between a run's steps and its result rows. For `assay verify`. */
export function* resultProblems(steps: readonly StoredStep[], results: readonly StepResultTable[]): Generator<string> {
  const lengths = new Map(results.map(({ step, result_json }) => [step, result_json.length]));
  for (const { key, separate_result_chars } of steps) {
    if (lengths.get(key) !== separate_result_chars)
      yield separate_result_chars === undefined
        ? `the result of step ${key} should have been erased`
        : `the result of step ${key} is missing or was changed`;
    lengths.delete(key);
  }
  for (const step of lengths.keys()) yield `there is a result of ${step}, which is not one of its steps`;
}
