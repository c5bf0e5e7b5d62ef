import type { Db } from "../store.ts";

/** Returns whether the person has signed in from this origin since then. */
export async function isKnownOrigin(db: Db, user_id: string, hash: string, since: number): Promise<boolean> {
  const found = await db
    .selectFrom("known_origins")
    .select("hash")
    .where("user_id", "=", user_id)
    .where("hash", "=", hash)
    .where("last_seen_at", ">=", since)
    .executeTakeFirst();
  return found !== undefined;
}

/** Records the origins that a person has signed in from, and keeps the `most` latest. */
export async function rememberOrigins(
  db: Db,
  user_id: string,
  hashes: readonly string[],
  last_seen_at: number,
  most: number,
): Promise<void> {
  for (const hash of hashes)
    await db
      .insertInto("known_origins")
      .values({ user_id, hash, last_seen_at })
      .onConflict((c) => c.columns(["user_id", "hash"]).doUpdateSet({ last_seen_at }))
      .execute();
  const kept = db
    .selectFrom("known_origins")
    .select("hash")
    .where("user_id", "=", user_id)
    .orderBy("last_seen_at", "desc")
    .limit(most);
  await db.deleteFrom("known_origins").where("user_id", "=", user_id).where("hash", "not in", kept).execute();
}

/** Deletes all known origins of a person. */
export const forgetOrigins = (db: Db, user_id: string) =>
  db.deleteFrom("known_origins").where("user_id", "=", user_id).execute();
