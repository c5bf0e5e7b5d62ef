import {
  amountOf,
  bestSegments,
  type Conflict,
  conflict,
  isEqualAmount,
  isStance,
  type Rule,
  words,
} from "./conflict.ts";
import { isContent, isSame, partnersOf } from "./match.ts";
import type { Part, Statement } from "./read.ts";
import { indexKeyOf, isTitle, type Statements } from "./sentences.ts";

/** What is negated, forbidden or excluded in a claim but not in its sources, or the reverse. */

const isModal = ({ concept }: Part): boolean => concept === "may" || concept === "must";
const isMain = ({ span }: Part): boolean => span === null;

/** Checks whether something in a part's segment is negated: it is `not held`, `not permitted`, `forbidden`. */
const isNegatedNearby = ({ parts }: Statement, part: Part): boolean =>
  parts.some((other) => other.segment === part.segment && other.sign < 0 && other.span === part.span);

const isRefused = (part: Part): boolean =>
  isMain(part) && part.sign < 0 && (isStance(part) || (part.role === "predicate" && part.concept === "may"));

/**
 * Checks whether both negate the same thing with the negation in different places: `must not hold`, `is not allowed to
 * hold`, `holding is forbidden`. One negates the verb, the other the permission.
 */
function isSameProhibition(claim: Statement, part: Part, statement: Statement, other: Part): boolean {
  if (part.sign === other.sign) return false;
  const [plain, whole] = part.sign > 0 ? [part, claim] : [other, statement];
  const [denied, rest] = part.sign > 0 ? [other, statement] : [part, claim];
  if (isModal(part))
    return isNegatedNearby(whole, plain) && (denied.concept === "may" || isNegatedNearby(rest, denied));
  const isWaived = waived.test(claim.text) && waived.test(statement.text);
  const isForbidden = (one: Part) =>
    one.segment === plain.segment &&
    (isRefused(one) ? !isStance(one) : isWaived && one.concept === "must" && one.sign < 0);
  return whole.parts.some(isForbidden);
}

/** Returns the words of an exception that a claim mentions with the same polarity as the sentence. */
const namedIn = (claim: Statement, span: readonly Part[], segment: number): Part[] =>
  span.filter((part) =>
    claim.parts.some(
      (other) =>
        isContent(part) &&
        isContent(other) &&
        other.segment === segment &&
        other.span !== "exception" &&
        other.sign === part.sign &&
        isSame(other, part),
    ),
  );

/** Differences in what is covered, excluded or otherwise negated. */
export const negations: Rule = (claim, { statement, parts }) => {
  const hasExceptions =
    claim.parts.some(({ span }) => span === "exception") || claim.marks["exception-after"] !== undefined;
  const outside = statement.parts.filter((part) => part.span !== "exception" && isContent(part));
  const excepted = statement.parts.filter(
    (part) => part.span === "exception" && !outside.some((other) => isSame(part, other)),
  );
  const isExceptionNamed = claim.parts.some(
    (part) => isContent(part) && excepted.some((other) => isContent(other) && isSame(part, other)),
  );
  const isOnExcepted = (segment: number) =>
    !hasExceptions && claim.marks.inclusion === undefined && namedIn(claim, excepted, segment).length > 0;
  for (const part of claim.parts.filter(
    (one) => one.role !== "light" && (isContent(one) || one.concept === "must" || one.concept === "may"),
  )) {
    const own = partnersOf(part, statement.parts);
    const partners = own.length > 0 ? own : partnersOf(part, parts);
    if (partners.length === 0) continue;
    const segments = bestSegments(claim, statement);
    const close = partners.filter(({ segment }) => own.length === 0 || segments.has(segment));
    const near = close.length > 0 ? close : partners;
    const alike = near.filter(({ span }) => span === part.span);
    const counted = alike.length > 0 ? alike : near;
    const expected = isOnExcepted(part.segment) && isStance(part) ? -part.sign : part.sign;
    // A claim that names the exception may negate what the sentence states without it: that is no hard contradiction.
    const isForbidden = counted.some((other) => isSameProhibition(claim, part, statement, other));
    if (!isForbidden && counted.every(({ sign }) => sign !== expected))
      return conflict(
        isExceptionNamed ? "exception_denied" : "negation_differs",
        words(claim, [part]),
        words(statement, isExceptionNamed ? excepted : own),
      );
  }
  return null;
};

/** `The limit is not 500` against `is 500`. */
export const deniedAmounts: Rule = (claim, { statement }) => {
  for (const part of claim.parts.filter((one) => amountOf(one) !== null)) {
    const held = statement.parts.filter((other) => isEqualAmount(part, other));
    if (held.length > 0 && held.every(({ sign }) => sign !== part.sign))
      return conflict("negation_differs", words(claim, [part]), words(statement, held));
  }
  return null;
};

/** Checks whether a claim asserts something in a part's segment. */
function asserts(claim: Statement, { segment, span }: Part): boolean {
  const own = claim.parts.filter((part) => part.segment === segment);
  const isWhole = own.some(({ role }) => role === "predicate");
  const denies = (isWhole ? own : claim.parts).some(({ sign }) => sign < 0);
  return span === null && !denies && claim.marks["exception-after"] === undefined;
}

