import { membershipsOf, updateUser, userByEmail, userById } from "../../../db/queries/firms.ts";
import { sessionById } from "../../../db/queries/sessions.ts";
import type { SessionTable } from "../../../db/schema/auth-tables.ts";
import type { UserTable } from "../../../db/schema/tables.ts";
import type { Db, Store } from "../../../db/store.ts";
import type { Principal } from "../../identity/principal.ts";
import type { Mailer } from "../../integrations/mail/mailer.ts";
import { present } from "../../platform/assert.ts";
import { type Clock, minute } from "../../platform/clock.ts";
import { failure, invalid } from "../../platform/errors.ts";
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

/** What a person may change of themselves; a password's and an e-mail address's change has to be proved. */
export interface UserUpdate {
  readonly email?: string | undefined;
  readonly password?: string | undefined;
  readonly current_password?: string | undefined;
  readonly full_name?: string | undefined;
  readonly locale?: string | undefined;
}

export interface Accounts {
  /** The person who asks, as they see themselves. */
  read(principal: Principal): Promise<User>;
  /** Changes what is given. Throws `validation_error`, `invalid_credentials`, `rate_limit_exceeded`. */
  update(principal: Principal, update: UserUpdate, origin: Origin): Promise<User>;
  /** Has a reset link sent, if there is such an account. It returns at once: how long the rest takes reveals nothing. */
  recover(email: string): void;
  /** What the person of a link's token may have revoked with their new password. Throws `invalid_credentials`. */
  resettable(token: string): Promise<StandingAccess>;
  /**
   * Sets a password by a link's token, and ends every session; with `revoke_access` also every key and connection.
   * Throws `invalid_credentials`, `validation_error`.
   */
  resetPassword(token: string, password: string, revoke_access: boolean): Promise<void>;
  /**
   * Confirms an address by a link's token, and signs in a newcomer. The link of a changed address gives
   * no session: the person is signed in where they asked for the change. Throws `invalid_credentials`.
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

/** A sign-in this recent counts as the present password. */
const recentSignIn = 5 * minute;

/** Records in the audit chain what a person did to their account, under their firm. */
async function recordChange(tx: Db, at: number, user_id: string, action: string): Promise<void> {
  const member = await membershipsOf.first(tx, { user_id });
  await record(tx, { actor: `user:${user_id}`, at }, action, user_id, member?.firm_id ?? null);
}

const personOf = async (db: Db, id: string): Promise<UserTable> =>
  present(await userById(db, id), "the credential's owner");

/** Changing, recovering and confirming accounts. */
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
      // The link to a new address is sent after those that a new password voids.
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
      // Strangers may ask too. None of the links that were sent goes for it: while there are many, no more are sent.
      if ((await openResetLinks(tx, clock.now(), user.id)) < resetLinksAtMost)
        await accountMailer.reset(tx, clock.now(), user);
    });
    sent.then(mailer.wake, (error) => log.error("a reset link could not be made", { error }));
  }

  async resettable(token: string): Promise<StandingAccess> {
    const { store, clock } = this.options;
    const found = await readOneTimeToken(store.read, clock.now(), token, "reset");
    if (!found) throw failure("invalid_credentials");
    return accessOf(store.read, found.user_id, clock.now());
  }

  async resetPassword(token: string, password: string, revoke_access: boolean): Promise<void> {
    const { store, clock, passwords, mailer } = this.options;
    checkPassword(password, "/body/password");
    // Looked at first, so that a made-up token costs no hash.
    if (!(await readOneTimeToken(store.read, clock.now(), token, "reset"))) throw failure("invalid_credentials");
    const password_hash = await passwords.hash(password);
    await store.write(async (tx) => {
      const at = clock.now();
      const found = await useOneTimeToken(tx, at, token, "reset");
      if (!found) throw failure("invalid_credentials");
      const user = await personOf(tx, found.user_id);
      // A person who followed the link reads the mail of the address that it was sent to.
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
      if (!found || (taken && taken.id !== found.user_id)) throw failure("invalid_credentials");
      const user = await personOf(tx, found.user_id);
      // The link was sent for the password that was chosen with it; nothing else can have been made by its owner.
      await discardUnproved(tx, at, user, { keepsPassword: true });
      await voidLinks(tx, user.id);
      await updateUser(tx, user.id, { email: found.email, email_confirmed_at: at, updated_at: at });
      await recordChange(tx, at, user.id, "user.email_confirmed");
      const isOwn = user.email === found.email && user.email_confirmed_at === null;
      const signsIn = isOwn && (await isInAFirm(tx, user.id));
      return { before: user, after: await personOf(tx, user.id), signsIn };
    });
    if (!signsIn) return { user: userRecord(after) };
    // The link goes with the password of a moment ago. To an account that was used before, it is a mailbox and no more.
    const authenticated_at = before.last_sign_in_at === null ? clock.now() : null;
    return sessions.open(after.id, emailProvider, { user_agent, authenticated_at });
  }

  private async seen(user: UserTable, principal: Principal): Promise<User> {
    return userRecord(user, (await this.sessionOf(principal))?.provider);
  }

  private async sessionOf({ session_id }: Principal): Promise<SessionTable | undefined> {
    return session_id === null ? undefined : sessionById.first(this.options.store.read, { id: session_id });
  }

  /** Asks for the present password, unless the sign-in was a moment ago. */
  private async prove(principal: Principal, user: UserTable, update: UserUpdate, origin: Origin): Promise<void> {
    const { signIn, clock } = this.options;
    const { current_password } = update;
    if (current_password !== undefined) {
      const { address } = origin;
      // They are signed in: what strangers guess of their password holds them up no more.
      const attempt = { email: user.email, address, knownBy: "session" as const };
      return signIn.checkPassword(attempt, current_password, user.password_hash);
    }
    const signedIn = (await this.sessionOf(principal))?.authenticated_at ?? 0;
    if (clock.now() - signedIn >= recentSignIn)
      throw invalid("/body/current_password", "is required, or a sign-in less than five minutes old");
  }

  /**
   * A new address counts at once where no mail can be sent; otherwise when the link sent to it is followed. The present
   * address is told when the change is asked for: once the link has been followed its owner can no longer prevent it.
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

/** Makes the service of accounts. `src/app.ts` makes one for the installation. */
export const createAccounts = (options: AccountOptions): Accounts => new AccountService(options);
