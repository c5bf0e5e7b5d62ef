import type { Runtime } from "../../platform/runtime.ts";
import { createAttemptGuard } from "../../web/attempts.ts";

/** Wrong passwords in a minute: for one account from one place, for it from all others together, and from one address. */
const wrongFromOne = 10;
const wrongFromOthers = 100;
const wrongPerAddress = 30;
/** Messages that strangers may have sent to one address in a minute. */
const mailPerAddress = 2;
/** Other addresses that one person may ask for in a minute. */
const changesPerPerson = 5;

/** Who tries: the account by its e-mail address, whether there is one or not, and from where. */
export interface Attempt {
  readonly email: string;
  /** The address of the socket. */
  readonly address: string;
  /** The browser's mark, which counts only where the account is known by it. */
  readonly browser?: string | undefined;
  /** What the account has signed in from before, or that it is signed in now: others' failures are none of theirs. */
  readonly knownBy?: "browser" | "address" | "session" | undefined;
}

export interface SignInGuards {
  /** Throws `rate_limit_exceeded` where there were too many wrong ones. */
  check(attempt: Attempt): void;
  wrong(attempt: Attempt): void;
  /** Whether a message that anybody can ask for may go to this e-mail address now; it is counted. */
  mayMail(email: string): boolean;
  /** Counts a person's change of address. Throws `rate_limit_exceeded` where there were too many. */
  changesAddress(user_id: string): void;
}

/** An account from one place: a browser that is known, a session of its own, else an address. */
function pairOf({ email, address, browser = "", knownBy }: Attempt): string {
  if (knownBy === "session") return `${email}\nsession`;
  return `${email}\n${knownBy === "browser" ? `browser ${browser}` : address}`;
}

/** The rate limits on failed sign-ins and on mail, each in windows of a minute. */
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
      // What came from this very place is bounded more tightly above.
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
