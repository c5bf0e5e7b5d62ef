import { sql } from "kysely";
import type { Db } from "./connection.ts";
import type { Transfer } from "./tables.ts";

const name = "firm_transfers";

/**
 * Enters the transfers behind the watermark under their firms. An index kept with each transfer would touch a page of
 * its own for nearly every run, which a third of a run's cost came to; in batches it touches one page for many.
 */
export async function indexTransfers(tx: Db): Promise<void> {
  const { from } = await tx
    .selectFrom("watermarks")
    .where("name", "=", name)
    .select((eb) => eb.fn.coalesce(eb.fn.max("seq"), sql<number>`0`).as("from"))
    .executeTakeFirstOrThrow();
  const { upto } = await tx
    .selectFrom("transfers")
    .select((eb) => eb.fn.coalesce(eb.fn.max("seq"), sql<number>`0`).as("upto"))
    .executeTakeFirstOrThrow();
  if (upto === from) return;
  await tx
    .insertInto("firm_transfers")
    .columns(["firm_id", "seq"])
    .expression((eb) => eb.selectFrom("transfers").select(["firm_id", "seq"]).where("seq", ">", from))
    .execute();
  await tx
    .insertInto("watermarks")
    .values({ name, seq: upto })
    .onConflict((c) => c.column("name").doUpdateSet({ seq: upto }))
    .execute();
}

/** A firm's transfers, the newest first, from before the transfer `before`; call `indexTransfers` in front of it. */
export const transfersOf = (db: Db, firm_id: string, limit: number, before?: number): Promise<Transfer[]> =>
  db
    .selectFrom("firm_transfers as f")
    .innerJoin("transfers as t", "t.seq", "f.seq")
    .selectAll("t")
    .where("f.firm_id", "=", firm_id)
    .$if(before !== undefined, (q) => q.where("f.seq", "<", before ?? 0))
    .orderBy("f.seq", "desc")
    .limit(limit)
    .execute();
