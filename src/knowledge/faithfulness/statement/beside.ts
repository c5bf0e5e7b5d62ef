import { isPreposition, markOf } from "../../language/statement-words.ts";
import { amountOf, type Conflict, conflict, isEqualAmount, isStance } from "./conflict.ts";
import { limitsOn } from "./limits.ts";
import { isContent, isGeneral, isSame } from "./match.ts";
import type { Part, Statement } from "./read.ts";
import { containsPart, restrictionsOf } from "./restrictions.ts";
import { indexKeyOf, isTitle, type Statements } from "./sentences.ts";

/**
 * Other sentences of the sources that contradict or limit the one that states a claim: `This does not apply to business
 * accounts.`, `For flood it is CZK 5,000.` An answer that quotes the one and omits the other cannot be OK.
 */

/** Concepts that describe a thing rather than name it. */
const states = new Set(["free", "valid", "whole", "world", "new", "last", "once", "written"]);
const isNoun = (part: Part): boolean =>
  isContent(part) && part.role !== "predicate" && !isGeneral(part) && !states.has(part.concept);

/** Checks whether any of these words belongs to a class of marks. */
const hasMark = (parts: readonly Part[], wanted: "turn" | "proviso" | "repeals" | "amends" | "contrast"): boolean =>
  parts.some(({ form }) => markOf(wanted, form) !== undefined);
/** Checks for an anaphor such as `this` or `toto`. `To` is one too, but not in English. */
const refers = ({ language }: Statement, part: Part | undefined): boolean =>
  markOf("refers", part?.form ?? "") !== undefined && !(language === "en" && part?.form === "to");

const isDenied = ({ parts, marks }: Statement): boolean =>
  marks.negation !== undefined || marks.only !== undefined || parts.some(({ sign }) => sign < 0);
const hasPredicate = ({ parts }: Statement): boolean => parts.some(({ role }) => role === "predicate");

/** Checks whether a sentence has a word in the same form. */
const isNamedIn = ({ parts }: Statement, { form, role }: Part): boolean =>
  role !== "light" && parts.some((part) => part.form === form);

/** Maximum length of a sentence that negates without a predicate. */
const shortest = 5;
/** Number of opening words that show whether a sentence refers back to the one before it. */
const opening = 4;

/** Checks whether a sentence limits the one before it: by an exception, a condition, a repeal, or `however`. */
function limitsPrevious(statement: Statement, before: Statement): boolean {
  const { parts, marks, language } = statement;
  const [first] = parts;
  const begun = parts.slice(0, opening);
  if (hasMark(parts.slice(0, 1), "turn") || hasMark(begun, "contrast") || hasMark(begun, "proviso")) return true;
  if (marks.exception !== undefined && first?.role === "mark") return true;
  const isShared = (part: Part | undefined) => part !== undefined && isNoun(part) && containsPart(before.parts, part);
  const opens = parts.slice(0, 3).some((part) => refers(statement, part));
  const isOfIt = opens || parts.some((part, at) => refers(statement, parts[at - 1]) && isNamedIn(before, part));
  if (isOfIt && (hasMark(parts, "repeals") || hasMark(parts, "amends"))) return true;
  if (!isDenied(statement)) return false;
  // `It does not apply to …`, `For electric bicycles there is no cover`, `Electric bicycles are not.`
  const isLed = first !== undefined && isPreposition(first.form, language);
  const isOfSame = parts.some(isShared) || stanceOf(statement) < 0;
  const isShort = parts.length <= shortest && !hasPredicate(statement) && parts.some(isShared);
  return opens || (isLed && isOfSame) || (first?.role === "predicate" && first.sign < 0) || isShort;
}

/** Things that have amounts: a sentence that names another one of these gives the amount of something else. */
const valued = new Set(["limit", "deductible", "premium", "cost", "waiting", "instalment", "surrender"]);

