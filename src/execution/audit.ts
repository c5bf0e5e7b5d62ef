import { auditHash, genesis } from "../../db/audit-chain.ts";
import { insertAudit, lastAudit } from "../../db/queries/audit.ts";
import type { Db } from "../../db/store.ts";
import type { AuditEntry } from "../../db/transition.ts";

/**
 * Appends an entry to the audit chain, in the transaction of the change it records. For writes that are not
 * transitions: a transition carries its own entries.
 */
export async function appendAudit(tx: Db, entry: AuditEntry): Promise<void> {
  const last = await lastAudit.first(tx, {});
  const { at, firm_id, actor, action, subject, data } = entry;
  const row = { seq: (last?.seq ?? 0) + 1, at, firm_id, actor, action, subject, data_json: JSON.stringify(data) };
  await insertAudit.run(tx, { ...row, hash: auditHash(last?.hash ?? genesis, row) });
}
