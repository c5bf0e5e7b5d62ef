import { availableParallelism } from "node:os";
import { type Clock, second } from "../../platform/clock.ts";
import { failure, invalid } from "../../platform/errors.ts";
import { once } from "../../platform/once.ts";
import commonText from "./common-passwords.txt" with { type: "text" };

/** Minimum and maximum length of a password. */
export const passwordLength = { minLength: 12, maxLength: 128 };

/** OWASP's minimum recommendation for argon2id: about 35 ms. */
const parameters = { algorithm: "argon2id", memoryCost: 19_456, timeCost: 2 } as const;
/** Verified if there is no user or no password, so that it takes as long. Its password is unknown. */
const nobody =
  "$argon2id$v=19$m=19456,t=2,p=1$eCoufuh9vypm+tjZDAC+eRyfXTrGd0+VNcLMyrxEV7M$Tr1cu7s4XCV+dBPauy7X9CDpPOJtafRy1r1HxZky+1Q";
/**
 * Maximum number of concurrent hashes; each takes a processor and 19 MiB. One processor is left free. Measured with 250
 * simultaneous sign-ins on a busy machine with two: using both made the 99th percentile of `/health` five times as
 * long, and the last sign-in finished no sooner.
 */
const atOnce = Math.min(2, Math.max(1, availableParallelism() - 1));
/** Timeout of a hash, which normally takes a fraction of a second. After it, its slot is freed. */
export const hashDeadline = 20 * second;
/** Maximum queue length. With more waiting, clients would give up before their turn. */
const waitingAtMost = 1_000;

/**
 * Common passwords and words from leaked lists, in lower case, from zxcvbn-ts 3.0.4 (MIT, copyright 2012-2016 Dan
 * Wheeler and Dropbox, Inc.).
 */
const common = once((): ReadonlySet<string> => new Set(commonText.trimEnd().split("\n")));

/** Returns the shortest text that the password repeats, possibly all of it. */
function unitOf(text: string): string {
  const at = (text + text).indexOf(text, 1);
  return text.slice(0, at);
}

/**
 * Returns whether an attacker would guess the password early: it is in the list, repeats an entry, has digits and
 * symbols around one, or repeats up to four characters. Ignores case.
 */
function isCommonPassword(password: string): boolean {
  const folded = password.toLowerCase();
  const unit = unitOf(folded);
  const core = folded.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, "");
  return unit.length <= 4 || [folded, unit, core, unitOf(core || "-")].some((text) => common().has(text));
}

/** Returns what is wrong with a new password, or undefined. */
export function passwordMistake(password: string): string | undefined {
  const { minLength, maxLength } = passwordLength;
  if (password.length < minLength || password.length > maxLength)
    return `must have ${minLength} to ${maxLength} characters`;
  return isCommonPassword(password) ? "is too common: choose another password" : undefined;
}

/** Throws `validation_error` at `path` for a password that is not allowed. */
export function checkPassword(password: string, path: string): void {
  const mistake = passwordMistake(password);
  if (mistake !== undefined) throw invalid(path, mistake);
}

/** Normalises a password, so that it matches when typed on another keyboard (RFC 8265). */
const prepare = (password: string): string => password.normalize("NFKC");

/**
 * Rate limiting around a verification. `check` runs when its turn comes, so that of many simultaneous guesses each
 * counts before the next.
 */
export interface Turn {
  /** Throws after too many failures. */
  check(): void;
  wrong(): void;
}

export interface Passwords {
  hash(password: string): Promise<string>;
  /** Returns whether the password matches the hash. With null it takes as long and returns false. */
  verify(password: string, hash: string | null, turn?: Turn): Promise<boolean>;
  /** Returns the current and the maximum number of concurrent computations. */
  load(): { readonly active: number; readonly most: number };
}

/** Computes in native threads. Tests substitute one that hangs. */
export type Argon2 = Pick<typeof Bun.password, "hash" | "verify">;

/**
 * Creates argon2id password hashing off the event loop with limited concurrency, for the sign-in and the command line.
 * Throws `rate_limit_exceeded` if the queue is full, and an ordinary error on timeout.
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
    const disarm = clock.after(hashDeadline, () => reject(new Error("hashing a password timed out")));
    try {
      return await Promise.race([work(), overdue]);
    } finally {
      disarm();
      // The slot passes to the longest waiting; it is freed only if none waits.
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
