import { acceptInvitation } from "../../../db/queries/invitations.ts";
import type { InvitationTable } from "../../../db/schema/auth-tables.ts";
import type { UserTable } from "../../../db/schema/tables.ts";
import type { Db } from "../../../db/store.ts";
import type { Runtime } from "../../platform/runtime.ts";
import { type Creation, record } from "../admin/act.ts";
import { createFirm, createWorkspace } from "../admin/firms.ts";
import { createUser } from "../admin/users.ts";

export interface Newcomer {
  readonly email: string;
  readonly full_name: string | null;
  readonly locale: string;
  readonly password_hash: string | null;
  /** When the address was proved to be theirs; null: not yet. */
  readonly email_confirmed_at: number | null;
}

/**
 * Makes a person of somebody who came by themselves: in the firm that invited them, or in one of their own, as its owner,
 * with a first workspace and without credits. Whoever signs up, and whoever comes from an external provider.
 */
export async function enrol(
  tx: Db,
  runtime: Runtime,
  at: number,
  newcomer: Newcomer,
  invitation?: InvitationTable,
): Promise<UserTable> {
  const id = runtime.id();
  const act: Creation = { actor: `user:${id}`, at, runtime };
  if (invitation) {
    const { firm_id, role } = invitation;
    const user = await createUser(tx, act, { ...newcomer, id, firm_id, role });
    await acceptInvitation(tx, firm_id, invitation.id, { accepted_at: at, accepted_by: id });
    await record(tx, act, "invitation.accepted", invitation.id, firm_id);
    return user;
  }
  const name = newcomer.full_name?.trim() || newcomer.email.replace(/@.*$/, "");
  // Many people have the same name: looking for a free slug behind it would take longer with each of them.
  const firm = await createFirm(tx, act, { name, slug: `firm-${id.slice(-12)}` });
  await createWorkspace(tx, act, firm.id, { name: "Main" });
  return createUser(tx, act, { ...newcomer, id, firm_id: firm.id, role: "owner" });
}
