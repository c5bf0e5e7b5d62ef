import type { Runtime } from "../../platform/runtime.ts";
import { createAttemptGuard } from "../../web/attempts.ts";

/**
 * Failed passwords per minute: for an account from one origin, for it from all others together, and from one address.
 */
const wrongFromOne = 10;
const wrongFromOthers = 100;
const wrongPerAddress = 30;
/** Messages per minute that unauthenticated requests may cause to one address. */
const mailPerAddress = 2;
/** Changes of address that one person may request per minute. */
const changesPerPerson = 5;

/** A sign-in attempt: the account's e-mail address, whether or not the account exists, and its origin. */
export interface Attempt {
  readonly email: string;
  /** The address of the socket. */
  readonly address: string;
  /** The browser's mark, used only if the account is known by it. */
  readonly browser?: string | undefined;
  /**
   * What links the attempt to earlier sign-ins, or that the account is signed in. Such attempts are not blocked by the
   * failures of others.
   */
  readonly knownBy?: "browser" | "address" | "session" | undefined;
}

export interface SignInGuards {
  /** Throws `rate_limit_exceeded` after too many failures. */
  check(attempt: Attempt): void;
  wrong(attempt: Attempt): void;
  /** Returns whether a message that anyone can request may be sent to this address now, and counts it. */
  mayMail(email: string): boolean;
  /** Counts a person's change of address. Throws `rate_limit_exceeded` after too many. */
  changesAddress(user_id: string): void;
}

/** Returns the key of an account and origin: a known browser, the account's own session, or else an address. */
function pairOf({ email, address, browser = "", knownBy }: Attempt): string {
  if (knownBy === "session") return `${email}\nsession`;
  return `${email}\n${knownBy === "browser" ? `browser ${browser}` : address}`;
}

/** Creates the rate limits on failed sign-ins and on mail, each per minute. */
export function createSignInGuards(runtime: Pick<Runtime, "elapsed">): SignInGuards {
  const pairs = createAttemptGuard(runtime, wrongFromOne);
  const accounts = createAttemptGuard(runtime, wrongFromOthers);
  const addresses = createAttemptGuard(runtime, wrongPerAddress);
  const mails = createAttemptGuard(runtime, mailPerAddress);
  const changes = createAttemptGuard(runtime, changesPerPerson);
  return {
    check(attempt) {
      pairs.check(pairOf(attempt));
      if (attempt.knownBy !== undefined) return;
      // Failures from this origin have a stricter limit above.
      accounts.check(attempt.email, pairs.failures(pairOf(attempt)));
      addresses.check(attempt.address);
    },
    wrong(attempt) {
      pairs.count(pairOf(attempt));
      if (attempt.knownBy !== undefined) return;
      accounts.count(attempt.email);
      addresses.count(attempt.address);
    },
    mayMail(email) {
      if (mails.isExhausted(email)) return false;
      mails.count(email);
      return true;
    },
    changesAddress(user_id) {
      changes.check(user_id);
      changes.count(user_id);
    },
  };
}
