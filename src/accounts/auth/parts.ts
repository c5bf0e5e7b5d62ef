import type { Store } from "../../../db/sqlite/connection.ts";
import type { Keyring } from "../../identity/keyring.ts";
import { createMailer, type Mailer } from "../../integrations/mail/mailer.ts";
import type { Transport } from "../../integrations/mail/smtp.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Log } from "../../platform/log.ts";
import { createAccountMailer } from "./account-mailer.ts";
import { type Accounts, createAccounts } from "./accounts.ts";
import { createSignInGuards } from "./guards.ts";
import { createPasswords, type Passwords } from "./passwords.ts";
import { createSessions, type Sessions } from "./sessions.ts";
import { createSignIn, type SignIn } from "./sign-in.ts";
import { createSignUp, type SignUp } from "./sign-up.ts";

/** What the native sign-in consists of. */
export interface AuthParts {
  readonly mailer: Mailer;
  readonly passwords: Passwords;
  readonly sessions: Sessions;
  readonly signIn: SignIn;
  readonly signUp: SignUp;
  readonly accounts: Accounts;
}

export interface AuthOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly keyring: Keyring;
  readonly baseUrl: string;
  /** How mail is sent; undefined: it waits in the outbox. */
  readonly mail: Transport | undefined;
}

/** Puts the native sign-in together, for `app.ts`. */
export function createAuth({ store, clock, log, keyring, baseUrl, mail }: AuthOptions): AuthParts {
  const mailer = createMailer({ store, clock, log, transport: mail });
  const passwords = createPasswords();
  const sessions = createSessions(store, keyring, clock, baseUrl);
  const guards = createSignInGuards(clock);
  const accountMailer = createAccountMailer(baseUrl);
  const shared = { store, clock, log, mailer, passwords, sessions, guards, accountMailer };
  const signIn = createSignIn(shared);
  return {
    ...{ mailer, passwords, sessions, signIn },
    signUp: createSignUp(shared),
    accounts: createAccounts({ ...shared, signIn }),
  };
}
