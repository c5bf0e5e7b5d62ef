import type { Role } from "../schema/tables.ts";
import type { Db } from "../store.ts";

export const setRole = (db: Db, firm_id: string, user_id: string, role: Role) =>
  db.updateTable("members").set({ role }).where("firm_id", "=", firm_id).where("user_id", "=", user_id).execute();

/** Takes a person out of a firm. */
export const deleteMember = (db: Db, firm_id: string, user_id: string) =>
  db.deleteFrom("members").where("firm_id", "=", firm_id).where("user_id", "=", user_id).execute();

/** Forgets whom providers know the person as. */
export const deleteExternalIdentities = (db: Db, user_id: string) =>
  db.deleteFrom("external_identities").where("user_id", "=", user_id).execute();
