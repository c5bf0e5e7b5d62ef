import { availableParallelism } from "node:os";
import { type Clock, second } from "../../platform/clock.ts";
import { failure, invalid } from "../../platform/errors.ts";
import { once } from "../../platform/once.ts";
import commonText from "./common-passwords.txt" with { type: "text" };

/** Characters that a password has at least and at most. */
export const passwordLength = { minLength: 12, maxLength: 128 };

/** OWASP's smallest recommended setting of argon2id: about 35 ms. */
const parameters = { algorithm: "argon2id", memoryCost: 19_456, timeCost: 2 } as const;
/** Verified against where there is no user or no password, so that it takes as long. Nobody knows its password. */
const nobody =
  "$argon2id$v=19$m=19456,t=2,p=1$eCoufuh9vypm+tjZDAC+eRyfXTrGd0+VNcLMyrxEV7M$Tr1cu7s4XCV+dBPauy7X9CDpPOJtafRy1r1HxZky+1Q";
/**
 * So many at a time: each takes a processor and 19 MiB for as long as it lasts. One processor is left to everything
 * else. Measured with 250 sign-ins at once on a busy machine of two: with both taken, the 99th percentile of `/health`
 * was five times as long, and the last one was in no sooner.
 */
const atOnce = Math.min(2, Math.max(1, availableParallelism() - 1));
/** A hash takes a fraction of a second. One that takes so long is given up, and its place with it. */
export const hashDeadline = 20 * second;
/** So many may wait: more would be answered later than anybody waits. */
const waitingAtMost = 1_000;

/**
 * Passwords and words of leaked lists, in lower case, from zxcvbn-ts 3.0.4 (MIT, copyright 2012-2016 Dan Wheeler and
 * Dropbox, Inc.).
 */
const common = once((): ReadonlySet<string> => new Set(commonText.trimEnd().split("\n")));

/** The text that the password repeats, or all of it. */
function unitOf(text: string): string {
  const at = (text + text).indexOf(text, 1);
  return text.slice(0, at);
}

/**
 * Whether an attacker guesses it early: in the list, one of its entries over and over or with digits and marks
 * around it, or up to four characters over and over. Case makes no difference.
 */
function isCommonPassword(password: string): boolean {
  const folded = password.toLowerCase();
  const unit = unitOf(folded);
  const core = folded.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, "");
  return unit.length <= 4 || [folded, unit, core, unitOf(core || "-")].some((text) => common().has(text));
}

/** What is wrong with a password that is to be chosen; undefined: nothing. */
export function passwordMistake(password: string): string | undefined {
  const { minLength, maxLength } = passwordLength;
  if (password.length < minLength || password.length > maxLength)
    return `must have ${minLength} to ${maxLength} characters`;
  return isCommonPassword(password) ? "is among the passwords that are tried first: choose another" : undefined;
}

/** Throws `validation_error` at `path` for a password that must not be chosen. */
export function checkPassword(password: string, path: string): void {
  const mistake = passwordMistake(password);
  if (mistake !== undefined) throw invalid(path, mistake);
}

/** The same text typed on another keyboard is the same password (RFC 8265). */
const prepare = (password: string): string => password.normalize("NFKC");

/** What goes with a guess when its turn has come: many may have arrived together, and each counts before the next. */
export interface Turn {
  /** Throws where there were too many wrong ones before. */
  check(): void;
  wrong(): void;
}

export interface Passwords {
  hash(password: string): Promise<string>;
  /** Whether it is the hash's password; null takes as long and is never right. */
  verify(password: string, hash: string | null, turn?: Turn): Promise<boolean>;
  /** How many are computed at this moment, and were at most. */
  load(): { readonly active: number; readonly most: number };
}

/** Computes beside the event loop. Tests put what hangs in its place. */
export type Argon2 = Pick<typeof Bun.password, "hash" | "verify">;

/**
 * Argon2id beside the event loop, a few at a time, for the sign-in and the command line. Throws `rate_limit_exceeded`
 * when too many wait, and an ordinary error for what is not done by its deadline.
 */
export function createPasswords(clock: Clock, argon2: Argon2 = Bun.password): Passwords {
  const waiting: (() => void)[] = [];
  let active = 0;
  let most = 0;

  async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (active >= atOnce) {
      if (waiting.length >= waitingAtMost) throw failure("rate_limit_exceeded");
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else active++;
    most = Math.max(most, active);
    const { promise: overdue, reject } = Promise.withResolvers<never>();
    const disarm = clock.after(hashDeadline, () => reject(new Error("a password was not computed by its deadline")));
    try {
      return await Promise.race([work(), overdue]);
    } finally {
      disarm();
      // The one that waits longest takes the slot over; it is free only when none waits.
      const next = waiting.shift();
      if (next) next();
      else active--;
    }
  }

  return {
    hash: (password) => inTurn(() => argon2.hash(prepare(password), parameters)),
    verify: (password, hash, turn) =>
      inTurn(async () => {
        turn?.check();
        const isRight = (await argon2.verify(prepare(password), hash ?? nobody)) && hash !== null;
        if (!isRight) turn?.wrong();
        return isRight;
      }),
    load: () => ({ active, most }),
  };
}
