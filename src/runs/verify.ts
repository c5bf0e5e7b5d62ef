import { createPublicKey, type KeyObject, verify } from "node:crypto";
import type { RunTable } from "../../db/tables.ts";
import type { Reader } from "../../db/verification.ts";
import type { PublicJwk } from "../identity/keyring.ts";
import { createFindings, type Findings } from "../platform/findings.ts";
import { canonical, canonicalHash } from "../platform/json.ts";
import { receiptClaims, receiptType } from "./receipt.ts";
import { approvalOf, stepsOf } from "./record.ts";

const pageSize = 200;

const decoded = (part: string): unknown => JSON.parse(Buffer.from(part, "base64url").toString("utf8"));

/** The receipt's claims if one of the keys signed it, else undefined. */
function signedClaims(receipt: string, keys: ReadonlyMap<string, KeyObject>): unknown {
  const [header = "", payload = "", signature = "", ...rest] = receipt.split(".");
  const { alg, kid, typ } = decoded(header) as { alg?: unknown; kid?: unknown; typ?: unknown };
  const key = typeof kid === "string" ? keys.get(kid) : undefined;
  if (!key || alg !== "ES256" || typ !== receiptType || rest.length > 0) return undefined;
  const signed = Buffer.from(`${header}.${payload}`);
  const isOurs = verify("sha256", signed, { key, dsaEncoding: "ieee-p1363" }, Buffer.from(signature, "base64url"));
  return isOurs ? decoded(payload) : undefined;
}

/** What is wrong with a terminal run and its receipt: a line each. */
function* runProblems(row: RunTable, receipt: string | null, keys: ReadonlyMap<string, KeyObject>): Generator<string> {
  if (row.reserved_credits !== row.charged_credits + row.released_credits)
    yield `run ${row.id}: reserved ${row.reserved_credits} is not charged ${row.charged_credits} + released ${row.released_credits}`;
  if (canonicalHash(JSON.parse(row.input_json)) !== row.input_sha256) yield `run ${row.id}: its input was changed`;
  if (receipt === null) return yield `run ${row.id} has finished without a receipt`;
  const claims = signedClaims(receipt, keys);
  if (typeof claims !== "object" || claims === null) return yield `run ${row.id}: its receipt's signature is not ours`;
  const told = new Map(Object.entries(claims));
  const expected = Object.entries(receiptClaims(row, stepsOf(row), approvalOf(row)));
  const differing = expected.filter(([name, value]) => canonical(told.get(name) ?? null) !== canonical(value));
  if (differing.length > 0)
    yield `run ${row.id}: its receipt says otherwise about ${differing.map(([name]) => name).join(", ")}`;
}

/** The problems of a row, also of one so damaged that reading it fails. */
function problemsOf(row: RunTable, receipt: string | null, keys: ReadonlyMap<string, KeyObject>): string[] {
  try {
    return [...runProblems(row, receipt, keys)];
  } catch (error) {
    return [`run ${row.id} can't be read: ${error instanceof Error ? error.message : String(error)}`];
  }
}

/** Checks each terminal run against its signed receipt, with the public keys alone. `assay verify` calls it. */
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
    for (const { receipt, seq, ...row } of page) {
      findings.count();
      for (const line of problemsOf(row, receipt, keys)) findings.problem(line);
      after = seq;
    }
    if (page.length < pageSize) return findings.result();
    await Bun.sleep(0);
  }
}
