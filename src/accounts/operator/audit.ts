import { newestAudit } from "../../../db/queries/audit.ts";
import type { AuditTable } from "../../../db/schema/tables.ts";
import type { Db } from "../../../db/store.ts";
import { unscoped } from "../../../db/tenancy.ts";

export interface AuditFilter {
  /** Only entries of this firm; if absent, all entries, including those of no firm. */
  readonly firm_id: string | undefined;
  /** Only entries before this one. */
  readonly before: number | undefined;
  readonly limit: number;
}

/** Returns the newest entries first, across tenants; only for the operator's routes. */
export const auditLog = (read: Db, { firm_id, before, limit }: AuditFilter): Promise<AuditTable[]> =>
  newestAudit(unscoped(read), limit, firm_id, before);
