import { prepared } from "../prepared.ts";
import type { AuditTable } from "../schema/tables.ts";
import { type SystemDb, unscoped } from "../tenancy.ts";

/** The end of the chain, which is the installation's own: nothing of a tenant is in it. */
export const lastAudit = prepared<object, Pick<AuditTable, "seq" | "hash">>((db) =>
  unscoped(db).selectFrom("audit").select(["seq", "hash"]).orderBy("seq", "desc").limit(1),
);

export const insertAudit = prepared<AuditTable>((db, value) =>
  db.insertInto("audit").values({
    seq: value("seq"),
    at: value("at"),
    firm_id: value("firm_id"),
    actor: value("actor"),
    action: value("action"),
    subject: value("subject"),
    data_json: value("data_json"),
    hash: value("hash"),
  }),
);

/** A page of the chain in its own order, from behind `after`. */
export const auditPage = (db: SystemDb, after: number, limit: number): Promise<AuditTable[]> =>
  db.selectFrom("audit").selectAll().where("seq", ">", after).orderBy("seq").limit(limit).execute();

/** The newest entries first, of one firm or of all. */
export const newestAudit = (db: SystemDb, limit: number, firm_id?: string): Promise<AuditTable[]> =>
  db
    .selectFrom("audit")
    .selectAll()
    .$if(firm_id !== undefined, (q) => q.where("firm_id", "=", firm_id ?? null))
    .orderBy("seq", "desc")
    .limit(limit)
    .execute();
