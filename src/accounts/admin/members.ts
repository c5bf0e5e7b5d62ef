import {
  deleteMember,
  insertMember,
  membershipsOf,
  membersOf,
  setRole,
  updateUser,
  userByEmail,
  userById,
} from "../../../db/queries/firms.ts";
import type { Role, UserTable } from "../../../db/schema/tables.ts";
import type { Db } from "../../../db/store.ts";
import { present } from "../../platform/assert.ts";
import { invalid } from "../../platform/errors.ts";
import { optionalName } from "../../platform/names.ts";
import { discardUnproved, revokeAccessIn, type StandingAccess } from "../auth/credentials.ts";
import { endSignIns, voidLinks } from "../auth/voiding.ts";
import { type AuditContext, type Creation, record } from "./audit-context.ts";
import { withdrawInvitationsBy } from "./invitations.ts";
import { createUser, isInAFirm, type NewUser, normalEmail, setOperator } from "./users.ts";

/** Throws for the last owner: without one, the firm's own people could never manage it again. */
async function refuseLastOwner(tx: Db, firm_id: string, user_id: string): Promise<void> {
  const owners = (await membersOf(tx, firm_id)).filter(({ role }) => role === "owner");
  if (owners.length === 1 && owners[0]?.id === user_id)
    throw invalid("/user_id", "is the firm's last owner: make someone else an owner first");
}

/**
 * Changes a member's role, from their next request on. Keys and connections stay, limited to the new role; an owner's
 * open invitations are withdrawn, because only owners may invite. Returns false if they already had the role. Throws
 * `validation_error` for the last owner.
 */
export async function changeRole(
  tx: Db,
  audit: AuditContext,
  { firm_id, user_id }: { readonly firm_id: string; readonly user_id: string },
  role: Role,
): Promise<boolean> {
  const before = (await membershipsOf.all(tx, { user_id })).find((member) => member.firm_id === firm_id)?.role;
  if (before === role) return false;
  if (before === "owner") {
    await refuseLastOwner(tx, firm_id, user_id);
    await withdrawInvitationsBy(tx, audit, firm_id, user_id);
  }
  await setRole(tx, firm_id, user_id, role);
  await record(tx, audit, "member.role_changed", user_id, firm_id, { from: before, to: role });
  return true;
}

/** The access that a removal revoked: how many of each kind. */
export interface Removed extends StandingAccess {
  readonly sessions: number;
}

/**
 * Removes a member from the firm: their keys, connections and open invitations there are revoked, and all their
 * sessions end. Their account, their runs and the charges for them stay. Throws `validation_error` for the last owner.
 */
export async function removeMember(tx: Db, audit: AuditContext, firm_id: string, user_id: string): Promise<Removed> {
  await refuseLastOwner(tx, firm_id, user_id);
  const access = await revokeAccessIn(tx, audit, firm_id, user_id);
  const sessions = await endSignIns(tx, audit.at, user_id);
  await voidLinks(tx, user_id);
  await deleteMember(tx, firm_id, user_id);
  await record(tx, audit, "member.removed", user_id, firm_id, { ...access, sessions });
  return { ...access, sessions };
}

/** The data of a returning person; absent fields stay as they were. */
export type Readmission = Pick<NewUser, "firm_id" | "role" | "full_name" | "password_hash">;

/**
 * Adds a person who was removed from their firm to one, under the same account, so that ledger, receipts and audit log
 * keep their references. Keys, connections and operator rights that the removal revoked stay revoked. The caller must
 * have verified the address, or an administrator vouches for it.
 */
export async function readmit(tx: Db, audit: AuditContext, user: UserTable, given: Readmission): Promise<UserTable> {
  const { firm_id, role, full_name, password_hash } = given;
  await discardUnproved(tx, audit.at, user);
  if (password_hash != null) {
    await endSignIns(tx, audit.at, user.id);
    await voidLinks(tx, user.id);
  }
  await updateUser(tx, user.id, {
    ...(full_name != null && { full_name: optionalName(full_name, "/name", 120) }),
    ...(password_hash != null && { password_hash }),
    email_confirmed_at: user.email_confirmed_at ?? audit.at,
    updated_at: audit.at,
  });
  await setOperator(tx, audit, user, false);
  await insertMember(tx, { firm_id, user_id: user.id, role, created_at: audit.at });
  await record(tx, audit, "member.readmitted", user.id, firm_id, { role });
  return present(await userById(tx, user.id), "the person who comes back");
}

/**
 * Adds a person to a firm on the administrator's authority: a new one, or one who was removed and returns. Throws
 * `validation_error` for an invalid address, and for the address of a firm's member.
 */
export async function addMember(
  tx: Db,
  audit: Creation,
  given: NewUser,
): Promise<{ readonly user: UserTable; readonly isBack: boolean }> {
  const known = await userByEmail(tx, normalEmail(given.email));
  if (!known || (await isInAFirm(tx, known.id))) return { user: await createUser(tx, audit, given), isBack: false };
  return { user: await readmit(tx, audit, known, given), isBack: true };
}
