import { userByEmail } from "../../../db/queries/firms.ts";
import type { Store } from "../../../db/store.ts";
import type { Mailer } from "../../integrations/mail/mailer.ts";
import { failure, invalid } from "../../platform/errors.ts";
import type { Runtime } from "../../platform/runtime.ts";
import { isInAFirm, normalEmail } from "../admin/users.ts";
import type { AccountMailer } from "./account-mailer.ts";
import type { Attempt, SignInGuards } from "./guards.ts";
import { knownBy, type Origin, remember } from "./known-origins.ts";
import type { Passwords } from "./passwords.ts";
import { emailProvider, type Session } from "./schema.ts";
import type { Sessions } from "./sessions.ts";

export interface SignIn {
  /**
   * Signs in by password. Throws `invalid_credentials` (the same, after the same time, whether or not the account
   * exists), `rate_limit_exceeded`, or `validation_error` if the person was removed from their firm.
   */
  withPassword(email: string, password: string, origin: Origin): Promise<Session>;
  /** Checks a password under the rate limits. Throws the same errors. */
  checkPassword(attempt: Attempt, password: string, hash: string | null): Promise<void>;
}

export interface SignInOptions {
  readonly store: Store;
  readonly runtime: Runtime;
  readonly passwords: Passwords;
  readonly sessions: Sessions;
  readonly guards: SignInGuards;
  readonly accountMailer: AccountMailer;
  readonly mailer: Mailer;
}

/** Creates the password sign-in, for the routes and the pages. */
export function createSignIn({
  store,
  runtime,
  passwords,
  sessions,
  guards,
  accountMailer,
  mailer,
}: SignInOptions): SignIn {
  const checkPassword: SignIn["checkPassword"] = async (attempt, password, hash) => {
    const turn = { check: () => guards.check(attempt), wrong: () => guards.wrong(attempt) };
    turn.check();
    if (!(await passwords.verify(password, hash, turn))) throw failure("invalid_credentials");
  };

  return {
    checkPassword,
    async withPassword(given, password, origin) {
      const { address, browser, user_agent } = origin;
      const email = normalEmail(given);
      const user = await userByEmail(store.read, email);
      const known = user && (await knownBy(store.read, user.id, origin, runtime.now()));
      await checkPassword({ email, address, browser, knownBy: known }, password, user?.password_hash ?? null);
      if (!user) throw failure("invalid_credentials");
      if (!(await isInAFirm(store.read, user.id)))
        throw invalid(
          "/body/email",
          "belongs to a person who is no longer in a firm: ask your firm to invite you again",
        );
      if (user.email_confirmed_at === null && mailer.isConfigured) {
        // The password is right, so the message is wanted; it may say more than the response.
        if (guards.mayMail(email)) await store.write((tx) => accountMailer.confirm(tx, runtime.now(), user, email));
        mailer.wake();
        throw failure("invalid_credentials");
      }
      await store.write((tx) => remember(tx, user.id, origin, runtime.now()));
      return sessions.open(user.id, emailProvider, { user_agent, authenticated_at: runtime.now() });
    },
  };
}
