import { auditHash, genesis } from "../../db/audit-chain.ts";
import { auditPage } from "../../db/queries/audit.ts";
import type { Db } from "../../db/store.ts";
import { unscoped } from "../../db/tenancy.ts";
import { createFindings, type Findings } from "../platform/findings.ts";

const pageSize = 1_000;

/**
 * Follows the chain from its beginning: every hash is of its own row behind the one before, and none is missing.
 * `between` is waited for after each page, where others have to be served meanwhile.
 */
export async function verifyAudit(
  read: Db,
  progress?: (done: string) => void,
  between?: () => Promise<void>,
): Promise<Findings> {
  const findings = createFindings("audit", progress);
  let seq = 0;
  let previous = genesis;
  for (;;) {
    const page = await auditPage(unscoped(read), seq, pageSize);
    for (const { hash, ...row } of page) {
      findings.count();
      if (row.seq !== seq + 1) findings.problem(`audit entries ${seq + 1} to ${row.seq - 1} are missing`);
      if (auditHash(previous, row) !== hash) findings.problem(`audit entry ${row.seq} does not match its hash`);
      seq = row.seq;
      previous = hash;
    }
    if (page.length < pageSize) return findings.result();
    if (between) await between();
  }
}
