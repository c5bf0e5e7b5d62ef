import { insertMember, insertUser, membershipsOf, updateUser, userByEmail } from "../../../db/queries/firms.ts";
import type { Role, UserTable } from "../../../db/schema/tables.ts";
import type { Db } from "../../../db/store.ts";
import { invalid } from "../../platform/errors.ts";
import { optionalName } from "../../platform/names.ts";
import { endSignIns, voidLinks } from "../auth/voiding.ts";
import { type AuditContext, type Creation, record } from "./audit-context.ts";

/** A firm's roles, highest first. */
export const roles: readonly Role[] = ["owner", "admin", "approver", "member"];

export interface NewUser {
  /** If absent, a new one. */
  readonly id?: string;
  readonly firm_id: string;
  readonly email: string;
  readonly full_name?: string | null;
  readonly role: Role;
  readonly locale?: string;
  readonly country?: string | null;
  /** An argon2id hash, computed beforehand because a transaction must wait for nothing but the database. */
  readonly password_hash?: string | null;
  /** When the address was verified; if absent, now, on the administrator's authority. */
  readonly email_confirmed_at?: number | null;
}

/**
 * Catches typing errors; only a mail shows whether an address exists. Excludes control characters, spaces and
 * characters with a meaning in mail headers.
 */
const emailForm = /^[^\p{C}\s@<>()[\]\\,;:"]{1,64}@[^\p{C}\s@<>()[\]\\,;:"]+\.[^\p{C}\s@<>()[\]\\,;:".]+$/u;

/** Returns an address in the form in which it is stored and looked up. */
export const normalEmail = (email: string): string => email.trim().toLowerCase();

/** Returns the normalised address. Throws `validation_error` at `path` if it is invalid. */
export function checkedEmail(given: string, path: string): string {
  const email = normalEmail(given);
  if (!emailForm.test(email) || email.length > 254) throw invalid(path, "must be an e-mail address");
  return email;
}

/** The error message for an address that belongs to a member of a firm. */
export const takenAddress = "already belongs to a user: remove them from their firm before adding them to another";

/**
 * Returns whether a person belongs to a firm. A person who was removed from their last firm keeps their account, and
 * may return.
 */
export const isInAFirm = async (db: Db, user_id: string): Promise<boolean> =>
  (await membershipsOf.first(db, { user_id })) !== undefined;

/** Creates a person and adds them to a firm. Throws `validation_error` for an invalid or known address. */
export async function createUser(tx: Db, audit: Creation, given: NewUser): Promise<UserTable> {
  const email = checkedEmail(given.email, "/email");
  if (await userByEmail(tx, email)) throw invalid("/email", takenAddress);
  const user: UserTable = {
    id: given.id ?? audit.runtime.id(),
    email,
    full_name: optionalName(given.full_name, "/name", 120),
    locale: given.locale ?? "en",
    country: given.country ?? null,
    password_hash: given.password_hash ?? null,
    email_confirmed_at: given.email_confirmed_at === undefined ? audit.at : given.email_confirmed_at,
    last_sign_in_at: null,
    created_at: audit.at,
    updated_at: audit.at,
    is_operator: 0,
  };
  await insertUser(tx, user);
  await insertMember(tx, { firm_id: given.firm_id, user_id: user.id, role: given.role, created_at: audit.at });
  await record(tx, audit, "user.created", user.id, given.firm_id, { role: given.role });
  return user;
}

/** Grants or withdraws a person's operator rights, from their next request on. Returns false if nothing changed. */
export async function setOperator(tx: Db, audit: AuditContext, user: UserTable, isOperator: boolean): Promise<boolean> {
  const is_operator = isOperator ? 1 : 0;
  if (user.is_operator === is_operator) return false;
  await updateUser(tx, user.id, { is_operator, updated_at: audit.at });
  await record(tx, audit, isOperator ? "operator.granted" : "operator.withdrawn", user.id, null);
  return true;
}

/**
 * Sets a person's password hash on the administrator's authority. Their sessions end and the links in their mail become
 * invalid.
 */
export async function setPassword(tx: Db, audit: AuditContext, user_id: string, password_hash: string): Promise<void> {
  await updateUser(tx, user_id, { password_hash, updated_at: audit.at });
  await endSignIns(tx, audit.at, user_id);
  await voidLinks(tx, user_id);
  await record(tx, audit, "user.password_set", user_id, null);
}
