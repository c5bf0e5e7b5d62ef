import type { FamilyToken } from "../../../db/schema/auth-tables.ts";
import { second } from "../../platform/clock.ts";
import { randomBase62, sha256Hex } from "../../platform/ids.ts";
import type { Runtime } from "../../platform/runtime.ts";

/**
 * The refresh tokens of one sign-in or of one connection: its family. Each exchange gives a token of the next generation.
 * There is one rule for both, and this is it.
 */
export interface TokenFamily {
  /** What `refresh` tokens of the family begin with. */
  readonly prefix: string;
  /** Its tokens of this generation and later ones that have been used. */
  used(generation: number): Promise<readonly FamilyToken[]>;
  add(token: FamilyToken): Promise<unknown>;
  /** Remembers a token's first use. */
  markUsed(hash: string, at: number): Promise<unknown>;
  /** Forgets tokens that were first used before then. Their second use is merely unknown from then on. */
  forget(usedBefore: number): Promise<unknown>;
}

/** An answer may have been lost, and tabs run beside each other: what comes so soon after is no theft. */
const grace = 10 * second;

/**
 * Whether the token shows that somebody else has the family's tokens too. A token may come again until a successor was
 * used; and of the tokens that were given for one, whichever is used first is the good one. For ten seconds both are
 * forgiven.
 */
export function isStolen(token: FamilyToken, used: readonly FamilyToken[], at: number): boolean {
  const isOver = ({ used_at }: FamilyToken) => used_at !== null && at - used_at > grace;
  return used.some(
    (other) =>
      isOver(other) &&
      (other.generation > token.generation ||
        (other.generation === token.generation && other.hash !== token.hash && token.used_at === null)),
  );
}

/** The first token of a family. Only its hash is stored. */
export async function firstToken(family: TokenFamily, runtime: Pick<Runtime, "randomBytes">): Promise<string> {
  return given(family, runtime, 0);
}

/** The token that is given for one; undefined: this one is stolen, and the family is to be ended. */
export async function nextToken(
  family: TokenFamily,
  runtime: Pick<Runtime, "randomBytes">,
  token: FamilyToken,
  { at, remembered }: { readonly at: number; readonly remembered: number },
): Promise<string | undefined> {
  if (isStolen(token, await family.used(token.generation), at)) return undefined;
  if (token.used_at === null) await family.markUsed(token.hash, at);
  await family.forget(at - remembered);
  return given(family, runtime, token.generation + 1);
}

async function given(family: TokenFamily, runtime: Pick<Runtime, "randomBytes">, generation: number): Promise<string> {
  const token = family.prefix + randomBase62(runtime, 43);
  await family.add({ hash: sha256Hex(token), generation, used_at: null });
  return token;
}
