import { createPublicKey, type KeyObject, verify } from "node:crypto";
import { unpackReceipt } from "../../db/packed-receipt.ts";
import type { StepResultTable } from "../../db/schema/tables.ts";
import type { FinishedRun, Reader } from "../../db/sqlite/verification.ts";
import type { PublicJwk } from "../identity/keyring.ts";
import { breathe, createFindings, type Findings } from "../platform/findings.ts";
import { sha256Hex } from "../platform/ids.ts";
import { canonical } from "../platform/json.ts";
import { receiptClaims } from "./receipt.ts";
import { approvalOf, type StoredRun, stepsOf } from "./record.ts";
import { resultProblems, withResults } from "./results.ts";
import { receiptType } from "./schema.ts";

const pageSize = 200;

const decoded = (part: string): string => Buffer.from(part, "base64url").toString("utf8");

/** Returns the receipt's payload if one of the keys signed it; otherwise `undefined`. */
function signedPayload(receipt: string, keys: ReadonlyMap<string, KeyObject>): string | undefined {
  const [header = "", payload = "", signature = "", ...rest] = receipt.split(".");
  const { alg, kid, typ } = JSON.parse(decoded(header)) as { alg?: unknown; kid?: unknown; typ?: unknown };
  const key = typeof kid === "string" ? keys.get(kid) : undefined;
  if (!key || alg !== "ES256" || typ !== receiptType || rest.length > 0) return undefined;
  const signed = Buffer.from(`${header}.${payload}`);
  const isOurs = verify("sha256", signed, { key, dsaEncoding: "ieee-p1363" }, Buffer.from(signature, "base64url"));
  return isOurs ? decoded(payload) : undefined;
}

/** Returns the names of the claims that differ between a receipt and its run. */
function differing(payload: string, { row, steps }: StoredRun): string[] {
  const expected = receiptClaims(row, steps, approvalOf(row));
  if (payload === JSON.stringify(expected)) return [];
  const told = new Map<string, unknown>(Object.entries(JSON.parse(payload)));
  const names = new Set([...Object.keys(expected), ...told.keys()]);
  const wanted = new Map<string, unknown>(Object.entries(expected));
  return [...names].filter((name) => canonical(told.get(name) ?? null) !== canonical(wanted.get(name) ?? null));
}

/** Yields the problems of a terminal run and its receipt. */
function* runProblems(
  { receipt, ...row }: FinishedRun,
  results: readonly StepResultTable[],
  keys: ReadonlyMap<string, KeyObject>,
): Generator<string> {
  const { id, reserved_credits, charged_credits, released_credits } = row;
  if (reserved_credits !== charged_credits + released_credits)
    yield `run ${id}: reserved ${reserved_credits} is not charged ${charged_credits} + released ${released_credits}`;
  if (sha256Hex(row.input_json) !== row.input_sha256) yield `run ${id}: its input does not match its hash`;
  const steps = stepsOf(row);
  for (const line of resultProblems(steps, results)) yield `run ${id}: ${line}`;
  if (receipt === null) return yield `run ${id} has finished without a receipt`;
  const payload = signedPayload(unpackReceipt(receipt), keys);
  if (payload === undefined) return yield `run ${id}: its receipt was not signed with this installation's keys`;
  const names = differing(payload, { row, steps: withResults(steps, results) });
  if (names.length > 0) yield `run ${id}: its receipt differs from it in ${names.join(", ")}`;
}

/** Returns the problems of a row, including one that is too damaged to read. */
function problemsOf(
  row: FinishedRun,
  results: readonly StepResultTable[],
  keys: ReadonlyMap<string, KeyObject>,
): string[] {
  try {
    return [...runProblems(row, results, keys)];
  } catch (error) {
    return [`run ${row.id} can't be read: ${error instanceof Error ? error.message : String(error)}`];
  }
}

/** Checks each terminal run against its signed receipt, using only the public keys. Called by `assay verify`. */
export async function verifyReceipts(
  reader: Reader,
  jwks: readonly PublicJwk[],
  progress?: (done: string) => void,
): Promise<Findings> {
  const findings = createFindings("receipts", progress);
  const keys = new Map(jwks.map((jwk) => [jwk.kid, createPublicKey({ key: { ...jwk }, format: "jwk" })]));
  let after = 0;
  for (;;) {
    const page = reader.finishedRuns(after, pageSize);
    for (const row of page) {
      findings.count();
      for (const line of problemsOf(row, reader.stepResults(row.seq), keys)) findings.problem(line);
      after = row.seq;
    }
    if (page.length < pageSize) break;
    await breathe();
  }
  const stray = reader.strayResults();
  if (stray > 0) findings.problem(`${stray} step results belong to runs that do not exist`);
  const strayKeys = reader.strayKeys();
  if (strayKeys > 0) findings.problem(`${strayKeys} keys of withheld outputs should have been destroyed`);
  return findings.result();
}
