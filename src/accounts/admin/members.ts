import { deleteMember, membershipsOf, membersOf, setRole } from "../../../db/queries/firms.ts";
import { revokeSessionsOf } from "../../../db/queries/sessions.ts";
import type { Role } from "../../../db/schema/tables.ts";
import type { Db } from "../../../db/store.ts";
import { invalid } from "../../platform/errors.ts";
import { revokeAccessIn, type StandingAccess } from "../auth/credentials.ts";
import { type AuditContext, record } from "./audit-context.ts";

/** A firm without an owner could never be managed by its own people again. */
async function refuseLastOwner(tx: Db, firm_id: string, user_id: string): Promise<void> {
  const owners = (await membersOf(tx, firm_id)).filter(({ role }) => role === "owner");
  if (owners.length === 1 && owners[0]?.id === user_id)
    throw invalid("/user_id", "is the firm's last owner: make somebody else an owner first");
}

/**
 * Gives a person of the firm another role, from their next request on. Their keys and connections stay, and do no more
 * than the new role may. False: they had it. Throws `validation_error` for the last owner.
 */
export async function changeRole(
  tx: Db,
  audit: AuditContext,
  { firm_id, user_id }: { readonly firm_id: string; readonly user_id: string },
  role: Role,
): Promise<boolean> {
  const before = (await membershipsOf.all(tx, { user_id })).find((member) => member.firm_id === firm_id)?.role;
  if (before === role) return false;
  if (before === "owner") await refuseLastOwner(tx, firm_id, user_id);
  await setRole(tx, firm_id, user_id, role);
  await record(tx, audit, "member.role_changed", user_id, firm_id, { from: before, to: role });
  return true;
}

/** What went with a person: how many of each ended. */
export interface Removed extends StandingAccess {
  readonly sessions: number;
}

/**
 * Takes a person out of the firm: their keys and connections there are revoked, and they are signed out everywhere. Their
 * account, their runs and what those are charged stay. Throws `validation_error` for the last owner.
 */
export async function removeMember(tx: Db, audit: AuditContext, firm_id: string, user_id: string): Promise<Removed> {
  await refuseLastOwner(tx, firm_id, user_id);
  const access = await revokeAccessIn(tx, audit, firm_id, user_id);
  const sessions = await revokeSessionsOf(tx, user_id, audit.at);
  await deleteMember(tx, firm_id, user_id);
  await record(tx, audit, "member.removed", user_id, firm_id, { ...access, sessions });
  return { ...access, sessions };
}
