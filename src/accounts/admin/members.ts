import { apiKeysOfUser, revokeApiKey } from "../../../db/queries/api-keys.ts";
import { membershipsOf, membersOf, updateUser } from "../../../db/queries/firms.ts";
import { deleteExternalIdentities, deleteMember, setRole } from "../../../db/queries/members.ts";
import { connectionsOfUser, revokeConnection } from "../../../db/queries/oauth-connections.ts";
import { revokeSessionsOf } from "../../../db/queries/sessions.ts";
import type { Role } from "../../../db/schema/tables.ts";
import type { Db } from "../../../db/store.ts";
import { invalid } from "../../platform/errors.ts";
import { type AuditContext, record } from "./audit-context.ts";

/** A firm's person, by their ids. */
export interface Member {
  readonly firm_id: string;
  readonly user_id: string;
}

/** A firm without an owner could not be administered by anybody in it. */
async function refuseLastOwner(tx: Db, { firm_id, user_id }: Member): Promise<void> {
  const owners = (await membersOf(tx, firm_id)).filter(({ role }) => role === "owner");
  if (owners.length === 1 && owners[0]?.id === user_id)
    throw invalid("/email", "belongs to the firm's only owner: make somebody else an owner first");
}

/**
 * Changes what a person may do, from the next request on; keys of theirs reach no further than their role. Throws
 * `validation_error` for the only owner. False: they have that role.
 */
export async function changeRole(tx: Db, audit: AuditContext, member: Member, role: Role): Promise<boolean> {
  const { firm_id, user_id } = member;
  const before = (await membersOf(tx, firm_id)).find(({ id }) => id === user_id)?.role;
  if (before === role) return false;
  await refuseLastOwner(tx, member);
  await setRole(tx, firm_id, user_id, role);
  await record(tx, audit, "user.role_changed", user_id, firm_id, { role });
  return true;
}

/** What ended with a person's membership. */
export interface Removed {
  readonly keys: number;
  readonly connections: number;
}

/**
 * Takes a person out of a firm: their keys and connections there are revoked, their runs stay the firm's. Who is in no
 * other firm is forgotten by name and address, which somebody new may have then. Throws `validation_error` for the only
 * owner.
 */
export async function removeMember(tx: Db, audit: AuditContext, member: Member): Promise<Removed> {
  const { firm_id, user_id } = member;
  await refuseLastOwner(tx, member);
  let [keys, connections] = [0, 0];
  for (const { id } of await apiKeysOfUser(tx, firm_id, user_id))
    if (await revokeApiKey(tx, firm_id, id, audit.at)) keys++;
  for (const { id } of await connectionsOfUser(tx, firm_id, user_id))
    if (await revokeConnection(tx, firm_id, id, audit.at)) connections++;
  await deleteMember(tx, firm_id, user_id);
  await revokeSessionsOf(tx, user_id, audit.at);
  if (!(await membershipsOf.first(tx, { user_id }))) {
    await deleteExternalIdentities(tx, user_id);
    const forgotten = { email: `${user_id}@removed.invalid`, full_name: null, password_hash: null };
    await updateUser(tx, user_id, { ...forgotten, updated_at: audit.at });
  }
  await record(tx, audit, "user.removed", user_id, firm_id, { keys, connections });
  return { keys, connections };
}
