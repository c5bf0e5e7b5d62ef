import type { Reader, StoredValidation } from "../../../db/sqlite/verification.ts";
import type { ValidationContext } from "../../../machines/validation.ts";
import { createFindings, type Findings } from "../../platform/findings.ts";

const pageSize = 500;

interface Snapshot {
  readonly value: string | Readonly<Record<string, string>>;
  readonly context: ValidationContext;
}

/** What is wrong with one validation, a line each. */
function* problemsOf({ id, snapshot_json, ...row }: StoredValidation): Generator<string> {
  if (snapshot_json === null) {
    yield `validation ${id} has no snapshot`;
    return;
  }
  const { value, context } = JSON.parse(snapshot_json) as Snapshot;
  const isOver = value === "completed";
  const isWaiting = typeof value === "object" && value.running === "waiting";
  if (isOver !== (row.status === "completed")) yield `validation ${id} is ${row.status}, its snapshot says otherwise`;
  if (isOver !== (row.finished_at !== null)) yield `validation ${id} is ${row.status}, and its end says otherwise`;
  if (context.asked !== row.asked) yield `validation ${id} asked ${row.asked}, its snapshot says ${context.asked}`;
  if (row.answers !== row.asked) yield `validation ${id} asked ${row.asked}, and ${row.answers} answers are stored`;
  if (context.reason !== row.error_code) yield `validation ${id} ended otherwise than its snapshot says`;
  if (row.source === "run" && isOver && (row.verdict === null) === (row.error_code === null))
    yield `validation ${id} is completed, and its verdict says otherwise`;
  if (row.effects !== (isOver || isWaiting ? 0 : 1)) yield `validation ${id} has ${row.effects} effects left`;
}

/**
 * Checks each validation against its snapshot and its stored answers: an unfinished one has exactly one thing left to do,
 * one that is over or waits for its run none. `assay verify` calls it.
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