const isFree = ({ parts }: Statement): boolean =>
  parts.some(({ concept, form, sign }) =>
    sign > 0 ? concept === "free" : concept === "charge" || markOf("fee", form) !== undefined,
  );
/** Checks for a sum of money or a percentage. */
const isPrice = (part: Part): boolean =>
  /^(?:(?!day$)[a-z]{3}|%)$/.test(amountOf(part) ?? "") && (part.quantity?.count ?? 0) > 0;
/** Returns the kind of an amount. Two months and a week are both times, so they differ. */
const kindOf = (part: Part): string | null =>
  isPrice(part) ? "price" : /^(?:workday|day|month|hour)$/.test(amountOf(part) ?? "") ? "time" : amountOf(part);
const isPriced = ({ parts }: Statement): boolean => parts.some(isPrice);
const stanceOf = ({ parts }: Statement): number =>
  parts.find((part) => isStance(part) && part.span === null)?.sign ?? 0;

/** What a claim is compared with besides the sentence that states it. */
interface Context {
  readonly answer: Statement;
  readonly question: Statement;
  readonly all: Statements;
}

/** Maximum number of sentences examined of those that share a claim's rarest word. */
const mostCompared = 64;

const nounsOf = ({ parts }: Statement): Part[] => parts.filter((part) => isNoun(part) && part.span === null);

/**
 * Checks whether a sentence states a fact rather than a rule: it has no price, and nothing in it is covered, due or
 * allowed.
 */
const isFact = (statement: Statement): boolean =>
  !isPriced(statement) &&
  !statement.parts.some(({ role, concept }) => role === "predicate" && /^(?:cover|must|may)$/.test(concept));

/**
 * Checks whether another source says that the case a sentence applies to is the one at hand: `Order 5517: tent,
 * clearance`.
 */
function isAtHand(part: Part, of: Statement, { sentences, byWord, sourceOf }: Statements): boolean {
  if (!restrictionsOf(of).some(({ own }) => own.includes(part))) return false;
  const places = [...(byWord.get(indexKeyOf(part)) ?? [])].slice(0, mostCompared);
  return places.some((at) => {
    const statement = sentences[at]?.statement;
    if (statement === undefined || sourceOf.get(statement) === sourceOf.get(of)) return false;
    return isFact(statement) && containsPart(statement.parts, part);
  });
}

/**
 * Checks whether a sentence is about what a claim is about and nothing else, so that its amount replaces the claim's.
 */
function isSameSubject(claim: Statement, other: Statement): boolean {
  // `Amendment: the fee is 8 euros`
  const colon = other.text.indexOf(":");
  const [mine, others] = [
    nounsOf(claim),
    nounsOf(other).filter(({ start, form }) => start > colon && markOf("rule", form) === undefined),
  ];
  const isUndated = other.parts.every(({ date }) => date === null);
  const isSameUnit = claim.periods.join() === other.periods.join();
  const isAll = others.length > 0 ? mine.every((part) => containsPart(other.parts, part)) : !isUndated;
  return isSameUnit && isAll && others.every((part) => containsPart(claim.parts, part));
}

/**
 * Checks whether a sentence gives a different amount for what a claim is about, or for the case that is asked about.
 */
function givesDifferentAmount(claim: Statement, other: Statement, { question, all }: Context): boolean {
  const values = other.parts.filter(({ concept }) => valued.has(concept));
  const isOfOther = values.length > 0 && !values.some((one) => containsPart(claim.parts, one));
  const cases = other.parts.filter((part) => isNoun(part) && !containsPart(claim.parts, part));
  const isGeneralClaim = restrictionsOf(claim).length === 0;
  const isAsked = cases.some(
    (part) => containsPart(question.parts, part) || (isGeneralClaim && isAtHand(part, other, all)),
  );
  if (isOfOther || !(isAsked || isSameSubject(claim, other))) return false;
  const said = claim.parts.filter(({ quantity, span }) => quantity?.measure != null && span === null);
  return said.some((part) => {
    const rivals = other.parts.filter((one) => kindOf(one) === kindOf(part));
    return rivals.length > 0 && !rivals.some((rival) => said.some((one) => isEqualAmount(one, rival)));
  });
}

