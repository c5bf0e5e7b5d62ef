import { auditHash, genesis } from "../../db/audit-chain.ts";
import { auditPage, type DueEntry, entriesDue } from "../../db/queries/audit.ts";
import type { AuditTable } from "../../db/schema/tables.ts";
import type { Db } from "../../db/store.ts";
import { unscoped } from "../../db/tenancy.ts";
import { createFindings, type Findings } from "../platform/findings.ts";

const pageSize = 1_000;

/** What names an entry and, with it, everything before it. */
export type ChainPlace = Pick<AuditTable, "seq" | "hash">;

export interface AuditFindings extends Findings {
  /** The chain's last entry; null: there is none. Noted elsewhere, it can be checked again. */
  readonly last: ChainPlace | null;
}

export interface AuditCheckOptions {
  readonly progress?: (done: string) => void;
  /** Waited for after each page, where others have to be served meanwhile. */
  readonly between?: () => Promise<void>;
  /** An entry that was noted before: the chain must have it still, with this hash. */
  readonly noted?: ChainPlace | undefined;
}

const isThat = (due: DueEntry, { subject, at }: Pick<AuditTable, "subject" | "at">): boolean =>
  due.subject === subject && (due.at ?? at) === at;

/**
 * Follows the chain from its beginning: every hash is of its own row after the one before, and none is missing. A chain
 * doesn't know its own end; so the oldest and the newest runs, ends of runs and transfers must be in it. For `assay
 * verify`, which compares all of them besides, for `assay admin audit verify` and for the operator's route.
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
  for (const { what } of due) findings.problem(`${what} is in the database, and its audit entry is missing`);
  if (!isNoted) findings.problem(`the audit log does not have entry ${noted?.seq} with the hash that was noted`);
  return { ...findings.result(), last: last.seq === 0 ? null : last };
}
