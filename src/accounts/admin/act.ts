import type { Db } from "../../../db/store.ts";
import { appendAudit } from "../../execution/audit.ts";
import type { Runtime } from "../../platform/runtime.ts";

/** Who changes something, as the audit log names actors, and when. */
export interface Act {
  readonly actor: string;
  readonly at: number;
}

/** A change that makes something: with what gives it its id and its secret. */
export interface Creation extends Act {
  readonly runtime: Pick<Runtime, "id" | "randomBytes">;
}

/** The local administrator: whoever may open the database file. */
export const operator = "operator";

/** Tells the audit chain of an administrator's change, in the change's own transaction. */
export const record = (
  tx: Db,
  act: Act,
  action: string,
  subject: string,
  firm_id: string | null,
  data: Readonly<Record<string, unknown>> = {},
): Promise<void> => appendAudit(tx, { ...act, action, subject, firm_id, data });
