import { membershipsOf, updateUser, userByEmail, userById } from "../../../db/queries/firms.ts";
import { sessionById } from "../../../db/queries/sessions.ts";
import type { SessionTable } from "../../../db/schema/auth-tables.ts";
import type { UserTable } from "../../../db/schema/tables.ts";
import type { Db, Store } from "../../../db/store.ts";
import type { Principal } from "../../identity/principal.ts";
import type { Mailer } from "../../integrations/mail/mailer.ts";
import { present } from "../../platform/assert.ts";
import { type Clock, minute } from "../../platform/clock.ts";
import { invalid, noLongerValid } from "../../platform/errors.ts";
import type { Log } from "../../platform/log.ts";
import { optionalName } from "../../platform/names.ts";
import { record } from "../admin/audit-context.ts";
import { checkedEmail, isInAFirm, normalEmail } from "../admin/users.ts";
import type { AccountMailer } from "./account-mailer.ts";
import { accessOf, discardUnproved, revokeAccess, type StandingAccess } from "./credentials.ts";
import type { SignInGuards } from "./guards.ts";
import type { Origin } from "./known-origins.ts";
import { openResetLinks, readOneTimeToken, resetLinksAtMost, useOneTimeToken } from "./one-time.ts";
import { checkPassword, type Passwords } from "./passwords.ts";
import { type Confirmed, emailProvider, type Session, type User, userRecord } from "./schema.ts";
import type { Sessions } from "./sessions.ts";
import type { SignIn } from "./sign-in.ts";
import { endSignIns, voidLinks } from "./voiding.ts";

/** Creates the error for a mailed link that can't be followed. */
const deadLink = () => noLongerValid("/body/token", "is unknown, expired, used or replaced: request a new link");

/** What people may change about themselves. Changing the password or the e-mail address requires proof of identity. */
export interface UserUpdate {
  readonly email?: string | undefined;
  readonly password?: string | undefined;
  readonly current_password?: string | undefined;
  readonly full_name?: string | undefined;
  readonly locale?: string | undefined;
}

export interface Accounts {
  /** Returns the caller's own account. */
  read(principal: Principal): Promise<User>;
  /** Applies the given changes. Throws `validation_error`, `invalid_credentials` or `rate_limit_exceeded`. */
  update(principal: Principal, update: UserUpdate, origin: Origin): Promise<User>;
  /** Sends a reset link if the account exists. Returns at once, so that its timing reveals nothing. */
  recover(email: string): void;
  /**
   * Returns the access that the owner of a reset token may revoke with their new password. Throws
   * `invalid_credentials`.
   */
  resettable(token: string): Promise<StandingAccess>;
  /**
   * Sets a password by a reset token and ends every session; with `revoke_access`, also revokes every key and
   * connection. Throws `invalid_credentials` or `validation_error`.
   */
  resetPassword(token: string, password: string, revoke_access: boolean): Promise<void>;
  /**
   * Confirms an address by a token, and signs in a new person. Confirming a changed address opens no session, since the
   * person is signed in where they requested the change. Throws `invalid_credentials`.
   */
  confirmEmail(token: string, user_agent: string | null): Promise<Session | Confirmed>;
}

export interface AccountOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly passwords: Passwords;
  readonly sessions: Sessions;
  readonly signIn: SignIn;
  readonly guards: SignInGuards;
  readonly accountMailer: AccountMailer;
  readonly mailer: Mailer;
}

/** A sign-in this recent is accepted in place of the current password. */
const recentSignIn = 5 * minute;

/** Records a person's change to their account in the audit log, under their firm. */
async function recordChange(tx: Db, at: number, user_id: string, action: string): Promise<void> {
  const member = await membershipsOf.first(tx, { user_id });
  await record(tx, { actor: `user:${user_id}`, at }, action, user_id, member?.firm_id ?? null);
}

const personOf = async (db: Db, id: string): Promise<UserTable> =>
  present(await userById(db, id), "the credential's owner");

/** Implements changing, recovering and confirming accounts. */
class AccountService implements Accounts {
  constructor(private readonly options: AccountOptions) {}

  async read(principal: Principal): Promise<User> {
    return this.seen(await personOf(this.options.store.read, principal.user_id), principal);
  }

  async update(principal: Principal, update: UserUpdate, origin: Origin): Promise<User> {
    const { store, clock, passwords, mailer } = this.options;
    const known = await personOf(store.read, principal.user_id);
    const given = update.email === undefined ? undefined : checkedEmail(update.email, "/body/email");
    const email = given === known.email ? undefined : given;
    const { password, full_name, locale } = update;
    if (password !== undefined) checkPassword(password, "/body/password");
    const isGrave = email !== undefined || password !== undefined;
    if (isGrave) await this.prove(principal, known, update, origin);
    if (email !== undefined) this.options.guards.changesAddress(known.id);
    const password_hash = password === undefined ? undefined : await passwords.hash(password);
    const changed = await store.write(async (tx) => {
      const at = clock.now();
      const named = full_name === undefined ? {} : { full_name: optionalName(full_name, "/body/full_name", 120) };
      await updateUser(tx, known.id, { ...named, ...(locale !== undefined && { locale }), updated_at: at });
      // Sent after the new password invalidates earlier links.
      if (password_hash !== undefined) await this.changePassword(tx, at, known, password_hash);
      if (email !== undefined) await this.changeEmail(tx, at, known, email);
      if (isGrave) await endSignIns(tx, at, known.id, principal.session_id);
      return personOf(tx, known.id);
    });
    mailer.wake();
    return this.seen(changed, principal);
  }

