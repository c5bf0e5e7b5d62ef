import type { RunTable } from "../../db/schema/tables.ts";
import { rfc3339OrNull } from "../platform/clock.ts";
import { canonicalHash } from "../platform/json.ts";
import { unpackEngine } from "./packed-row.ts";
import { resultOf, type StoredApproval, type StoredStep } from "./record.ts";

/**
 * Returns who decided what, when and why. A receipt signed by an earlier release contains less, and stays as signed.
 */
function approvalClaims(approval: StoredApproval) {
  const { step, decision, decided_at, decided_by, comment, items, approved_sha256 } = approval;
  const brief = { step, decision, decided_at };
  return items === undefined ? brief : { ...brief, decided_by, comment, items, approved_sha256 };
}

/** Returns a receipt's claims: whole credits, RFC 3339 times, and hex SHA-256 hashes over RFC 8785 canonical JSON. */
export function receiptClaims(row: RunTable, steps: readonly StoredStep[], approval: StoredApproval | null) {
  return {
    run_id: row.id,
    firm: row.firm_id,
    workspace: row.workspace_id,
    kind: row.kind,
    capability: row.capability,
    use_case: row.use_case,
    version: row.semantic_version,
    mode: row.mode,
    status: row.status,
    reason: row.reason_code,
    engine: unpackEngine(row),
    input_sha256: row.input_sha256,
    result_sha256: canonicalHash(resultOf(row.status, steps)),
    steps: steps.map(({ key, capability, status, charged_credits }) => ({ key, capability, status, charged_credits })),
    charges: {
      currency: "credits",
      maximum_credits: row.maximum_credits,
      reserved_credits: row.reserved_credits,
      charged_credits: row.charged_credits,
      released_credits: row.released_credits,
    },
    approval: approval && approvalClaims(approval),
    finished_at: rfc3339OrNull(row.finished_at),
  };
}

/** Returns the text that is signed: the claims as JSON. */
export const receiptPayload = (row: RunTable, steps: readonly StoredStep[], approval: StoredApproval | null): string =>
  JSON.stringify(receiptClaims(row, steps, approval));
