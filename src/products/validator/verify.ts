import type { Reader, StoredValidation } from "../../../db/sqlite/verification.ts";
import type { ValidationContext } from "../../../machines/validation.ts";
import { createFindings, type Findings } from "../../platform/findings.ts";
import { chargedFor, stepOfStudy } from "./conductor.ts";

const pageSize = 500;

interface Snapshot {
  readonly value: string | Readonly<Record<string, string>>;
  readonly context: ValidationContext;
}

/** Yields the contradictions between a delivered verdict and its run. */
function* disagreements(row: Omit<StoredValidation, "snapshot_json">): Generator<string> {
  const { id } = row;
  const step = row.run_steps_json === null ? undefined : stepOfStudy({ steps_json: row.run_steps_json });
  if (step?.status !== "succeeded") {
    yield `validation ${id} has a verdict, and its run has not settled it`;
    return;
  }
  const cost = chargedFor(row);
  if (step.charged_credits !== cost)
    yield `validation ${id} cost ${cost} credits, its run says ${step.charged_credits}`;
  const { verdict } = (step.result ?? row) as { readonly verdict?: unknown };
  if (verdict !== row.verdict) yield `validation ${id} says ${row.verdict}, its run says ${String(verdict)}`;
}

/** Yields what is wrong with one validation, one line each. */
function* problemsOf({ snapshot_json, ...row }: StoredValidation): Generator<string> {
  const { id } = row;
  if (snapshot_json === null) {
    yield `validation ${id} has no snapshot`;
    return;
  }
  const { value, context } = JSON.parse(snapshot_json) as Snapshot;
  const isOver = value === "completed";
  const waits = typeof value === "object" && (value.running === "waiting" || value.running === "weighed");
  if (isOver !== (row.status === "completed")) yield `validation ${id} is ${row.status}, its snapshot says otherwise`;
  if (isOver !== (row.finished_at !== null)) yield `validation ${id} is ${row.status}, and its end says otherwise`;
  if (context.asked !== row.asked) yield `validation ${id} asked ${row.asked}, its snapshot says ${context.asked}`;
  if (row.answers !== row.asked) yield `validation ${id} asked ${row.asked}, and ${row.answers} answers are stored`;
  if (context.reason !== row.error_code) yield `validation ${id} ended otherwise than its snapshot says`;
  if (row.source === "run" && isOver && (row.verdict === null) === (row.error_code === null))
    yield `validation ${id} is completed, and its verdict says otherwise`;
  if (isOver && row.source === "run" && row.verdict !== null) yield* disagreements(row);
  if (row.effects !== (isOver || waits ? 0 : 1)) yield `validation ${id} has ${row.effects} effects left`;
}

/**
 * Checks each validation against its snapshot, its stored answers and its run. An unfinished one has exactly one effect
 * left; one that is finished or waiting for its run has none. Called by `assay verify`.
 */
export function verifyValidations(reader: Reader, progress?: (done: string) => void): Findings {
  const findings = createFindings("validations", progress);
  let after = "";
  for (;;) {
    const page = reader.validations(after, pageSize);
    for (const row of page) {
      findings.count();
      for (const line of problemsOf(row)) findings.problem(line);
      after = row.id;
    }
    if (page.length < pageSize) return findings.result();
  }
}