/** `Pledging is excluded` denies that one can pledge: the claim has the words for the action without a negation. */
export const denials: Rule = (claim, { statement }) => {
  const segments = bestSegments(claim, statement);
  for (const refused of statement.parts) {
    if (!isRefused(refused) || !segments.has(refused.segment)) continue;
    const held = statement.parts.filter((part) => part.segment === refused.segment && isMain(part) && isContent(part));
    const said = claim.parts.filter(
      (part) => isContent(part) && !isStance(part) && asserts(claim, part) && held.some((other) => isSame(part, other)),
    );
    const isStanceSaid = claim.parts.some(isStance) || claim.marks.inclusion !== undefined;
    if (said.length > 0 && !isStanceSaid)
      return conflict("exception_denied", words(claim, said), words(statement, [refused]));
  }
  return null;
};

const withouts = new Set(["without", "bez", "ohne"]);

/** `Forbidden without consent` is not `forbidden`: an answer must keep what the prohibition depends on. */
export const reservations: Rule = (claim, { statement }, { parts: answer }) => {
  const segments = bestSegments(claim, statement);
  for (const [at, { form, segment }] of statement.parts.entries()) {
    if (!withouts.has(form) || !segments.has(segment)) continue;
    const led = statement.parts.slice(at + 1).find(isContent);
    if (led === undefined || answer.some((part) => isContent(part) && isSame(part, led))) continue;
    const denies = ({ parts }: Statement) =>
      parts.some((part) => part !== led && part.segment === segment && part.sign < 0);
    if (denies(statement))
      return conflict("condition_dropped", [], [statement.text.slice(statement.parts[at]?.start, led.end)]);
  }
  return null;
};

/** Phrases for `need not` in the six languages. */
const waived = new RegExp(
  [
    "need not|needn['’]t|(?:do|does|did|will|would)(?: not|n['’]t) (?:have|need) to|not (?:required|obliged|obligated) to",
    "nemus\\p{L}+|netřeba|netreba|není (?:nutn|třeba|povin)\\p{L}*|nie je (?:nutn|potrebn|povinn)\\p{L}*",
    "(?:muss|musst|müssen|müsst|brauch\\p{L}*)(?!\\p{L})[^.,;]{0,80} nicht|nicht (?:verpflichtet|erforderlich|nötig)",
    "nie (?:musi\\p{L}*|trzeba|ma obowiązku|jest (?:konieczn|obowiązkow|wymagan)\\p{L}*)",
    "nem (?:kell|köteles|szükséges)",
  ]
    .map((forms) => `(?<!\\p{L})(?:${forms})`)
    .join("|"),
  "iu",
);

/** `Need not` is not `must not`, nor the reverse, although both negate the verb. */
export const waivers: Rule = (claim, { statement }) => {
  const [said, held] = [waived.exec(claim.text), waived.exec(statement.text)];
  const other = said === null ? claim : statement;
  if ((said === null) === (held === null) || other.parts.every(({ sign }) => sign > 0)) return null;
  return conflict("too_broad", said ?? [], held ?? []);
};

/**
 * Returns where a statement names a part of a claim: within what it excludes or forbids, or elsewhere; null if it does
 * not.
 */
function namedAs(part: Part, { parts }: Statement): "refused" | "other" | null {
  const naming = parts.filter((other) => isContent(other) && !isStance(other) && isSame(part, other));
  if (naming.length === 0) return null;
  const segments = new Set(parts.filter(isRefused).map(({ segment }) => segment));
  return naming.every((other) => isMain(other) && segments.has(other.segment)) ? "refused" : "other";
}

/**
 * Returns a conflict if the sources name something only where they exclude or forbid it: then no other sentence can
 * prove the claim.
 */
export function excludedIn(claim: Statement, { sentences, byWord }: Statements): Conflict | null {
  if (claim.parts.every((part) => part.role !== "predicate")) return null;
  // `Not covered unless it was locked`: a claim that it was locked is not about what is excluded.
  const isReversed = ({ parts }: Statement) =>
    parts.some(
      (part) =>
        part.span === "exception" && isContent(part) && claim.parts.some((one) => isContent(one) && isSame(one, part)),
    );
  for (const part of claim.parts) {
    if (!isContent(part) || isStance(part) || !asserts(claim, part)) continue;
    let held: Statement | null = null;
    for (const at of byWord.get(indexKeyOf(part)) ?? []) {
      const statement = sentences[at]?.statement;
      const named = statement === undefined ? null : namedAs(part, statement);
      if (statement === undefined || named === null) continue;
      const isRefusal = named === "refused" && !isReversed(statement);
      if (isRefusal) held ??= statement;
      else if (!isTitle(statement)) {
        held = null;
        break;
      }
    }
    if (held !== null)
      return conflict("exception_denied", words(claim, [part]), words(held, held.parts.filter(isRefused)));
  }
  return null;
}
