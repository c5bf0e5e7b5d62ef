import { markOf } from "../../language/statement-words.ts";
import { amountOf, bestSegments, conflict, isEqualAmount, isStance, type Rule, words } from "./conflict.ts";
import { isContent, isSame } from "./match.ts";
import type { Part, Statement } from "./read.ts";
import { clauseOf, isConjunction } from "./restrictions.ts";

/**
 * What makes a claim wider or narrower than its sentence: quantifiers, `only`, duties and permissions, omitted words.
 */

const isSaid = (part: Part, answer: readonly Part[]): boolean =>
  answer.some((other) => isContent(other) && isSame(other, part));

/** Returns the index of the part at which a mark with one of these phrases begins. */
const markAt = ({ parts }: Statement, phrases: readonly string[]): number =>
  parts.findIndex(({ form, role }) => role === "mark" && phrases.some((words) => words.split(" ")[0] === form));

/** Returns the words in the scope of a mark: those after it, up to the next predicate, amount or mark. */
function scopeAfter({ parts }: Statement, at: number): Part[] {
  const led: Part[] = [];
  for (const part of parts.slice(at + 1)) {
    if (part.segment !== parts[at]?.segment || !["plain", "thing", "actor", "light", "optional"].includes(part.role))
      break;
    if (isContent(part)) led.push(part);
  }
  return led;
}

/** `In all countries of the Union` is not `in all countries`. */
const universals: Rule = (claim, { statement, parts }, { parts: answer }) => {
  const said = claim.marks.universal ?? [];
  if (said.length === 0) return null;
  const held = statement.marks.universal ?? [];
  if (held.length === 0) return isWhole(claim, parts) ? null : conflict("too_broad", said);
  // `Without limit` or `at any time` is more than `all`.
  const kindOf = (phrase: string) => markOf("universal", phrase.split(" ").join("-"));
  const strange = said.filter((one) => kindOf(one) !== "all" && !held.some((other) => kindOf(other) === kindOf(one)));
  if (strange.length > 0) return conflict("too_broad", strange, held);
  const led = scopeAfter(statement, markAt(statement, held)).slice(0, 3);
  // `For each day in hospital` gives a period.
  if (led[0] !== undefined && markOf("time", led[0].form) !== undefined) return null;
  const dropped = led.filter((part) => !isSaid(part, answer));
  const isNamed = dropped.length < led.length;
  return isNamed && dropped.length > 0 ? conflict("too_broad", said, words(statement, led)) : null;
};

const exclusivity: Rule = (claim, { statement }, { parts: answer }) => {
  const [said = [], only = []] = [claim.marks.only, statement.marks.only];
  // `Only if` says no more than a condition.
  const hasCondition = statement.parts.some(({ span }) => span === "condition");
  if (said.length > 0 && only.length === 0 && !(hasCondition && claim.marks.condition !== undefined))
    return conflict("too_broad", said);
  if (only.length === 0 || said.length > 0) return null;
  const at = markAt(statement, only);
  const bound = statement.parts
    .slice(at + 1)
    .filter((part) => isContent(part) && part.segment === statement.parts[at]?.segment);
  const kept = bound.filter((part) => isSaid(part, answer)).length;
  return kept < bound.length
    ? conflict("too_broad", only, [statement.text.slice(bound[0]?.start, bound.at(-1)?.end)])
    : null;
};

const periods: Rule = (claim, { statement }) => {
  const added = claim.periods.filter((period) => !statement.periods.includes(period));
  return added.length > 0 ? conflict("unit_differs", added) : null;
};

/** `In all of Europe` is as wide as the source's `whole Europe`. */
const isWhole = (claim: Statement, parts: readonly Part[]): boolean =>
  claim.parts.some(({ concept }) => concept === "whole") && parts.some(({ concept }) => concept === "whole");

const modalIn = (parts: readonly Part[]): Part | undefined =>
  parts.find(({ concept, span }) => span === null && (concept === "must" || concept === "may"));

/** A permission is not a duty, nor a duty a permission. Negated modals are ignored: `need not` leaves the choice. */
const modals: Rule = (claim, { statement }) => {
  const segments = bestSegments(claim, statement);
  const said = modalIn(claim.parts);
  const held = modalIn(statement.parts.filter(({ segment }) => segments.has(segment)));
  if (said === undefined || held === undefined || said.sign < 0 || held.sign < 0) return null;
  return said.concept === held.concept ? null : conflict("too_broad", words(claim, [said]), words(statement, [held]));
};

/** `Damage and loss` names two things, although the sentence has one word for them. */
const lists: Rule = (claim, { statement }) => {
  const keysOf = (parts: readonly Part[], concept: string) =>
    new Set(
      parts.filter((part) => part.role === "thing" && part.concept === concept).map(({ form }) => form.slice(0, 4)),
    );
  for (const { concept, role } of claim.parts) {
    if (role !== "thing" || !listed.has(concept)) continue;
    const said = keysOf(claim.parts, concept);
    if (said.size > 1 && said.size > keysOf(statement.parts, concept).size)
      return conflict(
        "too_broad",
        words(
          claim,
          claim.parts.filter((part) => part.concept === concept),
        ),
      );
  }
  return null;
};
const listed = new Set(["damage", "illness", "car", "documents", "flood", "storm", "baggage", "disability"]);

