import { updateUser, userByEmail } from "../../../db/queries/firms.ts";
import { invitationByHash } from "../../../db/queries/invitations.ts";
import type { InvitationTable } from "../../../db/schema/auth-tables.ts";
import type { UserTable } from "../../../db/schema/tables.ts";
import type { Db } from "../../../db/store.ts";
import { invalid } from "../../platform/errors.ts";
import { sha256Hex } from "../../platform/ids.ts";
import { optionalName } from "../../platform/names.ts";
import type { Runtime } from "../../platform/runtime.ts";
import { checkedEmail, isInAFirm } from "../admin/users.ts";
import { knownBy, type Origin, remember } from "./known-origins.ts";
import { checkPassword } from "./passwords.ts";
import { type Registration, registerUser, returnByInvitation } from "./register-user.ts";
import { emailProvider, type Session, type User, userRecord } from "./schema.ts";
import type { SignInOptions } from "./sign-in.ts";

/** Who may create an account: anyone, invited people, or no one. */
export type SignUpMode = "open" | "invited" | "off";

/** The sign-up data, already validated. */
export interface SignUpRequest {
  readonly email: string;
  readonly password: string;
  readonly full_name?: string | undefined;
  /** The secret of an invitation to a firm. */
  readonly invite?: string | undefined;
}

export interface SignUp {
  /**
   * Creates an account, in the inviting firm or in a new one. Returns a session, or only the user if the address has to
   * be confirmed first. Throws `validation_error`, also if the installation's sign-up mode does not allow it.
   */
  signUp(given: SignUpRequest, locale: string, origin: Origin): Promise<Session | User>;
}

/**
 * The response for a taken address. It looks like a new account, so that it does not reveal which addresses are taken.
 */
const inventedUser = (runtime: Runtime, { email, full_name, locale }: Registration, at: number): User =>
  userRecord({
    ...{ id: runtime.id(), email, full_name, locale, country: null, password_hash: null },
    ...{ email_confirmed_at: null, last_sign_in_at: null, created_at: at, is_operator: 0, updated_at: at },
  });

/** Throws `validation_error` if the sign-up mode allows no one, or only invited people and there is no invitation. */
function checkMode(mode: SignUpMode, invite: string | undefined): void {
  if (mode === "off")
    throw invalid("/body", "can't be accepted: sign-up is disabled here. Ask the operator for an account");
  if (mode === "invited" && invite === undefined)
    throw invalid("/body/invite", "is required: sign-up is by invitation only. Ask the operator for an invitation");
}

/**
 * Returns whether a person who was removed from their firm may return by the invitation: its link was sent to their
 * address, or they know their password. Otherwise throws `validation_error`, or `rate_limit_exceeded`.
 */
async function mayReturn(
  { store, guards, passwords, runtime }: SignInOptions,
  invitation: InvitationTable,
  password: string,
  origin: Origin,
): Promise<boolean> {
  const { email } = invitation;
  const former = await userByEmail(store.read, email);
  if (!former || (await isInAFirm(store.read, former.id))) return false;
  if (invitation.proves_address === 1) return true;
  const { address, browser } = origin;
  const attempt = { email, address, browser, knownBy: await knownBy(store.read, former.id, origin, runtime.now()) };
  const turn = { check: () => guards.check(attempt), wrong: () => guards.wrong(attempt) };
  turn.check();
  if (await passwords.verify(password, former.password_hash, turn)) return true;
  throw invalid(
    "/body/password",
    "must be the account's current password, because the person was removed from their firm",
  );
}

/** Creates the sign-up, for the routes and the pages. */
export function createSignUp(options: SignInOptions & { readonly mode: SignUpMode }): SignUp {
  const { mode, store, runtime, passwords, sessions, guards, accountMailer, mailer } = options;

  /** Returns the open invitation with this secret, if it is for this address. */
  async function invited(db: Db, secret: string, email: string): Promise<InvitationTable> {
    const found = await invitationByHash(db, sha256Hex(secret));
    if (!found || found.accepted_at !== null || found.expires_at <= runtime.now() || found.email !== email)
      throw invalid("/body/invite", "must be an open invitation for this e-mail address");
    return found;
  }

  /**
   * Writes to the owner of a taken address, unless that was done just now. If the account was never used, the newest
   * sign-up and its link replace the earlier ones: someone who signed up first with this address must not know the
   * password that its owner confirms.
   */
  async function remind(
    tx: Db,
    at: number,
    known: UserTable,
    { password_hash, full_name }: Registration,
  ): Promise<void> {
    if (!guards.mayMail(known.email)) return;
    if (known.email_confirmed_at !== null) return accountMailer.notify(tx, at, known, "known");
    if (known.last_sign_in_at === null) await updateUser(tx, known.id, { password_hash, full_name, updated_at: at });
    await accountMailer.confirm(tx, at, known, known.email);
  }

  return {
    async signUp({ password, full_name, invite, ...given }, locale, origin) {
      checkMode(mode, invite);
      const email = checkedEmail(given.email, "/body/email");
      checkPassword(password, "/body/password");
      const shown = optionalName(full_name, "/body/full_name", 120);
      const invitedBy = invite === undefined ? undefined : await invited(store.read, invite, email);
      const returns = invitedBy !== undefined && (await mayReturn(options, invitedBy, password, origin));
      const password_hash = await passwords.hash(password);
      const made = await store.write(async (tx) => {
        const at = runtime.now();
        const invitation = invite === undefined ? undefined : await invited(tx, invite, email);
        const email_confirmed_at = invitation?.proves_address === 1 ? at : null;
        const registration = { email, full_name: shown, locale, password_hash, email_confirmed_at };
        const known = await userByEmail(tx, email);
        if (known && invitation && returns && !(await isInAFirm(tx, known.id))) {
          const user = await returnByInvitation(tx, at, known, invitation, registration);
          await remember(tx, user.id, origin, at);
          return { isConfirmed: true, user: userRecord(user) };
        }
        if (known && (invitation || !mailer.isConfigured))
          throw invalid("/body/email", "already belongs to an account: sign in, or reset the password");
        if (known) await remind(tx, at, known, registration);
        if (known) return { isConfirmed: false, user: inventedUser(runtime, registration, at) };
        const user = await registerUser(tx, runtime, at, registration, invitation);
        const isConfirmed = invitation !== undefined || !mailer.isConfigured;
        if (isConfirmed) await remember(tx, user.id, origin, at);
        else await accountMailer.confirm(tx, at, user, email);
        return { isConfirmed, user: userRecord(user) };
      });
      mailer.wake();
      if (!made.isConfirmed) return made.user;
      const { user_agent } = origin;
      return sessions.open(made.user.id, emailProvider, { user_agent, authenticated_at: runtime.now() });
    },
  };
}
