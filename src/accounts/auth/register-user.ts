import { acceptInvitation } from "../../../db/queries/invitations.ts";
import type { InvitationTable } from "../../../db/schema/auth-tables.ts";
import type { UserTable } from "../../../db/schema/tables.ts";
import type { Db } from "../../../db/store.ts";
import type { Runtime } from "../../platform/runtime.ts";
import { type Creation, record } from "../admin/audit-context.ts";
import { createFirm, createWorkspace } from "../admin/firms.ts";
import { readmit } from "../admin/members.ts";
import { createUser, type NewUser } from "../admin/users.ts";

/** A new person without a firm. No field has a default. */
export type Registration = Required<
  Pick<NewUser, "email" | "full_name" | "locale" | "password_hash" | "email_confirmed_at">
>;

/**
 * Creates a user who signs up or comes from an external provider: in the invitation's firm, or as the owner of a new
 * firm, with a first workspace and no credits. Throws `validation_error` for an invalid or known address.
 */
export async function registerUser(
  tx: Db,
  runtime: Runtime,
  at: number,
  given: Registration,
  invitation?: InvitationTable,
): Promise<UserTable> {
  const id = runtime.id();
  const audit: Creation = { actor: `user:${id}`, at, runtime };
  if (invitation) {
    const { firm_id, role } = invitation;
    const user = await createUser(tx, audit, { ...given, id, firm_id, role });
    await acceptInvitation(tx, firm_id, invitation.id, { accepted_at: at, accepted_by: id });
    await record(tx, audit, "invitation.accepted", invitation.id, firm_id);
    return user;
  }
  const name = given.full_name?.trim() || given.email.replace(/@.*$/, "");
  // Many people have the same name: searching for a free slug would take longer with each of them.
  const firm = await createFirm(tx, audit, { name, slug: `firm-${id.slice(-12)}` });
  await createWorkspace(tx, audit, firm.id, { name: "Main" });
  return createUser(tx, audit, { ...given, id, firm_id: firm.id, role: "owner" });
}

/** Adds a person who was removed from their firm to an invitation's firm. The invitation has verified their address. */
export async function returnByInvitation(
  tx: Db,
  at: number,
  user: UserTable,
  { id, firm_id, role }: InvitationTable,
  given: Pick<Registration, "full_name" | "password_hash">,
): Promise<UserTable> {
  const audit = { actor: `user:${user.id}`, at };
  const back = await readmit(tx, audit, user, { ...given, firm_id, role });
  await acceptInvitation(tx, firm_id, id, { accepted_at: at, accepted_by: user.id });
  await record(tx, audit, "invitation.accepted", id, firm_id);
  return back;
}