/**
 * Negations that a claim extends to everything, although the sentence limits them to one place or thing: `no excess`
 * instead of `no excess for glass`.
 */
const generalisedNegations: Rule = (claim, { statement }, { parts: answer }) => {
  const isNoun = (part: Part) => isContent(part) && !isStance(part) && part.concept !== "payout";
  const named = claim.parts.filter(isNoun);
  if (named.length > 2 || claim.parts.some((part) => amountOf(part) !== null)) return null;
  const segments = bestSegments(claim, statement);
  // `Hail, storm and flood are not covered`: co-ordinated things are different things.
  const clauses = statement.parts.flatMap((part, at) =>
    isNoun(part) && isSaid(part, claim.parts) ? [clauseOf(statement, at)] : [],
  );
  const dropped = statement.parts.filter(
    (part, at) =>
      clauses.some(({ from, to }) => from <= at && at <= to) &&
      segments.has(part.segment) &&
      part.span === null &&
      isNoun(part) &&
      !isSaid(part, answer),
  );
  const denies = claim.marks.negation !== undefined || named.some(({ concept }) => concept === "free");
  return named.length > 0 && dropped.length > 0 && denies
    ? conflict("qualifier_dropped", [], words(statement, dropped))
    : null;
};

/** A word omitted before one that the claim keeps restricts it: `the difference between the values` is no value. */
const omittedHeads: Rule = (claim, { statement }, { parts: answer }) => {
  const { parts } = statement;
  for (const [at, part] of parts.entries()) {
    if (part.role !== "plain" || part.capital || part.span !== null || isSaid(part, answer)) continue;
    const before = parts.slice(0, at).findLast(({ role }) => role !== "light");
    const after = parts.slice(at + 1).find(({ role }) => role !== "light");
    if (before?.role !== "predicate" || after === undefined || !isContent(after) || !isSaid(after, claim.parts))
      continue;
    if (isSaid(before, claim.parts))
      return conflict("too_broad", words(statement, [after]), words(statement, [part, after]));
  }
  return null;
};

/** Maximum number of parts. In the longer sentences of news, an adjective is one detail of many. */
const mostParts = 24;

const isCount = ({ quantity, date }: Part): boolean => quantity?.measure === null && date === null;
// `Per year` gives a frequency, which other rules check.
const mayDescribe = (part: Part): boolean =>
  part.span === null &&
  markOf("each", part.form) === undefined &&
  (isCount(part) || ["plain", "thing", "optional"].includes(part.role));

/**
 * Returns the words directly before a word, back to what cuts them off; none for one of several things: `a lost or
 * stolen card`.
 */
function describing({ parts, text, language }: Statement, at: number): Part[] {
  const isClose = (one: Part, other: Part) => /^[\s-]*$/.test(text.slice(one.end, other.start));
  let from = at;
  for (let before = parts[from - 1]; before && mayDescribe(before) && isClose(before, parts[from] as Part); from -= 1)
    before = parts[from - 2];
  const lead = parts[from - 1];
  const isListed = lead !== undefined && (isConjunction(lead, language) || markOf("or", lead.form) !== undefined);
  return isListed ? [] : parts.slice(from, at);
}

/** `Injuries in recreational sport` are not injuries in sport, and `the first two withdrawals` not the withdrawals. */
const modifiers: Rule = (claim, { statement }, answer, question) => {
  const { parts } = statement;
  if (parts.length > mostParts) return null;
  const segments = bestSegments(claim, statement);
  const isIn = (part: Part, list: readonly Part[]) =>
    isCount(part) ? list.some((other) => isEqualAmount(other, part)) : isSaid(part, list);
  const isHeld = (part: Part) => part.role === "optional" || isIn(part, answer.parts) || isIn(part, question.parts);
  const droppedAt = (at: number) => describing(statement, at).filter((one) => !isHeld(one));
  for (const said of claim.parts) {
    if (!isContent(said) || said.role === "predicate") continue;
    const places = parts.flatMap((part, at) =>
      isContent(part) && segments.has(part.segment) && isSame(said, part) ? [at] : [],
    );
    const [first] = places;
    if (first === undefined || places.some((at) => droppedAt(at).length === 0)) continue;
    return conflict("qualifier_dropped", [], words(statement, [...droppedAt(first), parts[first] as Part]));
  }
  return null;
};

const anchored = /^(?:workday|day|month|hour)$/;
const mostAnchors = 5;

