import type { SigningKeyTable } from "../schema/tables.ts";
import type { Db } from "../store.ts";

/** The newest first; retired ones stay, since what they signed must go on to verify. */
export const signingKeys = (db: Db): Promise<SigningKeyTable[]> =>
  db.selectFrom("signing_keys").selectAll().orderBy("created_at", "desc").orderBy("id").execute();

export const insertSigningKey = (db: Db, key: SigningKeyTable) => db.insertInto("signing_keys").values(key).execute();

export const retireSigningKeys = (db: Db, retired_at: number) =>
  db.updateTable("signing_keys").set({ retired_at }).where("retired_at", "is", null).execute();
