import { read, shortHex, wholeHash } from "../packed-columns.ts";
import { prepared } from "../prepared.ts";
import type { IdempotencyTable } from "../schema/tables.ts";

export const insertClaim = prepared<IdempotencyTable>((db, value) =>
  db
    .insertInto("idempotency")
    .values({
      digest: value("digest"),
      firm_id: value("firm_id"),
      operation: value("operation"),
      key: value("key"),
      input_hash: shortHex(value("input_hash")),
      resource_id: value("resource_id"),
      created_at: value("created_at"),
    })
    .onConflict((c) => c.doNothing()),
);

/** The claim of a key. */
export const claimByDigest = prepared<Pick<IdempotencyTable, "digest" | "firm_id">, IdempotencyTable>((db, value) =>
  db
    .selectFrom("idempotency")
    .select([
      "digest",
      "firm_id",
      "operation",
      "key",
      "resource_id",
      "created_at",
      read(wholeHash("input_hash"), "input_hash"),
    ])
    .where("digest", "=", value("digest"))
    .where("firm_id", "=", value("firm_id")),
);

/** Releases a key whose claiming transition was refused after all. */
export const deleteClaim = prepared<Pick<IdempotencyTable, "digest" | "firm_id">>((db, value) =>
  db.deleteFrom("idempotency").where("digest", "=", value("digest")).where("firm_id", "=", value("firm_id")),
);
