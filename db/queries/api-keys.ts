import { preparedUnscoped } from "../prepared.ts";
import type { ApiKeyTable, Role } from "../schema/tables.ts";
import type { Db } from "../store.ts";
import type { SystemDb } from "../tenancy.ts";

export interface KeyHolder {
  readonly id: string;
  readonly firm_id: string;
  readonly workspace_id: string;
  readonly user_id: string;
  readonly scopes_json: string;
  readonly expires_at: number | null;
  readonly revoked_at: number | null;
  readonly last_used_at: number | null;
  readonly role: Role;
}

const held = (db: SystemDb) =>
  db
    .selectFrom("api_keys as k")
    .innerJoin("members as m", (join) => join.onRef("m.user_id", "=", "k.user_id").onRef("m.firm_id", "=", "k.firm_id"))
    .select([
      "k.id",
      "k.firm_id",
      "k.workspace_id",
      "k.user_id",
      "k.scopes_json",
      "k.expires_at",
      "k.revoked_at",
      "k.last_used_at",
      "m.role",
    ]);

/** A key with its creator's current role. The key of a person who has left the firm is not found. */
export const keyByHash = preparedUnscoped<{ hash: string }, KeyHolder>((db, value) =>
  held(db).where("k.hash", "=", value("hash")),
);

/** The same by id. */
export const keyById = preparedUnscoped<{ id: string }, KeyHolder>((db, value) =>
  held(db).where("k.id", "=", value("id")),
);

export const insertApiKey = (db: Db, key: ApiKeyTable) => db.insertInto("api_keys").values(key).execute();

export const touchApiKey = (db: Db, firm_id: string, id: string, last_used_at: number) =>
  db.updateTable("api_keys").set({ last_used_at }).where("id", "=", id).where("firm_id", "=", firm_id).execute();

/** Renames a key, valid or not. */
export const renameApiKey = (db: Db, firm_id: string, id: string, name: string) =>
  db.updateTable("api_keys").set({ name }).where("id", "=", id).where("firm_id", "=", firm_id).execute();

/** Revokes a key. Returns whether the firm had such a key that was not yet revoked. */
export async function revokeApiKey(db: Db, firm_id: string, id: string, revoked_at: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("api_keys")
    .set({ revoked_at })
    .where("id", "=", id)
    .where("firm_id", "=", firm_id)
    .where("revoked_at", "is", null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export const apiKeysOfFirm = (db: Db, firm_id: string): Promise<ApiKeyTable[]> =>
  db.selectFrom("api_keys").selectAll().where("firm_id", "=", firm_id).orderBy("id").execute();

/** A person's keys in the firm, newest first. */
export const apiKeysOfUser = (db: Db, firm_id: string, user_id: string): Promise<ApiKeyTable[]> =>
  db
    .selectFrom("api_keys")
    .selectAll()
    .where("firm_id", "=", firm_id)
    .where("user_id", "=", user_id)
    .orderBy("id", "desc")
    .execute();

/** One of a person's keys in the firm. */
export const apiKeyOfUser = (db: Db, firm_id: string, user_id: string, id: string): Promise<ApiKeyTable | undefined> =>
  db
    .selectFrom("api_keys")
    .selectAll()
    .where("id", "=", id)
    .where("firm_id", "=", firm_id)
    .where("user_id", "=", user_id)
    .executeTakeFirst();
