import type { InvitationTable } from "../schema/auth-tables.ts";
import type { Db } from "../store.ts";
import type { SystemDb } from "../tenancy.ts";

export const insertInvitation = (db: Db, invitation: InvitationTable) =>
  db.insertInto("invitations").values(invitation).execute();

/** Finds an invitation by its secret alone, because the invited person belongs to no firm yet. */
export const invitationByHash = (db: Db, hash: string): Promise<InvitationTable | undefined> =>
  db.selectFrom("invitations").selectAll().where("hash", "=", hash).executeTakeFirst();

/** The newest open invitation, by any firm, of an address that its owner has confirmed. */
export const openInvitationFor = (db: SystemDb, email: string, at: number): Promise<InvitationTable | undefined> =>
  db
    .selectFrom("invitations")
    .selectAll()
    .where("email", "=", email)
    .where("accepted_at", "is", null)
    .where("expires_at", ">", at)
    .orderBy("id", "desc")
    .executeTakeFirst();

export const invitationsOf = (db: Db, firm_id: string): Promise<InvitationTable[]> =>
  db.selectFrom("invitations").selectAll().where("firm_id", "=", firm_id).orderBy("id", "desc").execute();

/** The firm's open invitations made by one of its members. */
export const openInvitationsBy = (
  db: Db,
  firm_id: string,
  invited_by: string,
  at: number,
): Promise<InvitationTable[]> =>
  db
    .selectFrom("invitations")
    .selectAll()
    .where("firm_id", "=", firm_id)
    .where("invited_by", "=", invited_by)
    .where("accepted_at", "is", null)
    .where("expires_at", ">", at)
    .execute();

/** Records who accepted an invitation, and when. */
export const acceptInvitation = (
  db: Db,
  firm_id: string,
  id: string,
  accepted: { readonly accepted_at: number; readonly accepted_by: string },
) => db.updateTable("invitations").set(accepted).where("firm_id", "=", firm_id).where("id", "=", id).execute();

/** Deletes an invitation. Returns whether the firm had such an invitation that was not accepted. */
export async function deleteInvitation(db: Db, firm_id: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom("invitations")
    .where("firm_id", "=", firm_id)
    .where("id", "=", id)
    .where("accepted_at", "is", null)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}