/** Checks whether a sentence says the opposite of a claim, or one of them sets a price where the other says free. */
const isContrary = (claim: Statement, other: Statement): boolean =>
  stanceOf(claim) * stanceOf(other) < 0 || (isFree(claim) && isPriced(other)) || (isPriced(claim) && isFree(other));

/** Checks whether a sentence is elliptical: all that it names is the case it applies to. */
function isElliptical(statement: Statement): boolean {
  const led = restrictionsOf(statement);
  const named = statement.parts.flatMap((part, at) => (isNoun(part) && part.span === null ? [at] : []));
  const isConditional = statement.parts.some(({ span }) => span === "condition");
  const isDated = statement.parts.some(({ date }) => date !== null);
  return (
    (named.length > 0 || isConditional || isDated) &&
    named.every((at) => led.some(({ from, to }) => from <= at && at <= to))
  );
}

/** Checks whether an answer also states a sentence, or most of it. */
function isRestated(other: Statement, answer: Statement): boolean {
  const own = other.parts.filter((part) => isContent(part) || amountOf(part) !== null);
  const kept = own.filter((part) => containsPart(answer.parts, part));
  const isPriceKept = isPriced({ ...other, parts: kept }) || !isPriced(other);
  return kept.length * 3 > own.length * 2 && isPriceKept && (isDenied(answer) || !isDenied(other));
}

/**
 * Returns the sentences about the subject of a claim: the thing that it gives a value of, or else all things that it
 * names.
 */
function aboutSame(claim: Statement, { sentences, byWord }: Statements): Statement[] {
  const value = claim.parts.find(({ concept, span }) => valued.has(concept) && span === null);
  const named = value ? [value] : nounsOf(claim);
  const places = named.map((part) => byWord.get(indexKeyOf(part)) ?? new Set<number>());
  const rarest = places.reduce((fewest, one) => (one.size < fewest.size ? one : fewest), places[0] ?? new Set());
  const found = [...rarest].slice(0, mostCompared).flatMap((at) => sentences[at]?.statement ?? []);
  return found.filter(({ parts }) => named.every((part) => parts.some((one) => isContent(one) && isSame(part, one))));
}

/** Checks whether a sentence repeals a rule about most of what a claim names. */
export function isRepeal(claim: Statement, other: Statement): boolean {
  const named = nounsOf(claim);
  return (
    hasMark(other.parts, "repeals") && named.filter((part) => containsPart(other.parts, part)).length * 2 > named.length
  );
}

/**
 * Returns a conflict if the sentence after the one that states a claim, or another on the same subject, contradicts or
 * limits it; null if none does.
 */
export function contradictedElsewhere(claim: Statement, said: Statement, context: Context): Conflict | null {
  const { answer, question, all } = context;
  const contradicts = (other: Statement) => givesDifferentAmount(claim, other, context) || isContrary(claim, other);
  const next = all.after.get(said);
  const isOfSame = (other: Statement) => nounsOf(claim).some((part) => containsPart(other.parts, part));
  const isLimitedByNext =
    next !== undefined &&
    (limitsPrevious(next, said) ||
      (isElliptical(next) && contradicts(next)) ||
      (isOfSame(next) && isContrary(claim, next)));
  const others = aboutSame(claim, all).filter((other) => other !== said && !isTitle(other) && contradicts(other));
  const limits = limitsOn(claim, said, question, all);
  const left = [...(isLimitedByNext ? [next] : []), ...others, ...limits].find((other) => !isRestated(other, answer));
  return left ? conflict("condition_dropped", [], [left.text]) : null;
}
