import type { Quantity } from "./lex.ts";
import type { Part, Statement } from "./read.ts";

/** Checks for the roles that must be found in the source; parts with other roles may be added freely. */
const carries = (part: Part): boolean =>
  part.role === "plain" || part.role === "thing" || part.role === "predicate" || part.role === "actor";

/** Checks whether a part carries content. `Must` and `may` do not: the statement as a whole expresses them. */
export const isContent = (part: Part): boolean => carries(part) && part.concept !== "must" && part.concept !== "may";

const shortestCommon = 4;
const leastCommon = 0.62;

function commonPrefix(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one.charCodeAt(length) === other.charCodeAt(length)) length += 1;
  return length;
}

/** Checks whether two parts are forms of one word: the same stem, or most of the word in common. */
function isSameWord(one: Part, other: Part): boolean {
  if (one.key === other.key || one.form === other.form) return true;
  const common = commonPrefix(one.form, other.form);
  const longest = Math.max(one.form.length, other.form.length);
  return common >= shortestCommon && common / longest >= leastCommon;
}

const isCustomer = ({ concept }: Part): boolean => concept === "customer";
const isHolder = ({ concept }: Part): boolean => concept === "holder" || concept === "insured";

/** Checks whether two actors may be the same: a customer is the policyholder or the insured. */
export const isSameActor = (one: Part, other: Part): boolean =>
  one.concept === other.concept || (isCustomer(one) && isHolder(other)) || (isHolder(one) && isCustomer(other));

/** Checks whether a part of a claim means the same as one of the source, whether or not either is negated. */
export function isSame(claim: Part, source: Part): boolean {
  if (claim.role === "actor" || source.role === "actor") {
    if (claim.role === source.role) return isSameActor(claim, source);
    return claim.form === source.form;
  }
  if (claim.concept !== "" && source.concept !== "") return claim.concept === source.concept;
  return isSameWord(claim, source);
}

/** A sentence of the sources, the one before it in the same source, and its heading. */
export interface Sentence {
  readonly statement: Statement;
  readonly before: Statement | null;
  readonly heading: Statement | null;
}

/** How far a sentence of the sources covers a claim. */
export interface Evidence {
  readonly statement: Statement;
  readonly sentence: Sentence;
  /** The parts that count: its own, and those that the sentence before it lends. */
  readonly parts: readonly Part[];
  readonly found: readonly Part[];
  readonly missing: readonly Part[];
  readonly score: number;
}

/** Returns the source parts that match a part of a claim. */
export const partnersOf = (part: Part, parts: readonly Part[]): Part[] =>
  parts.filter((one) => carries(one) && isSame(part, one));

/** Checks for the same number of the same unit. If either has no unit, only the numbers as written are compared. */
export const isSameQuantity = (said: Quantity, held: Quantity): boolean =>
  said.measure === null || held.measure === null ? said.count === held.count : said.value === held.value;

const sameAmount = (one: Part, other: Part): boolean =>
  one.quantity !== null && other.quantity !== null && isSameQuantity(one.quantity, other.quantity);

/** Things that nearly every statement about insurance mentions, so that they distinguish nothing. */
const general = new Set(["damage", "event", "payout", "amount", "contract", "period"]);
/** Checks whether a part is such a thing. */
export const isGeneral = ({ concept }: Part): boolean => general.has(concept);

const spokenTo = /^(?:you|vam)$/;

/** Checks whether a source implies a part of a claim without naming it: insurers pay, and limits are paid. */
function isImplied(part: Part, claim: Statement, parts: readonly Part[]): boolean {
  const isCovered = (list: readonly Part[]) =>
    list.some(({ role, concept }) => role === "predicate" && concept === "cover");
  if (part.role === "actor" && part.concept === "insurer")
    return isCovered(claim.parts) && !parts.some(({ role }) => role === "actor");
  if (part.concept === "payout") return isCovered(parts);
  // `You` is the customer, if the sentence names no actor other than the party that answers.
  if (part.role === "actor" && part.concept === "customer" && spokenTo.test(part.form))
    return !parts.some(({ role, concept }) => role === "actor" && concept !== "insurer" && concept !== "bank");
  // `In the amount of 3,000`
  if (part.concept === "amount") return parts.some(({ quantity }) => quantity !== null);
  if (part.role !== "predicate" || part.concept !== "cover" || part.sign < 0 || isCovered(parts)) return false;
  return (
    parts.some(({ concept }) => concept === "limit" || concept === "payout") &&
    claim.parts.some(({ quantity }) => quantity !== null)
  );
}

/**
 * Compares a claim with one sentence. If the claim says all that this sentence says, the sentence before it in the same
 * source may lend its subject, since both are about the same thing.
 */
export function evidenceIn(claim: Statement, sentence: Sentence): Evidence {
  const { statement, before } = sentence;
  const content = claim.parts.filter(isContent);
  const own = content.filter((part) => partnersOf(part, statement.parts).length > 0);
  const isRest = statement.parts.every(
    (part) => !isContent(part) || part.span !== null || isGeneral(part) || content.some((other) => isSame(other, part)),
  );
  const lent =
    isRest && own.length > 0
      ? (before?.parts ?? []).filter(({ span, role }) => span === null && role !== "predicate")
      : [];
  const parts = [...statement.parts, ...lent];
  const found = content.filter((part) => partnersOf(part, parts).length > 0 || isImplied(part, claim, statement.parts));
  const amounts = claim.parts.filter((part) => statement.parts.some((other) => sameAmount(part, other))).length;
  const signs = own.filter((part) => partnersOf(part, statement.parts).some(({ sign }) => sign === part.sign)).length;
  return {
    statement,
    sentence,
    parts,
    found,
    missing: content.filter((part) => !found.includes(part)),
    // The sentence's own words count most; among equals, the one with the same polarity wins.
    score: own.length + 0.5 * (found.length - own.length) + amounts + 0.05 * signs,
  };
}
