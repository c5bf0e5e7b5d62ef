import type { RunTable } from "../../db/schema/tables.ts";
import type { EngineIdentity } from "../contracts/engine.ts";
import type { StoredStep } from "./record.ts";

/**
 * The compact form of steps in their run's row: fields with their usual value are omitted, and restored on reading.
 * Rows written by earlier releases contain them all.
 */

/** Values that are omitted. Must never change: existing rows are read with them. */
const usual = { status: "succeeded", attempt: 1, requires_approval: false, result: null, error: null } as const;

/** Returns the steps as `runs.steps_json`. JSON omits undefined fields. */
export const packSteps = (steps: readonly StoredStep[]): string =>
  JSON.stringify(
    steps.map((step) => ({
      ...step,
      capability: step.capability === step.key ? undefined : step.capability,
      finished_at: step.finished_at === step.started_at ? undefined : step.finished_at,
      status: step.status === usual.status ? undefined : step.status,
      attempt: step.attempt === usual.attempt ? undefined : step.attempt,
      requires_approval: step.requires_approval === usual.requires_approval ? undefined : step.requires_approval,
      result: step.result === usual.result ? undefined : step.result,
      error: step.error === usual.error ? undefined : step.error,
    })),
  );

type PackedStep = Pick<StoredStep, "key" | "title" | "maximum_credits" | "charged_credits" | "started_at"> &
  Partial<StoredStep>;

/** Parses the steps that `packSteps` wrote. Throws if the text is not JSON. */
export const unpackSteps = (steps_json: string): StoredStep[] =>
  (JSON.parse(steps_json) as PackedStep[]).map((step) => ({
    ...usual,
    capability: step.key,
    finished_at: step.started_at,
    ...step,
  }));

type Sold = Pick<RunTable, "capability" | "semantic_version">;

/** Returns an engine as `runs.engine_json`, omitting what equals the capability's own name and version. */
export function packEngine({ capability, semantic_version }: Sold, { name, version, model }: EngineIdentity): string {
  return JSON.stringify({
    ...(name !== capability && { name }),
    ...(version !== semantic_version && { version }),
    ...(model !== null && { model }),
  });
}

/** Parses the engine that `packEngine` wrote. Returns `null` if no engine has run yet. */
export function unpackEngine(row: Sold & Pick<RunTable, "engine_json">): EngineIdentity | null {
  if (row.engine_json === null) return null;
  const packed = JSON.parse(row.engine_json) as Partial<EngineIdentity>;
  return { name: row.capability ?? "", version: row.semantic_version, model: null, ...packed };
}
