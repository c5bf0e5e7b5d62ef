import type { Db } from "../../../db/sqlite/connection.ts";
import { appendAudit } from "../../execution/audit.ts";

/** Who changes something, as the audit log names actors, and when. */
export interface AuditContext {
  readonly actor: string;
  readonly at: number;
}

/** The local administrator: anyone who may open the database file. */
export const operator = "operator";

/** Appends an administrator's change to the audit chain, in the change's own transaction. */
export const record = (
  tx: Db,
  audit: AuditContext,
  action: string,
  subject: string,
  firm_id: string | null,
  data: Readonly<Record<string, unknown>> = {},
): Promise<void> => appendAudit(tx, { ...audit, action, subject, firm_id, data });