  recover(given: string): void {
    const { store, clock, log, guards, accountMailer, mailer } = this.options;
    const email = normalEmail(given);
    const sent = store.write(async (tx) => {
      const user = await userByEmail(tx, email);
      if (!user || !guards.mayMail(email)) return;
      // Anyone may request a link. Existing links stay valid, so above this number no more are sent.
      if ((await openResetLinks(tx, clock.now(), user.id)) < resetLinksAtMost)
        await accountMailer.reset(tx, clock.now(), user);
    });
    sent.then(mailer.wake, (error) => log.error("could not create a reset link", { error }));
  }

  async resettable(token: string): Promise<StandingAccess> {
    const { store, clock } = this.options;
    const found = await readOneTimeToken(store.read, clock.now(), token, "reset");
    if (!found) throw deadLink();
    return accessOf(store.read, found.user_id, clock.now());
  }

  async resetPassword(token: string, password: string, revoke_access: boolean): Promise<void> {
    const { store, clock, passwords, mailer } = this.options;
    checkPassword(password, "/body/password");
    // Checked first, so that a made-up token does not cost a hash.
    if (!(await readOneTimeToken(store.read, clock.now(), token, "reset"))) throw deadLink();
    const password_hash = await passwords.hash(password);
    await store.write(async (tx) => {
      const at = clock.now();
      const found = await useOneTimeToken(tx, at, token, "reset");
      if (!found) throw deadLink();
      const user = await personOf(tx, found.user_id);
      // Following the link proves that the person reads the mail of the address it was sent to.
      if (user.email === found.email && user.email_confirmed_at === null) {
        await discardUnproved(tx, at, user);
        await updateUser(tx, user.id, { email_confirmed_at: at });
      }
      if (revoke_access) await revokeAccess(tx, { actor: `user:${user.id}`, at }, user.id);
      await this.changePassword(tx, at, user, password_hash);
      await endSignIns(tx, at, user.id);
    });
    mailer.wake();
  }

  async confirmEmail(token: string, user_agent: string | null): Promise<Session | Confirmed> {
    const { store, clock, sessions } = this.options;
    const { before, after, signsIn } = await store.write(async (tx) => {
      const at = clock.now();
      const found = await useOneTimeToken(tx, at, token, "confirm");
      const taken = found && (await userByEmail(tx, found.email));
      if (!found || (taken && taken.id !== found.user_id)) throw deadLink();
      const user = await personOf(tx, found.user_id);
      // The link belongs to the password chosen with it; the owner cannot have created anything else.
      await discardUnproved(tx, at, user, { keepsPassword: true });
      await voidLinks(tx, user.id);
      await updateUser(tx, user.id, { email: found.email, email_confirmed_at: at, updated_at: at });
      await recordChange(tx, at, user.id, "user.email_confirmed");
      const isOwn = user.email === found.email && user.email_confirmed_at === null;
      const signsIn = isOwn && (await isInAFirm(tx, user.id));
      return { before: user, after: await personOf(tx, user.id), signsIn };
    });
    if (!signsIn) return { user: userRecord(after) };
    // The link was sent with the password just chosen. For an account used before, it only proves access to a mailbox.
    const authenticated_at = before.last_sign_in_at === null ? clock.now() : null;
    return sessions.open(after.id, emailProvider, { user_agent, authenticated_at });
  }

  private async seen(user: UserTable, principal: Principal): Promise<User> {
    return userRecord(user, (await this.sessionOf(principal))?.provider);
  }

  private async sessionOf({ session_id }: Principal): Promise<SessionTable | undefined> {
    return session_id === null ? undefined : sessionById.first(this.options.store.read, { id: session_id });
  }

  /** Requires the current password, unless the person signed in moments ago. */
  private async prove(principal: Principal, user: UserTable, update: UserUpdate, origin: Origin): Promise<void> {
    const { signIn, clock } = this.options;
    const { current_password } = update;
    if (current_password !== undefined) {
      const { address } = origin;
      // The person is signed in, so failed guesses by others do not block them.
      const attempt = { email: user.email, address, knownBy: "session" as const };
      return signIn.checkPassword(attempt, current_password, user.password_hash);
    }
    const signedIn = (await this.sessionOf(principal))?.authenticated_at ?? 0;
    if (clock.now() - signedIn >= recentSignIn)
      throw invalid("/body/current_password", "is required, unless you signed in within the last five minutes");
  }

  /**
   * Without mail, a new address takes effect at once; otherwise when its link is followed. The current address is
   * notified when the change is requested, while its owner can still prevent it.
   */
  private async changeEmail(tx: Db, at: number, user: UserTable, email: string): Promise<void> {
    const { mailer, accountMailer, guards } = this.options;
    await accountMailer.notify(tx, at, user, "email_changing");
    const taken = await userByEmail(tx, email);
    if (!mailer.isConfigured) {
      if (taken) throw invalid("/body/email", "belongs to another account");
      await voidLinks(tx, user.id);
      await updateUser(tx, user.id, { email, email_confirmed_at: null });
      await recordChange(tx, at, user.id, "user.email_changed");
    } else if (!taken && guards.mayMail(email)) await accountMailer.confirm(tx, at, user, email);
  }

  private async changePassword(tx: Db, at: number, user: UserTable, password_hash: string): Promise<void> {
    await updateUser(tx, user.id, { password_hash, updated_at: at });
    await voidLinks(tx, user.id);
    await recordChange(tx, at, user.id, "user.password_changed");
    await this.options.accountMailer.notify(tx, at, user, "password_changed");
  }
}

/** Creates the account service, once per installation in `src/app.ts`. */
export const createAccounts = (options: AccountOptions): Accounts => new AccountService(options);
