import { isCopula, isPreposition, markOf } from "../../language/statement-words.ts";
import { amountOf, conflict, isEqualAmount, type Rule } from "./conflict.ts";
import { isContent, isSame } from "./match.ts";
import type { Part, Statement } from "./read.ts";

/** A restriction of a sentence: `in the Comfort tariff`, `at constant rates`, `children under 15`. */
export interface Restriction {
  /** Indices of its first and last part. */
  readonly from: number;
  readonly to: number;
  /**
   * The parts by which an answer keeps it: its content words, its bounded number, and the label or number that
   * identifies it.
   */
  readonly own: readonly Part[];
}

/** Things that nearly every statement mentions: a phrase of these alone restricts nothing. */
const general = new Set([
  "damage",
  "event",
  "payout",
  "amount",
  "contract",
  "period",
  "limit",
  "cost",
  "written",
  "proof",
]);
const isOwn = (part: Part): boolean =>
  isContent(part) && part.role !== "predicate" && !general.has(part.concept) && markOf("time", part.form) === undefined;

/** `Class A`, `tarif B`: a letter that names one of several. */
const isLabel = ({ capital, start, end }: Part): boolean => capital && end - start === 1;
const isDistinguishing = (part: Part): boolean => isLabel(part) || amountOf(part) !== null;
/** Checks for a word such as tariff or plan, next to which the name of one of several appears. */
export const isVariant = ({ concept }: Part): boolean => concept === "variant";

/** Checks whether a word is an ordinal: `first`, `druhého`. */
export const isOrdinal = ({ form }: Part): boolean => markOf("ordinal", form) !== undefined;

/** Words that are conjunctions only in these languages, and articles or pronouns in others. */
const onlyIn: Readonly<Record<string, string>> = { a: "cs sk", i: "cs sk pl", es: "hu", de: "hu" };

/** Checks whether a word is a conjunction of statements or things in its language. */
export const isConjunction = (part: Part, language: string): boolean =>
  markOf("and", part.form) !== undefined && !isLabel(part) && (onlyIn[part.form]?.includes(language) ?? true);

/** Checks whether a sentence is cut before a part: by punctuation, a conjunction, or `otherwise`. */
export function isCutBefore({ parts, text, language }: Statement, at: number): boolean {
  const [before, part] = [parts[at - 1], parts[at]];
  if (part === undefined || before === undefined) return true;
  return (
    /[,;:()–—]/.test(text.slice(before.end, part.start)) ||
    isConjunction(part, language) ||
    markOf("case", part.form) !== undefined
  );
}

const mostWords = 6;

const articles = new Set(["the", "a", "an"]);
/** Reflexive pronouns, which belong to the verb: `pro útvar prodeje se ruší`. */
const reflexives = new Set(["se", "sa", "sie"]);

/**
 * Returns the phrase that a preposition introduces, up to the next cut, verb, mark or amount; `the first year` is no
 * amount. In English an article after it ends it too: `in the Gold plan the excess`.
 */
function phraseAfter(statement: Statement, at: number): Restriction | null {
  const { parts, language } = statement;
  let to = at;
  while (to < Math.min(parts.length - 1, at + mostWords) && !isCutBefore(statement, to + 1)) {
    const next = parts[to + 1] as Part;
    const before = parts.slice(at + 1, to + 1);
    // `The first five years`, `zone 2`
    const isNumber = next.quantity?.measure === null && next.quantity.bound === null && before.some(isOwn);
    const isCounted = next.quantity !== null && (isNumber || before.some(isOrdinal));
    if (!isCounted && (next.role === "predicate" || next.role === "mark" || amountOf(next) !== null)) break;
    if (isPreposition(next.form, language) || isCopula(next.form, language)) break;
    if (language !== "de" && reflexives.has(next.form)) break;
    if (language === "en" && articles.has(next.form) && !isLabel(next) && before.some(isOwn)) break;
    to += 1;
  }
  const led = parts.slice(at + 1, to + 1);
  // `For each insured event`, `pro jednu pojistnou událost`: a frequency, which other rules check.
  const first = led[0]?.form ?? "";
  const isOne = markOf("number", first) === "1" && /^(?:person|event)$/.test(led.at(-1)?.concept ?? "");
  if (isOne || (first.length > 2 && markOf("each", first) !== undefined)) return null;
  const isNamed = (part: Part) => isOwn(part) || isLabel(part) || part.quantity?.measure === null;
  return led.some(isOwn) ? { from: at, to, own: led.filter(isNamed) } : null;
}

/** Hungarian suffixes for place, time or recipient. */
const hungarian = /(?:ban|ben|nal|nel|on|en)$/;
const shortestHungarian = 6;

/** `A Komfort csomagban`: the word with its suffix, and the word that describes it. */
function endedAt({ parts, text }: Statement, at: number): Restriction | null {
  const [before, part] = [parts[at - 1], parts[at]];
  if (part === undefined || !isOwn(part) || part.form.length < shortestHungarian || !hungarian.test(part.form))
    return null;
  const isDescribed = before !== undefined && isOwn(before) && text.slice(before.end, part.start).trim() === "";
  return { from: isDescribed ? at - 1 : at, to: at, own: isDescribed ? [before, part] : [part] };
}

const oldest = 150;

/** Checks for an age: years or a bare number. */
export const isAge = ({ quantity }: Part): boolean =>
  quantity !== null &&
  quantity.count > 0 &&
  quantity.count <= oldest &&
  (quantity.measure === null || (quantity.measure === "month" && quantity.value === 12 * quantity.count));

