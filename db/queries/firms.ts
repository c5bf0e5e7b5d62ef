import { prepared } from "../prepared.ts";
import type { FirmTable, MemberTable, Role, UserTable, WorkspaceTable } from "../schema/tables.ts";
import type { Db } from "../store.ts";
import type { SystemDb } from "../tenancy.ts";

export const insertFirm = (db: Db, firm: FirmTable) => db.insertInto("firms").values(firm).execute();
export const insertUser = (db: Db, user: UserTable) => db.insertInto("users").values(user).execute();
export const insertMember = (db: Db, member: MemberTable) => db.insertInto("members").values(member).execute();
export const insertWorkspace = (db: Db, workspace: WorkspaceTable) =>
  db.insertInto("workspaces").values(workspace).execute();

export const allFirms = (db: SystemDb): Promise<FirmTable[]> =>
  db.selectFrom("firms").selectAll().orderBy("id").execute();

/** Finds a firm by id or slug, either of which an administrator may type. */
export const findFirm = (db: Db, idOrSlug: string): Promise<FirmTable | undefined> =>
  db
    .selectFrom("firms")
    .selectAll()
    .where((eb) => eb.or([eb("id", "=", idOrSlug), eb("slug", "=", idOrSlug)]))
    .executeTakeFirst();

export const firmById = prepared<{ id: string }, FirmTable>((db, value) =>
  db.selectFrom("firms").selectAll().where("id", "=", value("id")),
);

export const userByEmail = (db: Db, email: string): Promise<UserTable | undefined> =>
  db.selectFrom("users").selectAll().where("email", "=", email).executeTakeFirst();

export const userById = (db: Db, id: string): Promise<UserTable | undefined> =>
  db.selectFrom("users").selectAll().where("id", "=", id).executeTakeFirst();

export interface Membership {
  readonly firm_id: string;
  readonly role: Role;
}

/** The user's memberships, in the order in which they joined. */
export const membershipsOf = prepared<{ user_id: string }, Membership>((db, value) =>
  db
    .selectFrom("members")
    .select(["firm_id", "role"])
    .where("user_id", "=", value("user_id"))
    .orderBy("created_at")
    .orderBy("firm_id"),
);

export const membersOf = (db: Db, firm_id: string) =>
  db
    .selectFrom("members as m")
    .innerJoin("users as u", "u.id", "m.user_id")
    .select([
      "u.id",
      "u.email",
      "u.full_name",
      "u.locale",
      "u.country",
      "m.role",
      "m.created_at as joined_at",
      "u.created_at",
      "u.last_sign_in_at",
      "u.email_confirmed_at",
    ])
    .where("m.firm_id", "=", firm_id)
    .orderBy("u.id")
    .execute();

/** The firm's workspaces, oldest first. */
export const workspacesOf = prepared<{ firm_id: string }, WorkspaceTable>((db, value) =>
  db.selectFrom("workspaces").selectAll().where("firm_id", "=", value("firm_id")).orderBy("id"),
);

/** Updates the given columns of a person; these must include `updated_at`. */
export const updateUser = (db: Db, id: string, change: Partial<Omit<UserTable, "id" | "created_at">>) =>
  db.updateTable("users").set(change).where("id", "=", id).execute();

/** Sets the role of a member of the firm. */
export const setRole = (db: Db, firm_id: string, user_id: string, role: Role) =>
  db.updateTable("members").set({ role }).where("firm_id", "=", firm_id).where("user_id", "=", user_id).execute();

/** Removes a person from the firm. */
export const deleteMember = (db: Db, firm_id: string, user_id: string) =>
  db.deleteFrom("members").where("firm_id", "=", firm_id).where("user_id", "=", user_id).execute();

/** A page of all firms after the id `after`, in the order of their ids. For the operator. */
export const firmsAfter = (db: SystemDb, after: string | undefined, limit: number): Promise<FirmTable[]> =>
  db
    .selectFrom("firms")
    .selectAll()
    .$if(after !== undefined, (q) => q.where("id", ">", after ?? ""))
    .orderBy("id")
    .limit(limit)
    .execute();
