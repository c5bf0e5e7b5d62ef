import { externalIdentity, insertExternalIdentity } from "../../../db/queries/external-identities.ts";
import { updateUser, userByEmail, userById } from "../../../db/queries/firms.ts";
import { openInvitationFor } from "../../../db/queries/invitations.ts";
import type { InvitationTable } from "../../../db/schema/auth-tables.ts";
import type { Db, Store } from "../../../db/store.ts";
import { unscoped } from "../../../db/tenancy.ts";
import { failure } from "../../platform/errors.ts";
import { shownName } from "../../platform/names.ts";
import type { Runtime } from "../../platform/runtime.ts";
import { record } from "../admin/audit-context.ts";
import { isInAFirm, normalEmail } from "../admin/users.ts";
import { discardUnproved } from "./credentials.ts";
import type { ExternalPerson } from "./external-provider.ts";
import { registerUser, returnByInvitation } from "./register-user.ts";
import type { SignUpMode } from "./sign-up.ts";

export interface ExternalPeople {
  /**
   * Returns the id of the user for the provider's person; `locale` is for a new user. Throws `invalid_credentials` if
   * their identity is not proved.
   */
  resolve(person: ExternalPerson, locale: string): Promise<string>;
}

/**
 * Returns the invitation by which a new person may join, or null if none is needed. Throws `invalid_credentials` if
 * they may not.
 */
async function invitationFor(tx: Db, mode: SignUpMode, email: string, at: number): Promise<InvitationTable | null> {
  const found = mode === "off" ? undefined : await openInvitationFor(unscoped(tx), email, at);
  // If anyone can create a firm, an invitation by its members counts only for people who follow its link.
  const invitation = mode === "open" && found?.invited_by != null ? undefined : found;
  if (!invitation && mode !== "open") throw failure("invalid_credentials");
  return invitation ?? null;
}

/**
 * Resolves an OpenID provider's person to a user: by issuer and subject once known, otherwise by an e-mail address that
 * the provider has verified. Someone without an account gets one, in the firm that invited the address or in a new
 * firm, if the sign-up mode allows.
 */
export function createExternalPeople(store: Store, runtime: Runtime, mode: SignUpMode): ExternalPeople {
  async function identify(tx: Db, person: ExternalPerson, locale: string): Promise<string> {
    const { issuer, subject, verified_email, full_name } = person;
    const at = runtime.now();
    const known = await externalIdentity(tx, issuer, subject);
    if (known && (await isInAFirm(tx, known.user_id))) return known.user_id;
    if (verified_email === undefined) throw failure("invalid_credentials");
    const email = normalEmail(verified_email);
    const existing = known ? await userById(tx, known.user_id) : await userByEmail(tx, email);
    if (existing && !(await isInAFirm(tx, existing.id))) {
      // Removed from their firm. They return if a firm invites them, but do not get a new firm unasked.
      const invitation = await invitationFor(tx, mode, existing.email, at);
      if (!invitation || existing.email !== email) throw failure("invalid_credentials");
      const proved = { full_name: shownName(full_name), password_hash: null };
      await returnByInvitation(tx, at, existing, invitation, proved);
      if (known) return known.user_id;
    }
    // Until the address is verified, someone else may have created the account.
    if (existing?.email_confirmed_at === null) {
      await discardUnproved(tx, at, existing);
      await updateUser(tx, existing.id, { email_confirmed_at: at });
    }
    const registration = {
      email,
      full_name: shownName(full_name),
      locale,
      password_hash: null,
      email_confirmed_at: at,
    };
    const invitation = existing ? null : await invitationFor(tx, mode, email, at);
    const { id } = existing ?? (await registerUser(tx, runtime, at, registration, invitation ?? undefined));
    await insertExternalIdentity(tx, { issuer, subject, user_id: id, created_at: at });
    await record(tx, { actor: `user:${id}`, at }, "user.linked", id, null, { issuer });
    return id;
  }
  return { resolve: (person, locale) => store.write((tx) => identify(tx, person, locale)) };
}
