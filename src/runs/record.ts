import type { PlacedRun } from "../../db/queries/runs.ts";
import type { RunTable } from "../../db/schema/tables.ts";
import type { Principal } from "../identity/principal.ts";
import { rfc3339, rfc3339OrNull } from "../platform/clock.ts";
import type { Withheld } from "../registry/contract.ts";
import { unpackEngine, unpackSteps } from "./packed-row.ts";
import { reasonMessage } from "./reasons.ts";
import type { Approval, DecidedItem, Run, Step, StepProgress, WaitingItem } from "./schema.ts";

/** A step as it is stored: the wire's without what is not kept, and what only we need of it. */
export interface StoredStep extends Omit<Step, "progress"> {
  readonly requires_approval: boolean;
  /** Keys of the earlier steps that it needs; absent: all of them. */
  readonly needs?: readonly string[] | undefined;
  /** The length of a result that has a row of its own, in characters of its JSON; absent where it is in the run's row. */
  readonly separate_result_chars?: number | undefined;
  /** Its result waits for approval in a row of its own, sealed; `withheld-output.ts` opens it. */
  readonly sealed?: true | undefined;
}

/** An approval as it is stored. Earlier releases knew no items and no hash. */
export interface StoredApproval extends Omit<Approval, "items" | "approved_sha256"> {
  /** What was decided of each item; null where it was decided as a whole. */
  readonly items?: readonly DecidedItem[] | null | undefined;
  readonly approved_sha256?: string | null | undefined;
}

/** The steps that a row holds, without the results that have rows of their own: `results.ts` attaches them. */
export const stepsOf = (row: Pick<RunTable, "steps_json">): StoredStep[] => unpackSteps(row.steps_json);
export const approvalOf = (row: RunTable): StoredApproval | null =>
  row.approval_json === null ? null : (JSON.parse(row.approval_json) as StoredApproval);

/** Who decided what nobody decided in time. */
export const byExpiry = "expiry";

/** Why the approval's step was withheld, by its key; empty where it was not, or is not decided yet. */
export function withheldIn(
  approval: Pick<Approval, "step" | "decided_by"> | null,
  steps: readonly Pick<Step, "key" | "status">[],
): Withheld {
  const step = steps.find(({ key, status }) => key === approval?.step && status === "withheld");
  return step ? { [step.key]: approval?.decided_by === byExpiry ? "expired" : "rejected" } : {};
}

/** A run as it is stored, with its steps and all their results. */
export interface StoredRun {
  readonly row: PlacedRun;
  readonly steps: readonly StoredStep[];
  /** What the waiting step's output consists of, where it was opened for an approver. */
  readonly items?: readonly WaitingItem[] | undefined;
  /** The same: what they have to know of it as a whole. */
  readonly remark?: string | null | undefined;
}

/** The approval as the API shows it. While it waits, its items are there for approvers only. */
function shownApproval({ row, items = [], remark = null }: StoredRun, approver: boolean): Approval | null {
  const approval = approvalOf(row);
  if (!approval) return null;
  const waiting = approver && items.length > 0 ? items.map((item) => ({ ...item, decision: null })) : null;
  const decided = approval.items?.map((item) => ({ ...item, label: null })) ?? null;
  const isWaiting = approval.decided_at === null;
  const reason = isWaiting && approver && remark !== null ? `${approval.reason} ${remark}` : approval.reason;
  return {
    ...approval,
    reason,
    items: isWaiting ? waiting : decided,
    approved_sha256: approval.approved_sha256 ?? null,
  };
}

/** What a succeeded run delivers: its step's result, or, with several steps, the succeeded ones' by their keys. */
export function resultOf(status: RunTable["status"], steps: readonly StoredStep[]): unknown {
  if (status !== "succeeded") return null;
  const delivered = steps.filter((step) => step.status === "succeeded");
  if (steps.length === 1) return delivered[0]?.result ?? null;
  return Object.fromEntries(delivered.map((step) => [step.key, step.result]));
}

/** How far an attempt of a running step is. */
export interface RunProgress extends StepProgress {
  readonly step: string;
  readonly attempt: number;
}

/** The output of a step that waits for its approval is shown to approvers only. */
function shownStep(step: StoredStep, approver: boolean, reported: readonly RunProgress[]): Step {
  const progress = reported.find((one) => one.step === step.key && one.attempt === step.attempt);
  const isProgressing = step.status === "running" && progress;
  return {
    key: step.key,
    capability: step.capability,
    title: step.title,
    maximum_credits: step.maximum_credits,
    status: step.status,
    attempt: step.attempt,
    charged_credits: step.charged_credits,
    started_at: step.started_at,
    finished_at: step.finished_at,
    progress: isProgressing ? { stage: progress.stage, completed: progress.completed, total: progress.total } : null,
    result: step.status === "awaiting_approval" && !approver ? null : step.result,
    error: step.error,
  };
}

/** People who own the firm or approve for it see what waits for approval; an API key never does. */
export const mayApprove = ({ kind, role }: Principal): boolean =>
  kind === "person" && (role === "owner" || role === "approver");

/** A run as the API shows it, but for its input. */
function recordAround(run: StoredRun, approver: boolean, progress: readonly RunProgress[]): Run {
  const { row, steps } = run;
  const self = `/v1/runs/${row.id}`;
  const failed = steps.find((step) => step.status === "failed")?.error;
  return {
    id: row.id,
    kind: row.kind,
    capability: row.capability,
    use_case: row.use_case,
    semantic_version: row.semantic_version,
    status: row.status,
    status_reason:
      row.reason_code === null
        ? null
        : { code: row.reason_code, message: reasonMessage(row.reason_code, failed?.message) },
    mode: row.mode,
    surface: row.surface,
    workspace_id: row.workspace_id,
    input: null,
    result: resultOf(row.status, steps),
    engine: unpackEngine(row),
    steps: steps.map((step) => shownStep(step, approver, progress)),
    approval: shownApproval(run, approver),
    charges: {
      currency: "credits",
      maximum_credits: row.maximum_credits,
      reserved_credits: row.reserved_credits,
      charged_credits: row.charged_credits,
      released_credits: row.released_credits,
    },
    created_at: rfc3339(row.created_at),
    started_at: rfc3339OrNull(row.started_at),
    finished_at: rfc3339OrNull(row.finished_at),
    updated_at: rfc3339(row.updated_at),
    receipt_url: row.finished_at === null ? null : `${self}/receipt`,
    links: { self, approve: row.status === "awaiting_approval" ? `${self}/approval` : null },
  };
}

/** A run as the API shows it. `approver`: the reader may decide approvals. `progress`: what its engines last reported. */
export const runRecord = (run: StoredRun, approver = false, progress: readonly RunProgress[] = []): Run => ({
  ...recordAround(run, approver, progress),
  input: JSON.parse(run.row.input_json),
});

/** The same in JSON. The input is text already, and a long one is not read to be written again. */
export function runText(run: StoredRun, approver = false, progress: readonly RunProgress[] = []): string {
  // No text of a member before it can look like this: its quotation marks would be escaped.
  return JSON.stringify(recordAround(run, approver, progress)).replace(
    '"input":null',
    () => `"input":${run.row.input_json}`,
  );
}
