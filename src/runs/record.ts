import type { PlacedRun } from "../../db/queries/runs.ts";
import type { RunTable } from "../../db/schema/tables.ts";
import type { ProviderShare } from "../execution/credits/ledger.ts";
import type { Principal } from "../identity/principal.ts";
import { rfc3339, rfc3339OrNull } from "../platform/clock.ts";
import type { Withheld } from "../registry/contract.ts";
import { unpackEngine, unpackSteps } from "./packed-row.ts";
import { reasonMessage } from "./reasons.ts";
import type { Approval, DecidedItem, Run, Step, StepProgress, WaitingItem } from "./schema.ts";

/** A step as it is stored: the API's step without what is not stored, plus internal fields. */
export interface StoredStep extends Omit<Step, "progress"> {
  readonly requires_approval: boolean;
  /** Keys of the earlier steps that it needs. If absent, all of them. */
  readonly needs?: readonly string[] | undefined;
  /** The provider's share. Absent if the step is built in and has none, and in runs accepted by earlier releases. */
  readonly provider?: ProviderShare | undefined;
  /** Length of a result stored in its own row, in characters of its JSON. Absent if it is in the run's row. */
  readonly separate_result_chars?: number | undefined;
  /** Whether the result awaits approval, sealed in its own row; `withheld-output.ts` opens it. */
  readonly sealed?: true | undefined;
}

/** An approval as it is stored. Earlier releases stored no items and no hash. */
export interface StoredApproval extends Omit<Approval, "items" | "approved_sha256"> {
  /** The decision on each item, or `null` if the output was decided as a whole. */
  readonly items?: readonly DecidedItem[] | null | undefined;
  readonly approved_sha256?: string | null | undefined;
}

/** Returns the steps in a row, without the results that have their own rows; `results.ts` attaches those. */
export const stepsOf = (row: Pick<RunTable, "steps_json">): StoredStep[] => unpackSteps(row.steps_json);
export const approvalOf = (row: RunTable): StoredApproval | null =>
  row.approval_json === null ? null : (JSON.parse(row.approval_json) as StoredApproval);

/** `decided_by` of an approval that expired. */
export const byExpiry = "expiry";

/** Returns why the approval's step was withheld, by its key; empty if it was not, or if it is undecided. */
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
  /** The items of the output awaiting approval, if it was opened for an approver. */
  readonly items?: readonly WaitingItem[] | undefined;
  /** The remark on that output as a whole, likewise. */
  readonly remark?: string | null | undefined;
}

/** Returns the approval as the API shows it. While it is pending, its items are shown to approvers only. */
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

/** Returns a succeeded run's result: its step's result or, with several steps, those of the succeeded ones by key. */
export function resultOf(status: RunTable["status"], steps: readonly StoredStep[]): unknown {
  if (status !== "succeeded") return null;
  const delivered = steps.filter((step) => step.status === "succeeded");
  if (steps.length === 1) return delivered[0]?.result ?? null;
  return Object.fromEntries(delivered.map((step) => [step.key, step.result]));
}

/** The progress of an attempt of a running step. */
export interface RunProgress extends StepProgress {
  readonly step: string;
  readonly attempt: number;
}

/** Returns the step as the API shows it. Output awaiting approval is shown to approvers only. */
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

/** Checks whether the caller may see output awaiting approval: an owner or approver of the firm, never an API key. */
export const mayApprove = ({ kind, role }: Principal): boolean =>
  kind === "person" && (role === "owner" || role === "approver");

/** Returns a run as the API shows it, except for its input. */
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

/** Returns a run as the API shows it. `approver`: the reader may decide approvals. `progress`: the latest reports. */
export const runRecord = (run: StoredRun, approver = false, progress: readonly RunProgress[] = []): Run => ({
  ...recordAround(run, approver, progress),
  input: JSON.parse(run.row.input_json),
});

/** Returns the same record as JSON. The input is inserted as text, so a long one is not parsed and serialised again. */
export function runText(run: StoredRun, approver = false, progress: readonly RunProgress[] = []): string {
  // No earlier text can contain this match: its quotation marks would be escaped.
  return JSON.stringify(recordAround(run, approver, progress)).replace(
    '"input":null',
    () => `"input":${run.row.input_json}`,
  );
}
