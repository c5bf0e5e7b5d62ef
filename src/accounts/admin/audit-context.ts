import type { Db } from "../../../db/store.ts";
import { appendAudit } from "../../execution/audit.ts";
import type { Runtime } from "../../platform/runtime.ts";

/** Who changes something, as the audit log names actors, and when. */
export interface AuditContext {
  readonly actor: string;
  readonly at: number;
}

/** The context of a change that creates rows: with the runtime that gives them their ids and secrets. */
export interface Creation extends AuditContext {
  readonly runtime: Pick<Runtime, "id" | "randomBytes">;
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
