import { isCopula, isPreposition, markOf } from "../../language/statement-words.ts";
import { amountOf, conflict, isEqualAmount, type Rule } from "./conflict.ts";
import { isContent, isSame } from "./match.ts";
import type { Part, Statement } from "./read.ts";

/** What a sentence restricts itself to: `in the Comfort tariff`, `at constant rates`, `children under 15`. */
export interface Restriction {
  /** Its first and last word, by their places among the parts. */
  readonly from: number;
  readonly to: number;
  /** What of it an answer may keep: words of its own, the bounded number, and the label or number that tells it apart. */
  readonly own: readonly Part[];
}

/** Things that nearly every statement has: a phrase of these alone restricts nothing. */
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
const isTelling = (part: Part): boolean => isLabel(part) || amountOf(part) !== null;
/** Whether a part is the word for one of several tariffs or plans, whose name stands beside it. */
export const isVariant = ({ concept }: Part): boolean => concept === "variant";

/** Whether a word is an ordinal: `first`, `druhého`. */
export const isOrdinal = ({ form }: Part): boolean => markOf("ordinal", form) !== undefined;

/** Conjunctions that are an article or a pronoun in other languages. */
const onlyIn: Readonly<Record<string, string>> = { a: "cs sk", i: "cs sk pl", es: "hu", de: "hu" };

/** Whether a word joins two statements or things in its language. */
export const isConjunction = (part: Part, language: string): boolean =>
  markOf("and", part.form) !== undefined && !isLabel(part) && (onlyIn[part.form]?.includes(language) ?? true);

/** Whether something cuts a sentence before a part: punctuation, a conjunction, or `otherwise`. */
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
/** What stands by the verb: `pro útvar prodeje se ruší`. */
const reflexives = new Set(["se", "sa", "sie"]);

/**
 * The words that a preposition leads, to the next cut, verb, mark or amount; `the first year` is no amount. English goes on
 * with an article: `in the Gold plan the excess`.
 */
function ledBy(statement: Statement, at: number): Restriction | null {
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
  // `For each insured event`, `pro jednu pojistnou událost`: how often is another matter.
  const first = led[0]?.form ?? "";
  const isOne = markOf("number", first) === "1" && /^(?:person|event)$/.test(led.at(-1)?.concept ?? "");
  if (isOne || (first.length > 2 && markOf("each", first) !== undefined)) return null;
  const isNamed = (part: Part) => isOwn(part) || isLabel(part) || part.quantity?.measure === null;
  return led.some(isOwn) ? { from: at, to, own: led.filter(isNamed) } : null;
}

/** Endings of Hungarian words that say where, when or for whom. */
const hungarian = /(?:ban|ben|nal|nel|on|en)$/;
const shortestHungarian = 6;

/** `A Komfort csomagban`: the word with its ending, and the one that describes it. */
function endedAt({ parts, text }: Statement, at: number): Restriction | null {
  const [before, part] = [parts[at - 1], parts[at]];
  if (part === undefined || !isOwn(part) || part.form.length < shortestHungarian || !hungarian.test(part.form))
    return null;
  const isDescribed = before !== undefined && isOwn(before) && text.slice(before.end, part.start).trim() === "";
  return { from: isDescribed ? at - 1 : at, to: at, own: isDescribed ? [before, part] : [part] };
}

const oldest = 150;

/** Years or a bare number, as ages are told. */
export const isAge = ({ quantity }: Part): boolean =>
  quantity !== null &&
  quantity.count > 0 &&
  quantity.count <= oldest &&
  (quantity.measure === null || (quantity.measure === "month" && quantity.value === 12 * quantity.count));

const comparing = /^(?:under|over|above|below|unter|uber|do|pod|nad|ponizej|powyzej|ponad)$/;

/** Whether a bare number is of a person or thing: what follows is no unit of its own, as in `bags over 23 kg`. */
const isUnitless = (statement: Statement, at: number): boolean =>
  statement.parts[at]?.quantity?.measure !== null ||
  isCutBefore(statement, at + 1) ||
  !["plain", "thing"].includes(statement.parts[at + 1]?.role ?? "");

/** `Children under 15`, `vozidla starší 10 let`, `15 év alatti gyermekek`: an age that bounds the noun beside it. */
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

/** Of each statement: the rules ask for it once for each two amounts. */
const restrictionsIn = new WeakMap<Statement, readonly Restriction[]>();

/** All that a sentence restricts itself to, outside its conditions and exceptions. */
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
    return leads ? (ledBy(statement, at) ?? []) : [];
  });
}

/** Whether parts have a word, a label or an amount. */
export const has = (parts: readonly Part[], part: Part): boolean =>
  parts.some((other) => {
    if (amountOf(part) !== null) return isEqualAmount(other, part);
    return isLabel(part) ? isLabel(other) && other.form === part.form : isContent(other) && isSame(other, part);
  });

/**
 * Whether an answer keeps a restriction: it says something of it with what tells it apart, the name of a tariff or plan
 * among that; or its question has it all.
 */
export function isKept({ own }: Restriction, answer: Statement, question: Statement): boolean {
  const isSaid = (part: Part) => has(answer.parts, part);
  const names = own.filter((part) => !isVariant(part));
  return (
    ((names.length > 0 ? names : own).some(isSaid) && own.filter(isTelling).every(isSaid)) ||
    own.every((part) => has(question.parts, part))
  );
}

/** A clause has fewer parts; in the long sentences of news a place or a time is one detail of many. */
const mostParts = 24;

/** The parts between the cuts around a place. */
export function clauseOf(statement: Statement, at: number): { readonly from: number; readonly to: number } {
  let [from, to] = [at, at];
  while (from > 0 && !isCutBefore(statement, from)) from -= 1;
  while (to < statement.parts.length - 1 && !isCutBefore(statement, to + 1)) to += 1;
  return { from, to };
}

/**
 * Whether a sentence restricts what a claim says: the claim has other words or amounts of the same clause. A restriction
 * that is a clause of its own is of the one before it, and one that opens the sentence of the one behind it.
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
      has(claim.parts, part),
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
