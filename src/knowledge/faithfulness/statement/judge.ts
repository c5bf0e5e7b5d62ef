import { markOf } from "../../language/statement-words.ts";
import { caseConflict, contextOf } from "./asked.ts";
import { breadth } from "./breadth.ts";
import { cases } from "./cases.ts";
import {
  amountOf,
  bestSegments,
  type Conflict,
  conflict,
  isEqualAmount,
  isPartOf,
  type Rule,
  words,
} from "./conflict.ts";
import { denials, deniedAmounts, excludedIn, negations, reservations, waivers } from "./denials.ts";
import { reviseFigures } from "./figures.ts";
import { provenInParts } from "./joined.ts";
import { type Evidence, evidenceIn, isContent, isSame, isSameActor, isSameQuantity } from "./match.ts";
import { qualifiers } from "./qualifiers.ts";
import type { Part, Statement } from "./read.ts";
import { reservationOn, reservationOnParts } from "./reservations.ts";
import { containsPart, restrictions } from "./restrictions.ts";
import { rolesOf } from "./roles.ts";
import { closest, type Statements } from "./sentences.ts";
import { answeredElsewhere } from "./short-answers.ts";

/** The result of comparing a claim, as a statement, with the sources. */
export interface Judgement {
  /** The most decisive conflict; null if the sources were not found to contradict the claim. */
  readonly conflict: Conflict | null;
  /**
   * Whether one sentence, or one for each co-ordinated part, states all of the claim and no qualification that the
   * claim drops.
   */
  readonly proven: boolean;
  /**
   * Why a proven claim still cannot be OK: it drops something from its sentence, or another sentence contradicts it.
   */
  readonly reserved: Conflict | null;
  /** Words of the claim that the closest sentence lacks. */
  readonly missing: readonly string[];
  /** The share of the claim's words that the closest sentence has, 0 to 1. */
  readonly covered: number;
}

const timeMeasure = /^(?:workday|day|month|hour)$/;
const isMeasured = (part: Part): boolean => part.quantity !== null;

/** Amounts and times that the sentence lacks, or has in another unit. */
const amounts: Rule = (claim, { statement }) => {
  const { parts } = statement;
  for (const part of claim.parts.filter(isMeasured)) {
    const { measure = null, count = 0 } = part.quantity ?? {};
    const there = parts.filter(isMeasured);
    const isEqual = ({ quantity }: Part) =>
      quantity !== null && part.quantity !== null && isSameQuantity(part.quantity, quantity);
    if (
      there.some(
        (other) =>
          isEqual(other) &&
          (other.quantity?.measure === measure || measure === null || other.quantity?.measure === null),
      )
    )
      continue;
    const same = there.filter(({ quantity }) => quantity?.count === count);
    const isOfDate = ({ date }: Part) => date !== null && (date.year === count || date.day === count);
    if (measure === null && parts.some(isOfDate)) continue;
    const said = words(claim, [part]);
    if (same.length > 0) return conflict("unit_differs", said, words(statement, same));
    // A month and thirty days differ, but are no contradiction.
    const others = there.filter(({ quantity }) => quantity?.measure === measure);
    const isTime = measure !== null && timeMeasure.test(measure);
    if (isTime && markOf("time", part.form) !== undefined) continue;
    const rivals = isTime ? there.filter(({ quantity }) => timeMeasure.test(quantity?.measure ?? "")) : others;
    if (rivals.length > 0) return conflict("number_differs", said, words(statement, rivals));
    return conflict("number_missing", said);
  }
  return null;
};

const bounds: Rule = (claim, { statement }) => {
  const { parts } = statement;
  for (const part of claim.parts.filter(isMeasured)) {
    const same = parts.filter((other) => isEqualAmount(part, other));
    const bound = part.quantity?.bound ?? null;
    const others = same.filter(({ quantity }) => quantity?.bound !== null);
    if (bound !== null && others.length > 0 && others.every(({ quantity }) => quantity?.bound !== bound))
      return conflict("bound_differs", words(claim, [part]), words(statement, others));
  }
  return null;
};

const dates: Rule = (claim, { statement }) => {
  const { parts } = statement;
  for (const part of claim.parts) {
    const { date } = part;
    if (date === null) continue;
    const there = parts.filter((other) => other.date !== null);
    if (there.some((other) => other.date !== null && isPartOf(date, other.date))) continue;
    return conflict(
      there.length > 0 ? "date_differs" : "number_missing",
      words(claim, [part]),
      words(statement, there),
    );
  }
  return null;
};

/**
 * An amount or date that the sentence gives for something else: another segment has the claim's words. For an amount
 * without words of its own, the question's words count.
 */
