import type { OperatorClaimTable } from "../schema/auth-tables.ts";
import type { Db } from "../store.ts";

/** Claims a key. Returns whether it was free. */
export async function claimOperatorKey(tx: Db, claim: OperatorClaimTable): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await tx
    .insertInto("operator_claims")
    .values(claim)
    .onConflict((c) => c.doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows > 0n;
}

export const operatorClaim = (db: Db, key: string): Promise<OperatorClaimTable | undefined> =>
  db.selectFrom("operator_claims").selectAll().where("key", "=", key).executeTakeFirst();
