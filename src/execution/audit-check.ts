import { auditHash, genesis } from "../../db/audit-chain.ts";
import { auditPage, type DueEntry, entriesDue } from "../../db/queries/audit.ts";
import type { AuditTable } from "../../db/schema/tables.ts";
import type { Db } from "../../db/store.ts";
import { unscoped } from "../../db/tenancy.ts";
import { createFindings, type Findings } from "../platform/findings.ts";

const pageSize = 1_000;

/** A position in the chain. Its hash identifies the entry and everything before it. */
export type ChainPlace = Pick<AuditTable, "seq" | "hash">;

export interface AuditFindings extends Findings {
  /** The chain's last entry, or `null` if the log is empty. Stored elsewhere, it can be checked later. */
  readonly last: ChainPlace | null;
}

export interface AuditCheckOptions {
  readonly progress?: (done: string) => void;
  /** Awaited after each page, so that other work can run in between. */
  readonly between?: () => Promise<void>;
  /** A previously recorded entry; the chain must still contain it with the same hash. */
  readonly noted?: ChainPlace | undefined;
}

const isThat = (due: DueEntry, { subject, at }: Pick<AuditTable, "subject" | "at">): boolean =>
  due.subject === subject && (due.at ?? at) === at;

/**
 * Verifies the chain from its beginning: every hash matches its row and the previous hash, and no entry is missing. A
 * chain cannot detect entries missing at its end, so the oldest and newest runs, run ends and transfers must have
 * entries. Used by `assay verify`, which also compares all of them, `assay admin audit verify` and the operator's
 * route.
 */
export async function verifyAudit(
  read: Db,
  { progress, between, noted }: AuditCheckOptions = {},
): Promise<AuditFindings> {
  const findings = createFindings("audit", progress);
  const db = unscoped(read);
  let due = await entriesDue(db);
  let last: ChainPlace = { seq: 0, hash: genesis };
  let isNoted = noted === undefined;
  for (;;) {
    const page = await auditPage(db, last.seq, pageSize);
    for (const { hash, ...row } of page) {
      findings.count();
      const { seq } = row;
      if (seq !== last.seq + 1) findings.problem(`audit entries ${last.seq + 1} to ${seq - 1} are missing`);
      if (auditHash(last.hash, row) !== hash) findings.problem(`audit entry ${seq} does not match its hash`);
      if (seq === noted?.seq && hash === noted.hash) isNoted = true;
      if (due.some((one) => isThat(one, row))) due = due.filter((one) => !isThat(one, row));
      last = { seq, hash };
    }
    if (page.length < pageSize) break;
    if (between) await between();
  }
  for (const { what } of due) findings.problem(`${what} is in the database, but its audit entry is missing`);
  if (!isNoted) findings.problem(`the audit log does not have entry ${noted?.seq} with the hash that was noted`);
  return { ...findings.result(), last: last.seq === 0 ? null : last };
}
