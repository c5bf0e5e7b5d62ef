import { isStopWord } from "../../language/function-words.ts";
import { searchLanguageOf } from "../../language/languages.ts";
import { markOf } from "../../language/statement-words.ts";
import { amountOf, type Conflict, conflict, isStance, words } from "./conflict.ts";
import { type Evidence, isContent, isGeneral, isSame, type Sentence } from "./match.ts";
import type { Part, Statement } from "./read.ts";
import {
  containsPart,
  isAge,
  isAttached,
  isKept,
  isVariant,
  type Restriction,
  restrictionsOf,
} from "./restrictions.ts";

/** Whether the sentence that an answer rests on is about the case that its question asks about. */

/** Checks whether an age meets a bound; at the bound itself it may be either. */
const meets = ({ quantity: asked }: Part, { quantity: held }: Part): boolean =>
  asked === null || held === null || (held.bound === "max" ? asked.count <= held.count : asked.count >= held.count);

const bounded = ({ quantity }: Part): boolean => quantity?.bound != null;
const agedIn = (statement: Statement): Restriction[] =>
  restrictionsOf(statement).filter(({ own }) => own.some(bounded));
const isOfAge = (asked: Part, { own }: Restriction): boolean => own.filter(bounded).every((age) => meets(asked, age));

const ageIn = ({ parts }: Statement): Part | undefined => parts.find((part) => isAge(part) && !bounded(part));

/** The question is about someone of 20, and the sentence about those over 25. */
function ageConflict(claim: Statement, question: Statement, { statement }: Evidence): Conflict | null {
  const ages = agedIn(statement).filter((one) => isAttached(claim, statement, one));
  const asked = ageIn(question);
  if (asked === undefined || ages.length === 0 || ages.some((one) => isOfAge(asked, one))) return null;
  const { parts, text } = statement;
  const held = ages.map(({ from, to }) => text.slice(parts[from]?.start, parts[to]?.end));
  return conflict("case_differs", words(question, [asked]), held);
}

/**
 * Returns the bound that an amount is given for: the first after it, up to another amount of its kind, or the last
 * before it.
 */
function boundOn({ parts }: Statement, at: number, measure: string): Part | undefined {
  const isBound = (part: Part) => amountOf(part) === measure && bounded(part);
  const after = parts.slice(at + 1);
  const end = after.findIndex((part) => amountOf(part) === amountOf(parts[at] as Part) && !bounded(part));
  return after.slice(0, end < 0 ? after.length : end).find(isBound) ?? parts.slice(0, at).findLast(isBound);
}

/** The question is about seven years of service, and the sentence gives the claim's amount for less than five. */
function measureConflict(claim: Statement, question: Statement, { statement }: Evidence): Conflict | null {
  const asked = question.parts.find((part) => part.quantity?.measure != null && !bounded(part));
  const measure = asked?.quantity?.measure;
  if (asked?.quantity == null || measure == null) return null;
  for (const [at, part] of statement.parts.entries()) {
    if (amountOf(part) === null || bounded(part) || !containsPart(claim.parts, part)) continue;
    const held = boundOn(statement, at, measure)?.quantity;
    if (held == null || claim.parts.some(({ quantity }) => quantity?.value === held.value)) continue;
    const isMet = held.bound === "max" ? asked.quantity.value <= held.value : asked.quantity.value >= held.value;
    if (!isMet) return conflict("case_differs", words(question, [asked]), words(statement, [part]));
  }
  return null;
}

/** Returns the parts of a sentence, of the one before it and of its heading. */
export const contextOf = ({ statement, before, heading }: Sentence): readonly Part[] => [
  ...statement.parts,
  ...(before?.parts ?? []),
  ...(heading?.parts ?? []),
];

const otherAmount = (claim: Statement, answer: Statement, { statement }: Evidence): boolean =>
  claim.parts.some(
    (part) =>
      part.quantity?.measure != null &&
      !containsPart(statement.parts, part) &&
      statement.parts.some((other) => amountOf(other) === amountOf(part) && !containsPart(answer.parts, other)),
  );

