import type { Rule } from "./conflict.ts";
import type { Proven } from "./loss.ts";
import { isContent, isSameActor } from "./match.ts";
import { type Part, readStatement, type Statement } from "./read.ts";
import { rolesOf } from "./roles.ts";
import { closest } from "./sentences.ts";

/** One of the co-ordinated statements of a claim, and the sentences that say it, the likeliest first. */
export interface ProvenPart {
  readonly part: Statement;
  readonly saying: readonly Statement[];
}

/** More are a list, and each costs a search of the sources. */
const mostSegments = 6;

/** The co-ordinated statements of a claim, each with its own predicate or amount; none where there is but one. */
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
 * The co-ordinated statements of a claim where each is said by a sentence, not all by the same one: `the excess is 100 euros
 * and the limit 5,000`; null where one of them is not. A statement without an actor has the claim's: what someone else does
 * proves nothing. Called by the judge of statements.
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