/** Returns what a time is counted from: the words after `after`, `od` or `nach` next to it. */
function anchorOf({ parts }: Statement, at: number): Part[] {
  const way = [1, 2].find((step) => /^(?:after|from)$/.test(markOf("way", parts[at + step]?.form ?? "") ?? ""));
  if (way === undefined) return [];
  const rest = parts.slice(at + way + 1);
  const end = rest.findIndex(({ role, form }) => role === "mark" && markOf("way", form) === undefined);
  return rest
    .slice(0, end < 0 ? undefined : end)
    .filter(isContent)
    .slice(0, mostAnchors);
}

/** `Thirty days after the due date` is not thirty days after the reminder. */
const anchors: Rule = (claim, { statement }) => {
  for (const [at, part] of claim.parts.entries()) {
    if (!anchored.test(part.quantity?.measure ?? "")) continue;
    const held = statement.parts.findIndex((other) => isEqualAmount(part, other));
    const [said, instead] = [anchorOf(claim, at), held < 0 ? [] : anchorOf(statement, held)];
    if (said.length > 0 && instead.length > 0 && !said.some((one) => isSaid(one, instead)))
      return conflict("too_broad", words(claim, said), words(statement, instead));
  }
  return null;
};

/** Prepositions by the side from which they lead to a place or a moment. Opposite sides exclude each other. */
const sides = new Map(
  Object.entries({
    before: "before until do pred bis vor przed",
    after: "after po nach",
    inside: "in inside v vo ve w im innerhalb uvnitr",
    outside: "outside mimo ausserhalb poza",
  }).flatMap(([side, forms]) => forms.split(" ").map((form) => [form, side] as const)),
);
const opposite: Readonly<Record<string, string>> = {
  before: "after",
  after: "before",
  inside: "outside",
  outside: "inside",
};

/** Returns the side of a word: that of the preposition before it, with an article or the like in between. */
function sideOf(parts: readonly Part[], part: Part): string | undefined {
  const at = parts.indexOf(part);
  const near = [parts[at - 1], parts[at - 2]].filter((one, i, both) => one && (i === 0 || !isContent(both[0] ?? one)));
  return near.flatMap((one) => sides.get(one?.form ?? "") ?? [])[0];
}

/** `Until the end` is not `after the end`, and `in the flat` not `outside it`. */
const directions: Rule = (claim, { statement }) => {
  for (const part of claim.parts.filter(isContent)) {
    const said = sideOf(claim.parts, part);
    if (said === undefined) continue;
    const held = statement.parts.filter((other) => isContent(other) && isSame(part, other));
    if (held.length > 0 && held.every((other) => sideOf(statement.parts, other) === opposite[said]))
      return conflict("too_broad", words(claim, [part]), words(statement, held));
  }
  return null;
};

/**
 * Returns the segments of a sentence whose own words a claim has. What precedes the first predicate belongs to all
 * segments.
 */
function segmentsSaid(claim: Statement, { parts }: Statement): Set<number> {
  const opening = parts.findIndex(
    ({ role }, at) => ["predicate", "quantity", "date"].includes(role) && parts.slice(0, at).some(isContent),
  );
  const own = parts.filter(
    (part, at) => at >= opening && part.span === null && (isContent(part) || amountOf(part) !== null),
  );
  const isEqual = (one: Part, other: Part) =>
    amountOf(one) === null ? isContent(one) && isContent(other) && isSame(other, one) : isEqualAmount(other, one);
  const isShared = (part: Part) => own.some((other) => other.segment !== part.segment && isEqual(part, other));
  const said = own.filter((part) => claim.parts.some((other) => isEqual(part, other)) && !isShared(part));
  return new Set(said.map(({ segment }) => segment));
}

/** One statement made of the words of two: the waiting period of one, the accidents of the other. */
const mergedStatements: Rule = (claim, { statement }) => {
  const isOne = new Set(claim.parts.filter(({ span }) => span === null).map(({ segment }) => segment)).size === 1;
  if (!isOne || claim.marks.condition !== undefined) return null;
  return segmentsSaid(claim, statement).size > 1 ? conflict("too_broad", []) : null;
};

/** `And so is the other`, without its own predicate, about what the sentence excludes. */
const ellipses: Rule = (claim, { statement }) => {
  if (claim.parts.some(({ role }) => role === "predicate") || claim.marks.negation !== undefined) return null;
  const segments = bestSegments(claim, statement);
  const denied = statement.parts.filter((part) => segments.has(part.segment) && isStance(part) && part.sign < 0);
  return denied.length > 0 && !claim.parts.some(({ span }) => span === "exception")
    ? conflict("too_broad", [], words(statement, denied))
    : null;
};

/** The rules on the breadth of a claim, in order of application. Used by `judgeStatement`. */
export const breadth: readonly Rule[] = [
  universals,
  exclusivity,
  periods,
  modals,
  lists,
  generalisedNegations,
  omittedHeads,
  modifiers,
  anchors,
  directions,
  mergedStatements,
  ellipses,
];
