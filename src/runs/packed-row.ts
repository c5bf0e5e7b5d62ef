import type { RunTable } from "../../db/schema/tables.ts";
import type { EngineIdentity } from "../contracts/engine.ts";
import type { StoredStep } from "./record.ts";

/**
 * Steps in their run's row: the members that nearly every step has alike are left out, and read as what they would have
 * been. Rows of the releases before hold them all.
 */

/** What is left out where it is so. Never changes: rows that left it out are read by it. */
const usual = { status: "succeeded", attempt: 1, requires_approval: false, result: null, error: null } as const;

/** The steps as `runs.steps_json`. JSON leaves out what is undefined. */
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

/** The steps that `packSteps` wrote. Throws where the text is no JSON. */
export const unpackSteps = (steps_json: string): StoredStep[] =>
  (JSON.parse(steps_json) as PackedStep[]).map((step) => ({
    ...usual,
    capability: step.key,
    finished_at: step.started_at,
    ...step,
  }));

type Sold = Pick<RunTable, "capability" | "semantic_version">;

/** An engine as `runs.engine_json`: what it has in common with the capability that was run is left out. */
export function packEngine({ capability, semantic_version }: Sold, { name, version, model }: EngineIdentity): string {
  return JSON.stringify({
    ...(name !== capability && { name }),
    ...(version !== semantic_version && { version }),
    ...(model !== null && { model }),
  });
}

/** The engine that `packEngine` wrote; null where none has worked yet. */
export function unpackEngine(row: Sold & Pick<RunTable, "engine_json">): EngineIdentity | null {
  if (row.engine_json === null) return null;
  const packed = JSON.parse(row.engine_json) as Partial<EngineIdentity>;
  return { name: row.capability ?? "", version: row.semantic_version, model: null, ...packed };
}