const scopes: Rule = (claim, { statement }, _, question) => {
  for (const part of claim.parts.filter((one) => amountOf(one) !== null)) {
    const own = statement.parts.filter((other) => isEqualAmount(part, other));
    const [held] = own;
    if (held === undefined || own.length > 1) continue;
    const isBare = !claim.parts.some((one) => isContent(one) && one.segment === part.segment);
    const rivals = statement.parts.filter(
      (other) =>
        amountOf(other) === amountOf(held) &&
        other.segment !== held.segment &&
        !claim.parts.some((one) => isEqualAmount(one, other)),
    );
    for (const rival of rivals) {
      const inSegment = (segment: number) => statement.parts.filter((one) => isContent(one) && one.segment === segment);
      const [mine, others] = [inSegment(held.segment), inSegment(rival.segment)];
      const said = (isBare ? question : claim).parts.filter(isContent);
      const sharedIn = (list: readonly Part[]) => list.filter((one) => said.some((other) => isSame(other, one)));
      const only = (list: readonly Part[], rest: readonly Part[]) =>
        list.filter((one) => !rest.some((other) => isSame(one, other)));
      const [mineOnly, othersOnly] = [only(mine, others), only(others, mine)];
      const isLater = held.segment > rival.segment;
      const lacksOwn = isLater && mineOnly.length > 0 && sharedIn(mineOnly).length === 0;
      const takesOther = !isLater && sharedIn(othersOnly).length > 0;
      if (lacksOwn || takesOther)
        return conflict(
          held.date === null ? "number_differs" : "date_differs",
          words(claim, [part]),
          words(statement, [rival]),
        );
    }
  }
  return null;
};

const actors: Rule = (claim, { statement }) => {
  const [said, held] = [rolesOf(claim), rolesOf(statement)];
  if (said.agent !== null && held.agent !== null && !isSameActor(said.agent, held.agent))
    return conflict("actor_differs", words(claim, [said.agent]), words(statement, [held.agent]));
  const isSwapped = said.recipient !== null && held.recipient !== null && !isSameActor(said.recipient, held.recipient);
  return isSwapped && said.recipient && held.recipient
    ? conflict("actor_differs", words(claim, [said.recipient]), words(statement, [held.recipient]))
    : null;
};

/** Conditions and exceptions of which the answer mentions hardly a word, or which it says do not matter. */
const spans: Rule = (claim, { statement }, { parts: answer }) => {
  for (const span of ["condition", "exception"] as const) {
    const outside = statement.parts.filter((part) => part.span === null && isContent(part));
    const isOwn = (part: Part) =>
      amountOf(part) !== null || (isContent(part) && !outside.some((other) => isSame(part, other)));
    const content = statement.parts.filter((part) => part.span === span && isOwn(part));
    if (content.length === 0) continue;
    const isKept = (part: Part) =>
      answer.some((other) =>
        amountOf(part) === null ? isContent(other) && isSame(other, part) : isEqualAmount(other, part),
      );
    const kept = content.filter(isKept).length;
    const inSpan = statement.parts.filter((part) => part.span === span);
    const first = statement.parts.indexOf(inSpan[0] as Part);
    // With the word that introduces it: `if it was locked`.
    const marker = statement.parts.findLastIndex((part, at) => at < first && part.role === "mark");
    const from = marker === first - 1 && marker >= 0 ? statement.parts[marker] : inSpan[0];
    const text = statement.text.slice(from?.start, inSpan.at(-1)?.end);
    // The claim says that the span does not matter, or includes what it excludes.
    if (
      kept > 0 &&
      claim.marks.inclusion !== undefined &&
      claim.parts.some((one) => content.some((other) => isContent(one) && isSame(one, other)))
    )
      return conflict("exception_denied", [claim.marks.inclusion[0] ?? ""], [text]);
    const isListKept = listOf(statement, span).every((item) => {
      const own = item.filter(isOwn);
      // The excepted thing is next to the word that introduces it; later words may belong to the rest: `except war up
      // to 500`.
      const excepted = statement.marks["exception-after"] === undefined ? own[0] : own.at(-1);
      const isNamed = span === "condition" || excepted === undefined || isKept(excepted);
      return isNamed && own.filter(isKept).length * 2 >= own.length;
    });
    if ((kept * 2 >= content.length && isListKept) || !boundsClaim(claim, statement, content)) continue;
    return conflict("condition_dropped", [], [text]);
  }
  return null;
};

/** Splits a span at its conjunctions: an answer must keep something of each item. */
function listOf({ parts }: Statement, span: Part["span"]): Part[][] {
  const items: Part[][] = [[]];
  for (const part of parts) {
    if (part.span !== span) continue;
    if (markOf("and", part.form) === undefined) items.at(-1)?.push(part);
    else items.push([]);
  }
  return items;
}

/** Checks whether a span bounds what a claim says: it is in the segment of the claim's words, or next to it. */
function boundsClaim(claim: Statement, statement: Statement, span: readonly Part[]): boolean {
  const segments = bestSegments(claim, statement);
  const own = span[0]?.segment ?? 0;
  return segments.size === 0 || [...segments].some((segment) => Math.abs(segment - own) <= 1);
}