/** Checks whether a sentence differs from a claim with the same words: another amount of the kind, or the opposite. */
function contradicts(claim: Statement, answer: Statement, evidence: Evidence): boolean {
  if (evidence.missing.length > 0) return false;
  if (claim.parts.some((part) => part.quantity?.measure != null)) return otherAmount(claim, answer, evidence);
  const signOf = ({ parts }: Statement) => parts.find(({ role, span }) => role === "predicate" && span === null)?.sign;
  const [said, held] = [signOf(claim), signOf(evidence.statement)];
  return said !== undefined && held !== undefined && said !== held;
}

/** Checks whether a sentence has nothing that the claim does not say, so that either value may be meant. */
const isEquallyGeneral = (claim: Statement, { statement }: Evidence): boolean =>
  statement.parts.every((part) => !isContent(part) || claim.parts.some((one) => isContent(one) && isSame(one, part)));

const speakers = /^(?:insurer|customer|holder|insured|bank)$/;

/** Returns the words of a question that distinguish it from others. */
export const askedWordsOf = ({ parts, language }: Statement): Part[] =>
  parts.filter(
    (part) =>
      isContent(part) &&
      !isStance(part) &&
      !isGeneral(part) &&
      markOf("mine", part.form) === undefined &&
      !isStopWord(part.form, searchLanguageOf(language) ?? "en"),
  );

/** Returns what a question asks about: its distinctive words except those for the parties. */
const subjectsOf = (question: Statement): Part[] =>
  askedWordsOf(question).filter(({ concept }) => !speakers.test(concept));

/** Checks whether a claim directly follows the `Yes` of an answer, and so confirms all that was asked. */
const opensWithYes = (claim: Statement, { parts, text }: Statement): boolean =>
  markOf("yes", parts[0]?.form ?? "") !== undefined &&
  !/\p{L}\P{L}+\p{L}/u.test(text.slice(0, text.indexOf(claim.text)));

/** The sentence is under the name of a tariff that neither the answer nor its question has. */
function tariffConflict(answer: Statement, question: Statement, { sentence: { heading } }: Evidence): Conflict | null {
  if (heading === null || !heading.parts.some(isVariant)) return null;
  const led = restrictionsOf(heading).filter(({ own }) => own.some(isVariant));
  const whole = { from: 0, to: heading.parts.length - 1, own: heading.parts.filter(isContent) };
  const isNamed = (led.length > 0 ? led : [whole]).every((one) => isKept(one, answer, question));
  return isNamed ? null : conflict("qualifier_dropped", [], [heading.text]);
}

/**
 * Returns what the sources say, and the claim does not, about the case that is asked about: its evidence is about
 * another case, or another sentence gives that case its own value. Null if nothing of the kind was found.
 */
export function caseConflict(
  claim: Statement,
  answer: Statement,
  question: Statement,
  [best, ...others]: readonly Evidence[],
): Conflict | null {
  if (best === undefined) return null;
  const other =
    ageConflict(claim, question, best) ??
    measureConflict(claim, question, best) ??
    tariffConflict(answer, question, best);
  if (other !== null) return other;
  const subjects = subjectsOf(question);
  const isMentioned = (part: Part) => containsPart(answer.parts, part) || containsPart(contextOf(best.sentence), part);
  const strange = subjects.filter((part) => !isMentioned(part));
  const age = ageIn(question);
  for (const one of others) {
    const isOfCase = age !== undefined && agedIn(one.statement).some((aged) => isOfAge(age, aged));
    const isMeant = isOfCase || strange.some((part) => containsPart(contextOf(one.sentence), part));
    // Without a word that distinguishes them, either value may be the one that was asked for.
    const isChosen = subjects.some(
      (part) => containsPart(contextOf(best.sentence), part) && !containsPart(contextOf(one.sentence), part),
    );
    const isEither = !isChosen && isEquallyGeneral(claim, one) && otherAmount(claim, answer, one);
    if ((isMeant || isEither) && contradicts(claim, answer, one))
      return conflict("qualifier_dropped", [], [one.statement.text]);
  }
  return opensWithYes(claim, answer) && strange.length > 0
    ? conflict("case_differs", words(question, strange), [best.statement.text])
    : null;
}
