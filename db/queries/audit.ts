import { read, shortHex, wholeHash } from "../packed-columns.ts";
import { prepared } from "../prepared.ts";
import type { AuditTable } from "../schema/tables.ts";
import { type SystemDb, unscoped } from "../tenancy.ts";

/** The last entry of the chain. The chain belongs to the installation, and this contains no tenant's data. */
export const lastAudit = prepared<object, Pick<AuditTable, "seq" | "hash">>((db) =>
  unscoped(db)
    .selectFrom("audit")
    .select(["seq", read(wholeHash("hash"), "hash")])
    .orderBy("seq", "desc")
    .limit(1),
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
    hash: shortHex(value("hash")),
  }),
);

const entryColumns = [
  ...(["seq", "at", "firm_id", "actor", "action", "subject", "data_json"] as const),
  read(wholeHash("hash"), "hash"),
] as const;

/** A page of the chain in order, after the entry `after`. */
export const auditPage = (db: SystemDb, after: number, limit: number): Promise<AuditTable[]> =>
  db.selectFrom("audit").select(entryColumns).where("seq", ">", after).orderBy("seq").limit(limit).execute();

/** The newest entries of one firm or of all, newest first, before the entry `before`. */
export const newestAudit = (db: SystemDb, limit: number, firm_id?: string, before?: number): Promise<AuditTable[]> =>
  db
    .selectFrom("audit")
    .select(entryColumns)
    .$if(firm_id !== undefined, (q) => q.where("firm_id", "=", firm_id ?? null))
    .$if(before !== undefined, (q) => q.where("seq", "<", before ?? 0))
    .orderBy("seq", "desc")
    .limit(limit)
    .execute();

/** An entry that the log must contain, according to the rest of the database. */
export interface DueEntry {
  readonly subject: string;
  /** If absent, any instant matches. */
  readonly at?: number;
  readonly what: string;
}

/** Returns the entries due for the oldest and newest runs, run ends and transfers. */
export async function entriesDue(db: SystemDb): Promise<DueEntry[]> {
  const due: DueEntry[] = [];
  for (const order of ["asc", "desc"] as const) {
    const run = await db.selectFrom("runs").select("id").orderBy("seq", order).executeTakeFirst();
    if (run) due.push({ what: `run ${run.id}`, subject: run.id });
    const ended = await db
      .selectFrom("receipts")
      .innerJoin("runs", "runs.seq", "receipts.run_seq")
      .select(["runs.id", "runs.finished_at"])
      .orderBy("receipts.seq", order)
      .executeTakeFirst();
    if (ended?.finished_at != null)
      due.push({ what: `the end of run ${ended.id}`, subject: ended.id, at: ended.finished_at });
    const moved = await db
      .selectFrom("transfers")
      .select(["seq", "firm_id", "run_id", "created_at"])
      .orderBy("seq", order)
      .executeTakeFirst();
    if (moved)
      due.push({ what: `transfer ${moved.seq}`, subject: moved.run_id ?? moved.firm_id, at: moved.created_at });
  }
  return due;
}