/**
 * Returns the claim's names that no source has. German capitalises all nouns, so there only a word before an insurer is
 * a name.
 */
function unknownNames(claim: Statement, all: Statements): Part[] {
  return claim.parts.filter((part, at) => {
    // `No. Although …`: the first word of a sentence is no name.
    const isInside = at > 0 && !/[.!?]\s*$/.test(claim.text.slice(0, part.start));
    const isName = part.role === "plain" && part.capital && (isInside || isCompany(claim.parts[at + 1]));
    if (!isName || (claim.language === "de" && !isCompany(claim.parts[at + 1]))) return false;
    return !all.sentences.some(({ statement }) => statement.parts.some((other) => isSame(part, other)));
  });
}

const isCompany = (part: Part | undefined): boolean =>
  part?.concept === "insurer" || /^(?:versicherung|biztosit)/.test(part?.form ?? "");

/**
 * Normalises white space and removes the final stop. A claim equal to a source sentence is a quotation, whatever its
 * words.
 */
const spaced = (text: string): string =>
  text
    .split(/\s+/)
    .join(" ")
    .trim()
    .replace(/(?<!\.)\.+$/, "");

const decisive: readonly Rule[] = [
  amounts,
  dates,
  scopes,
  bounds,
  actors,
  negations,
  deniedAmounts,
  denials,
  waivers,
  reservations,
  spans,
  ...breadth,
  ...qualifiers,
  cases,
  restrictions,
];

/**
 * Compares a claim, as a statement, with the sources: who does what, how much, when, on what condition. `answer` is the
 * whole answer, whose other sentences may keep what this one leaves out. Called by the scorer for each claim.
 */
export function judgeStatement(claim: Statement, answer: Statement, all: Statements, question: Statement): Judgement {
  const content = claim.parts.filter(isContent);
  const ranked = content.length > 0 ? closest(claim, all, question) : amountsOnly(claim, all, question);
  const [best] = ranked;
  if (best === undefined)
    return { conflict: null, proven: false, reserved: null, missing: words(claim, content), covered: 0 };
  const conflictIn = (evidence: Evidence): Conflict | null => {
    for (const rule of decisive) {
      const found = rule(claim, evidence, answer, question);
      if (found !== null) return found;
    }
    return null;
  };
  const names = unknownNames(claim, all);
  const covered = content.length === 0 ? 1 : best.found.length / content.length;
  const open = { proven: false, reserved: null, missing: words(claim, best.missing).slice(0, 4), covered };
  if (names.length > 0) return { ...open, conflict: conflict("name_missing", words(claim, names)) };
  const plain = spaced(claim.text);
  // An amount alone is quoted from the sentence that its question is about.
  const quotable = content.length > 0 ? all.sentences : ranked;
  const quoting = quotable.filter(({ statement }) => spaced(statement.text) === plain);
  const isWhole = (evidence: Evidence) => evidence.missing.length === 0 && conflictIn(evidence) === null;
  const asks = /\?\s*$/.test(claim.text);
  const excluded = quoting.length > 0 ? null : excludedIn(claim, all);
  const other = excluded ?? caseConflict(claim, answer, question, ranked);
  if (!asks && other === null) {
    const proving = quoting.length > 0 ? quoting : ranked.filter(isWhole);
    const proven = { claim, answer, question, all };
    const isQuoted = quoting.length > 0;
    const inParts = proving.length > 0 ? null : provenInParts(proven, decisive);
    if (proving.length > 0 || inParts !== null) {
      const statements = proving.map(({ statement }) => statement);
      const reserved =
        answeredElsewhere(proven, statements) ??
        (inParts === null ? reservationOn(proven, statements, isQuoted) : reservationOnParts(proven, inParts));
      return { conflict: null, proven: true, reserved, missing: [], covered: 1 };
    }
  }
  const found = conflictIn(best) ?? other;
  return { ...open, conflict: found === null ? null : reviseFigures(all, found, claim, ranked) };
}

/**
 * Returns the evidence for an amount alone, whose subject is in its question: the sentences with an amount that, with
 * the one before and the heading, have most of the question's words.
 */
function amountsOnly(claim: Statement, { sentences }: Statements, question: Statement): Evidence[] {
  const isAmount = (part: Part) => amountOf(part) !== null;
  if (!claim.parts.some(isAmount)) return [];
  const asked = question.parts.filter(isContent);
  const valued = sentences.filter(({ statement }) => statement.parts.some(isAmount));
  const counts = valued.map((sentence) => asked.filter((part) => containsPart(contextOf(sentence), part)).length);
  const most = counts.reduce((high, count) => Math.max(high, count), 0);
  return valued.flatMap((sentence, at) =>
    counts[at] === most ? [evidenceIn(claim, { ...sentence, before: null })] : [],
  );
}
