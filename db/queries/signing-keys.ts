import type { MaybePromise } from "../../src/platform/maybe-promise.ts";
import { prepared } from "../prepared.ts";
import type { SigningKeyTable } from "../schema/tables.ts";
import type { Db } from "../store.ts";

const newestFirst = prepared<object, SigningKeyTable>((db) =>
  db.selectFrom("signing_keys").selectAll().orderBy("created_at", "desc").orderBy("id"),
);

/** All signing keys, newest first. Retired ones are kept, because their signatures must still verify. */
export const signingKeys = (db: Db): MaybePromise<SigningKeyTable[]> => newestFirst.all(db, {});

export const insertSigningKey = (db: Db, key: SigningKeyTable) => db.insertInto("signing_keys").values(key).execute();

export const retireSigningKeys = (db: Db, retired_at: number) =>
  db.updateTable("signing_keys").set({ retired_at }).where("retired_at", "is", null).execute();
