import type { Clock } from "../../platform/clock.ts";
import { createAttemptGuard } from "../../web/attempts.ts";

/** Wrong passwords that an account takes in a minute, and that one address may send. */
const wrongPerAccount = 10;
const wrongPerAddress = 30;
/** Messages that strangers may have sent to one address in a minute. */
const mailPerAddress = 2;

/** Who tries: the account by its e-mail address, whether there is one or not, and the address of the socket. */
export interface Attempt {
  readonly email?: string;
  readonly address: string;
}

export interface SignInGuards {
  /** Throws `rate_limit_exceeded` where either was wrong too often. */
  check(attempt: Attempt): void;
  wrong(attempt: Attempt): void;
  /** Whether a message that anybody can ask for may go to this e-mail address now; it is counted. */
  mayMail(email: string): boolean;
}

/** The rate limits on failed sign-ins and on mail, each in windows of a minute. */
export function createSignInGuards(clock: Clock): SignInGuards {
  const accounts = createAttemptGuard(clock, wrongPerAccount);
  const addresses = createAttemptGuard(clock, wrongPerAddress);
  const mails = createAttemptGuard(clock, mailPerAddress);
  return {
    check({ email, address }) {
      if (email !== undefined) accounts.check(() => email);
      addresses.check(() => address);
    },
    wrong({ email, address }) {
      if (email !== undefined) accounts.count(email);
      addresses.count(address);
    },
    mayMail(email) {
      if (mails.isExhausted(email)) return false;
      mails.count(email);
      return true;
    },
  };
}