const comparing = /^(?:under|over|above|below|unter|uber|do|pod|nad|ponizej|powyzej|ponad)$/;

/** Checks that a bare number is not followed by an unknown unit, such as `kg` in `bags over 23 kg`. */
const isUnitless = (statement: Statement, at: number): boolean =>
  statement.parts[at]?.quantity?.measure !== null ||
  isCutBefore(statement, at + 1) ||
  !["plain", "thing"].includes(statement.parts[at + 1]?.role ?? "");

/**
 * Returns an age that bounds the noun next to it: `children under 15`, `vozidla starší 10 let`, `15 év alatti
 * gyermekek`.
 */
function agedAt(statement: Statement, at: number): Restriction | null {
  const { parts, language } = statement;
  const part = parts[at];
  if (part?.quantity?.bound == null || !isAge(part)) return null;
  const isBetween = ({ role, concept }: Part) => role === "light" || role === "mark" || concept === "driver-age";
  const isNoun = (other: Part | undefined) =>
    other !== undefined &&
    other.segment === part.segment &&
    amountOf(other) === null &&
    isOwn(other) &&
    other.concept !== "last";
  if (language === "hu") {
    const after = parts.findIndex((other, i) => i > at && !isBetween(other));
    return parts[at + 1]?.role === "mark" && isNoun(parts[after]) ? { from: at, to: after, own: [part] } : null;
  }
  const before = parts.slice(0, at).findLastIndex((other) => !isBetween(other));
  const noun = parts[before];
  if (!isNoun(noun) || !isUnitless(statement, at)) return null;
  const compares = parts
    .slice(before + 1, at)
    .some(({ form, concept }) => comparing.test(form) || concept === "driver-age");
  return noun?.role !== "plain" || compares ? { from: before, to: at, own: [part] } : null;
}

/** Cached by statement, since the rules ask for each pair of amounts. */
const restrictionsIn = new WeakMap<Statement, readonly Restriction[]>();

/** Returns all restrictions of a sentence outside its conditions and exceptions. */
export function restrictionsOf(statement: Statement): readonly Restriction[] {
  const known = restrictionsIn.get(statement) ?? foundIn(statement);
  restrictionsIn.set(statement, known);
  return known;
}

function foundIn(statement: Statement): Restriction[] {
  return statement.parts.flatMap(({ form, role, span }, at) => {
    if (span !== null) return [];
    const aged = agedAt(statement, at);
    if (aged !== null) return [aged];
    if (statement.language === "hu") return endedAt(statement, at) ?? [];
    const leads = (role === "light" || role === "mark") && isPreposition(form, statement.language);
    return leads ? (phraseAfter(statement, at) ?? []) : [];
  });
}

/** Checks whether `parts` contain a word, a label or an amount. */
export const containsPart = (parts: readonly Part[], part: Part): boolean =>
  parts.some((other) => {
    if (amountOf(part) !== null) return isEqualAmount(other, part);
    return isLabel(part) ? isLabel(other) && other.form === part.form : isContent(other) && isSame(other, part);
  });

/**
 * Checks whether an answer keeps a restriction: it has one of its words, which for a tariff or plan must be its name,
 * and all labels and amounts that identify it; or its question has all of it.
 */
export function isKept({ own }: Restriction, answer: Statement, question: Statement): boolean {
  const isSaid = (part: Part) => containsPart(answer.parts, part);
  const names = own.filter((part) => !isVariant(part));
  return (
    ((names.length > 0 ? names : own).some(isSaid) && own.filter(isDistinguishing).every(isSaid)) ||
    own.every((part) => containsPart(question.parts, part))
  );
}

/** Maximum number of parts. In the longer sentences of news, a place or a time is one detail of many. */
const mostParts = 24;

/** Returns the range of parts between the cuts around an index. */
export function clauseOf(statement: Statement, at: number): { readonly from: number; readonly to: number } {
  let [from, to] = [at, at];
  while (from > 0 && !isCutBefore(statement, from)) from -= 1;
  while (to < statement.parts.length - 1 && !isCutBefore(statement, to + 1)) to += 1;
  return { from, to };
}

/**
 * Checks whether a restriction applies to what a claim says: the claim has other words or amounts of the same clause. A
 * restriction that is a whole clause belongs to the one before it, or after it if it opens the sentence.
 */
export function isAttached(claim: Statement, statement: Statement, { from, to }: Restriction): boolean {
  const { parts } = statement;
  const clause = clauseOf(statement, from);
  const isWhole = clause.from === from && clause.to <= to;
  const beside = from > 0 ? from - 1 : to + 1;
  const wide = isWhole && beside < parts.length ? clauseOf(statement, beside) : clause;
  return parts.some(
    (part, at) =>
      at >= wide.from &&
      at <= wide.to &&
      (at < from || at > to) &&
      part.role !== "optional" &&
      (isContent(part) || amountOf(part) !== null) &&
      containsPart(claim.parts, part),
  );
}

/** `Covered in the Comfort tariff` is not `covered`, and `children under 15` are not `children`. */
export const restrictions: Rule = (claim, { statement }, answer, question) => {
  const { parts, text } = statement;
  if (parts.length > mostParts) return null;
  for (const restriction of restrictionsOf(statement)) {
    if (isKept(restriction, answer, question) || !isAttached(claim, statement, restriction)) continue;
    return conflict("qualifier_dropped", [], [text.slice(parts[restriction.from]?.start, parts[restriction.to]?.end)]);
  }
  return null;
};
