import { apiKeysOfUser } from "../../../db/queries/api-keys.ts";
import { externalIdentity, insertExternalIdentity } from "../../../db/queries/external-identities.ts";
import { membershipsOf, updateUser, userByEmail } from "../../../db/queries/firms.ts";
import { deleteOneTimeTokens } from "../../../db/queries/one-time-tokens.ts";
import { revokeSessionsOf } from "../../../db/queries/sessions.ts";
import type { UserTable } from "../../../db/schema/tables.ts";
import type { Db, Store } from "../../../db/store.ts";
import { failure } from "../../platform/errors.ts";
import type { Runtime } from "../../platform/runtime.ts";
import { record } from "../admin/audit-context.ts";
import { revokeKey } from "../admin/keys.ts";
import { normalEmail } from "../admin/users.ts";
import type { ExternalPerson } from "./external-provider.ts";
import { registerUser } from "./register-user.ts";

export interface ExternalPeople {
  /** The id of the user that the provider's person is; `locale` is a new user's. Throws `invalid_credentials` where nothing proves who it is. */
  resolve(person: ExternalPerson, locale: string): Promise<string>;
}

/**
 * Makes an account its confirmed owner's. As long as the address was not confirmed, a stranger may have chosen the
 * password: it goes, with every session, link and key that came of it.
 */
async function takeOver(tx: Db, at: number, user: UserTable): Promise<void> {
  if (user.email_confirmed_at !== null) return;
  await updateUser(tx, user.id, { email_confirmed_at: at, password_hash: null, updated_at: at });
  await revokeSessionsOf(tx, user.id, at);
  for (const purpose of ["confirm", "reset"] as const) await deleteOneTimeTokens(tx, user.id, purpose);
  const audit = { actor: `user:${user.id}`, at };
  for (const { firm_id } of await membershipsOf.all(tx, { user_id: user.id }))
    for (const { id } of await apiKeysOfUser(tx, firm_id, user.id)) await revokeKey(tx, audit, firm_id, id);
}

/**
 * Finds the user that an OpenID provider's person is: by issuer and subject once they are known, before that by an e-mail address
 * that the provider vouches for. Someone without an account gets one.
 */
export function createExternalPeople(store: Store, runtime: Runtime): ExternalPeople {
  async function identify(tx: Db, person: ExternalPerson, locale: string): Promise<string> {
    const { issuer, subject, verified_email, full_name } = person;
    const at = runtime.now();
    const known = await externalIdentity(tx, issuer, subject);
    if (known) return known.user_id;
    if (verified_email === undefined) throw failure("invalid_credentials");
    const email = normalEmail(verified_email);
    const existing = await userByEmail(tx, email);
    if (existing) await takeOver(tx, at, existing);
    const registration = { email, full_name, locale, password_hash: null, email_confirmed_at: at };
    const { id } = existing ?? (await registerUser(tx, runtime, at, registration));
    await insertExternalIdentity(tx, { issuer, subject, user_id: id, created_at: at });
    await record(tx, { actor: `user:${id}`, at }, "user.linked", id, null, { issuer });
    return id;
  }
  return { resolve: (person, locale) => store.write((tx) => identify(tx, person, locale)) };
}
