import { prepared } from "./prepared.ts";
import type { IdempotencyTable } from "./tables.ts";

/** Changes no row when the key was used already. */
export const claimIdempotencyKey = prepared<IdempotencyTable>((db, value) =>
  db
    .insertInto("idempotency")
    .values({
      firm_id: value("firm_id"),
      operation: value("operation"),
      key: value("key"),
      input_hash: value("input_hash"),
      resource_id: value("resource_id"),
      created_at: value("created_at"),
    })
    .onConflict((c) => c.doNothing()),
);

export const idempotencyKey = prepared<{ firm_id: string; operation: string; key: string }, IdempotencyTable>(
  (db, value) =>
    db
      .selectFrom("idempotency")
      .selectAll()
      .where("firm_id", "=", value("firm_id"))
      .where("operation", "=", value("operation"))
      .where("key", "=", value("key")),
);
