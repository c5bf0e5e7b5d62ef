import { userByEmail } from "../../../db/queries/firms.ts";
import { deleteInvitation, insertInvitation, openInvitationsBy } from "../../../db/queries/invitations.ts";
import type { InvitationTable } from "../../../db/schema/auth-tables.ts";
import type { Role } from "../../../db/schema/tables.ts";
import type { Db } from "../../../db/store.ts";
import { day } from "../../platform/clock.ts";
import { invalid } from "../../platform/errors.ts";
import { randomBase62, sha256Hex } from "../../platform/ids.ts";
import { type AuditContext, type Creation, record } from "./audit-context.ts";
import { checkedEmail, isInAFirm, takenAddress } from "./users.ts";

/** Lifetime of an invitation. */
const invitationLifetime = 7 * day;

export interface NewInvitation {
  readonly firm_id: string;
  readonly email: string;
  readonly role: Role;
  /** The member who invites; if absent, the operator. */
  readonly invited_by?: string;
  /** Whether the link is handed to someone other than the invited person. Default: false. */
  readonly isHandedOver?: boolean;
}

export interface CreatedInvitation {
  readonly invitation: InvitationTable;
  /** Sent with the sign-up as `invite`. Shown once, not stored. */
  readonly secret: string;
}

/**
 * Invites an address to a firm. Throws `validation_error` for an invalid address. For the address of a firm's member it
 * throws only to the operator, so that no one else can find out which addresses have an account; that invitation leads
 * nowhere. A person who was removed from their firm can return by an invitation.
 */
export async function createInvitation(tx: Db, audit: Creation, given: NewInvitation): Promise<CreatedInvitation> {
  const email = checkedEmail(given.email, "/email");
  const known = given.invited_by === undefined ? await userByEmail(tx, email) : undefined;
  if (known && (await isInAFirm(tx, known.id))) throw invalid("/email", takenAddress);
  const secret = `assay_in_${randomBase62(audit.runtime, 43)}`;
  const invitation: InvitationTable = {
    id: audit.runtime.id(),
    firm_id: given.firm_id,
    hash: sha256Hex(secret),
    email,
    role: given.role,
    created_at: audit.at,
    expires_at: audit.at + invitationLifetime,
    accepted_at: null,
    accepted_by: null,
    proves_address: given.isHandedOver ? 0 : 1,
    invited_by: given.invited_by ?? null,
  };
  await insertInvitation(tx, invitation);
  await record(tx, audit, "invitation.created", invitation.id, given.firm_id, { role: given.role });
  return { invitation, secret };
}

/** Withdraws an invitation. Returns false if the firm has no such invitation or it was accepted. */
export async function withdrawInvitation(tx: Db, audit: AuditContext, firm_id: string, id: string): Promise<boolean> {
  const withdrawn = await deleteInvitation(tx, firm_id, id);
  if (withdrawn) await record(tx, audit, "invitation.withdrawn", id, firm_id);
  return withdrawn;
}

/** Withdraws the open invitations that a member has sent, since their authority to invite has ended. */
export async function withdrawInvitationsBy(
  tx: Db,
  audit: AuditContext,
  firm_id: string,
  user_id: string,
): Promise<void> {
  for (const { id } of await openInvitationsBy(tx, firm_id, user_id, audit.at))
    await withdrawInvitation(tx, audit, firm_id, id);
}
