import type { Db } from "../../../db/store.ts";
import { appendAudit } from "../../execution/audit.ts";
import type { Runtime } from "../../platform/runtime.ts";

/** Who makes a change, as an actor of the audit log, and when. */
export interface AuditContext {
  readonly actor: string;
  readonly at: number;
}

/** The context of a change that creates rows, with the runtime that provides their ids and secrets. */
export interface Creation extends AuditContext {
  readonly runtime: Pick<Runtime, "id" | "randomBytes">;
}

/** The local administrator: anyone who can open the database file. */
export const operator = "operator";

/** Appends an administrator's change to the audit log, in the change's own transaction. */
export const record = (
  tx: Db,
  audit: AuditContext,
  action: string,
  subject: string,
  firm_id: string | null,
  data: Readonly<Record<string, unknown>> = {},
): Promise<void> => appendAudit(tx, { ...audit, action, subject, firm_id, data });
