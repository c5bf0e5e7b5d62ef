import type { FamilyToken } from "../../../db/schema/auth-tables.ts";
import { second } from "../../platform/clock.ts";
import { randomBase62, sha256Hex } from "../../platform/ids.ts";
import type { Runtime } from "../../platform/runtime.ts";

/**
 * The refresh tokens of one sign-in or connection. Each exchange issues a token of the next generation. Sign-ins and
 * connections follow the same rotation rules, implemented here.
 */
export interface TokenFamily {
  /** The family's token prefix. */
  readonly prefix: string;
  /** Returns the used tokens of this generation and later ones. */
  used(generation: number): Promise<readonly FamilyToken[]>;
  add(token: FamilyToken): Promise<unknown>;
  /** Records a token's first use. */
  markUsed(hash: string, at: number): Promise<unknown>;
  /** Deletes tokens first used before then. Reusing one afterwards is merely an unknown token. */
  forget(usedBefore: number): Promise<unknown>;
}

/** A response may have been lost, or two tabs may refresh at once: reuse within this time is not treated as theft. */
const grace = 10 * second;

/**
 * Returns whether the token's use shows that someone else has the family's tokens too. A token may be reused until a
 * successor is used; of the tokens issued for one, the first used is the valid one. Both are tolerated for ten seconds.
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

/** Returns the first token of a family. Only its hash is stored. */
export async function firstToken(family: TokenFamily, runtime: Pick<Runtime, "randomBytes">): Promise<string> {
  return given(family, runtime, 0);
}

/** Returns the next token, or undefined if the given one is stolen and the family must be revoked. */
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
