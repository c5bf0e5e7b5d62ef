import { newestAudit } from "../../../db/queries/audit.ts";
import type { AuditTable } from "../../../db/schema/tables.ts";
import type { Db } from "../../../db/store.ts";
import { unscoped } from "../../../db/tenancy.ts";

export interface AuditFilter {
  /** Entries of one firm; absent: of all, and of none. */
  readonly firm_id: string | undefined;
  /** Entries from before this one. */
  readonly before: number | undefined;
  readonly limit: number;
}

/** The newest entries first, of whichever tenant: for the operator's routes alone. */
export const auditLog = (read: Db, { firm_id, before, limit }: AuditFilter): Promise<AuditTable[]> =>
  newestAudit(unscoped(read), limit, firm_id, before);
