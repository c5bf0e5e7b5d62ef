import type { Rule } from "./conflict.ts";
import type { Proven } from "./loss.ts";
import { isContent, isSameActor } from "./match.ts";
import { type Part, readStatement, type Statement } from "./read.ts";
import { rolesOf } from "./roles.ts";
import { closest } from "./sentences.ts";

/** One co-ordinated statement of a claim, and the sentences that state it, the likeliest first. */
export interface ProvenPart {
  readonly part: Statement;
  readonly saying: readonly Statement[];
}

/** Maximum number of segments. More are a list, and each costs a search of the sources. */
const mostSegments = 6;

/** Splits a claim into its co-ordinated statements, each with its own predicate or amount; empty if it has only one. */
function partsOf(claim: Statement): Statement[] {
  const segments = [...new Set(claim.parts.map(({ segment }) => segment))];
  if (segments.length < 2 || segments.length > mostSegments) return [];
  return segments.map((segment) => {
    const own = claim.parts.filter((part) => part.segment === segment);
    return readStatement(claim.text.slice(own[0]?.start, own.at(-1)?.end), claim.language);
  });
}

const isNamed = (part: Part): boolean => isContent(part) && part.role !== "predicate";

/**
 * Returns the co-ordinated statements of a claim if sentences, not all the same one, state each of them: `the excess is
 * 100 euros and the limit 5,000`. Null if one is not stated. A statement without an actor takes the claim's: what
 * someone else does proves nothing. Used by `judgeStatement`.
 */
export function provenInParts(proven: Proven, rules: readonly Rule[]): readonly ProvenPart[] | null {
  const { claim, answer, question, all } = proven;
  const { agent } = rolesOf(claim);
  const parts = partsOf(claim).map((part) => {
    const isBare = rolesOf(part).agent === null;
    const evidence = part.parts.some(isNamed) ? closest(part, all, question) : [];
    const saying = evidence.filter((one) => {
      const acting = rolesOf(one.statement).agent;
      const isOther = acting !== null && (agent === null || !isSameActor(agent, acting)) && isBare;
      return !isOther && one.missing.length === 0 && rules.every((rule) => rule(part, one, answer, question) === null);
    });
    return { part, saying: saying.map(({ statement }) => statement) };
  });
  return parts.length > 0 && parts.every(({ saying }) => saying.length > 0) ? parts : null;
}
