import { ownerBytes, read, shortAccount, shortHex, wholeAccount, wholeUuid } from "../packed-columns.ts";
import { prepared } from "../prepared.ts";
import type { FirmTransferTable } from "../schema/index-tables.ts";
import type { BalanceTable, TransferTable } from "../schema/tables.ts";
import type { Db } from "../store.ts";

export const insertTransfer = prepared<TransferTable>((db, value) =>
  db.insertInto("transfers").values({
    firm_id: value("firm_id"),
    id: shortHex(value("id")),
    kind: value("kind"),
    debit: shortAccount(value("debit"), value("firm_id")),
    credit: shortAccount(value("credit"), value("firm_id")),
    amount: value("amount"),
    run_id: value("run_id"),
    step: value("step"),
    reason: value("reason"),
    created_at: value("created_at"),
  }),
);

/** Adds to the available balance. Creates the account's row if needed. */
export const addCredits = prepared<{ account: string; amount: number }>((db, value) =>
  db
    .insertInto("balances")
    .values({ account: value("account"), available: value("amount"), reserved: 0 })
    .onConflict((c) =>
      c.column("account").doUpdateSet((eb) => ({
        available: eb("balances.available", "+", eb.ref("excluded.available")),
      })),
    ),
);

/** Sets an account's balance. Creates the row if needed. */
export const setBalance = prepared<BalanceTable>((db, value) =>
  db
    .insertInto("balances")
    .values({ account: value("account"), available: value("available"), reserved: value("reserved") })
    .onConflict((c) => c.column("account").doUpdateSet({ available: value("available"), reserved: value("reserved") })),
);

/** Deducts from the available balance. Changes no row if the balance is too low. */
export const takeCredits = prepared<{ account: string; amount: number }>((db, value) =>
  db
    .updateTable("balances")
    .set((eb) => ({ available: eb("available", "-", value("amount")) }))
    .where("account", "=", value("account"))
    .where("available", ">=", value("amount")),
);

export const balanceOf = prepared<{ account: string }, BalanceTable>((db, value) =>
  db.selectFrom("balances").selectAll().where("account", "=", value("account")),
);

/** A transfer's columns, in their full form. */
const transferColumns = [
  ...(["t.seq", "t.firm_id", "t.kind", "t.amount", "t.run_id", "t.step", "t.reason", "t.created_at"] as const),
  read(wholeUuid("t.id"), "id"),
  read(wholeAccount("t.debit", "t.firm_id"), "debit"),
  read(wholeAccount("t.credit", "t.firm_id"), "credit"),
] as const;

/** A transfer with the firm's balance after it. */
export type BalancedTransfer = TransferTable & Pick<FirmTransferTable, "available_after" | "reserved_after">;

/** A firm's transfers before the transfer `before`, newest first. `firm_transfers` must be caught up. */
export const transfersOf = (db: Db, firm_id: string, limit: number, before?: number) =>
  db
    .selectFrom("firm_transfers as f")
    .innerJoin("transfers as t", "t.seq", "f.seq")
    .select(transferColumns)
    .select(["f.available_after", "f.reserved_after"])
    .where("f.firm_id", "=", ownerBytes(firm_id))
    .where("t.firm_id", "=", firm_id)
    .$if(before !== undefined, (q) => q.where("f.seq", "<", before ?? 0))
    .orderBy("f.seq", "desc")
    .limit(limit)
    .execute();

const transfersOwned = (db: Db, firm_id: string, owner_id: string, limit: number, before?: number) =>
  db
    .selectFrom("workspace_transfers as w")
    .innerJoin("transfers as t", (join) => join.onRef("t.seq", "=", "w.seq"))
    .innerJoin("firm_transfers as f", "f.seq", "t.seq")
    .select(transferColumns)
    .select(["f.available_after", "f.reserved_after"])
    .where("w.owner_id", "=", ownerBytes(owner_id))
    .where("f.firm_id", "=", ownerBytes(firm_id))
    .where("t.firm_id", "=", firm_id)
    .$if(before !== undefined, (q) => q.where("w.seq", "<", before ?? 0))
    .orderBy("w.seq", "desc")
    .limit(limit)
    .execute();

/**
 * The transfers of one workspace's runs, together with the firm's transfers without a run, such as grants, newest
 * first. `firm_transfers` and `workspace_transfers` must be caught up.
 */
export async function transfersOfWorkspace(
  db: Db,
  { firm_id, workspace_id }: { readonly firm_id: string; readonly workspace_id: string },
  limit: number,
  before?: number,
) {
  const own = await transfersOwned(db, firm_id, workspace_id, limit, before);
  const shared = await transfersOwned(db, firm_id, firm_id, limit, before);
  return [...own, ...shared].sort((a, b) => b.seq - a.seq).slice(0, limit);
}
