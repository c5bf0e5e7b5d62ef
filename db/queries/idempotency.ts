import { prepared } from "../prepared.ts";
import type { IdempotencyTable } from "../schema/tables.ts";
import type { Db } from "../sqlite/connection.ts";
import { type Soon, soon } from "../sqlite/soon.ts";

/** What a key is unique within, and the key. */
export interface IdempotencyClaim {
  readonly firm_id: string;
  readonly operation: string;
  readonly key: string;
}

const whole = new Uint8Array(32);

/** Sixteen bytes instead of a hundred keep the index narrow: it is what a run touches at a random place. */
function digestOf({ firm_id, operation, key }: IdempotencyClaim): Uint8Array {
  Bun.SHA256.hash(`${firm_id}\n${operation}\n${key}`, whole);
  return whole.slice(0, 16);
}

const insertClaim = prepared<IdempotencyTable>((db, value) =>
  db
    .insertInto("idempotency")
    .values({
      digest: value("digest"),
      firm_id: value("firm_id"),
      operation: value("operation"),
      key: value("key"),
      input_hash: value("input_hash"),
      resource_id: value("resource_id"),
      created_at: value("created_at"),
    })
    .onConflict((c) => c.doNothing()),
);

const claimByDigest = prepared<Pick<IdempotencyTable, "digest" | "firm_id">, IdempotencyTable>((db, value) =>
  db
    .selectFrom("idempotency")
    .selectAll()
    .where("digest", "=", value("digest"))
    .where("firm_id", "=", value("firm_id")),
);

/** Whether the key was free until now. */
export const claimIdempotencyKey = (tx: Db, claim: Omit<IdempotencyTable, "digest">): Soon<boolean> =>
  soon(insertClaim.run(tx, { ...claim, digest: digestOf(claim) }), (inserted) => inserted === 1);

/** What the key was claimed for. */
export const claimedBefore = (tx: Db, claim: IdempotencyClaim): Soon<IdempotencyTable | undefined> =>
  claimByDigest.first(tx, { digest: digestOf(claim), firm_id: claim.firm_id });
