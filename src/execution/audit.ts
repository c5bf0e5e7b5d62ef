import { auditHash, genesis } from "../../db/audit-chain.ts";
import { insertAudit, lastAudit } from "../../db/queries/audit.ts";
import type { Db } from "../../db/store.ts";
import type { AuditEntry } from "../../db/transition.ts";

/**
 * Appends to the chain, in the transaction of what it reports. For writes that are no transition: a transition carries
 * its entries with it.
 */
export async function appendAudit(tx: Db, entry: AuditEntry): Promise<void> {
  const last = await lastAudit.first(tx, {});
  const { at, firm_id, actor, action, subject, data } = entry;
  const row = { seq: (last?.seq ?? 0) + 1, at, firm_id, actor, action, subject, data_json: JSON.stringify(data) };
  await insertAudit.run(tx, { ...row, hash: auditHash(last?.hash ?? genesis, row) });
}
