import { fold } from "../../../platform/text.ts";
import { markOf } from "../../language/statement-words.ts";
import { amountOf, bestSegments, type Conflict, conflict, isEqualAmount, type Rule } from "./conflict.ts";
import { isContent, isSame } from "./match.ts";
import { isEach, periodNames } from "./periods.ts";
import type { Part, Statement } from "./read.ts";
import { clauseOf, containsPart } from "./restrictions.ts";

/** Qualifiers of a sentence that a claim drops: from when, how often, at least and at most. */

const isTime = ({ quantity }: Part): boolean => /^(?:workday|day|month|hour)$/.test(quantity?.measure ?? "");

/** Things that nearly every statement mentions: a segment of these alone has no content of its own. */
const general = new Set(["damage", "event", "payout", "amount", "contract", "period", "limit", "cost"]);
const isOwn = (part: Part): boolean => isContent(part) && part.span === null && !general.has(part.concept);

/** Returns a conflict for a dropped qualifier, from its first word to its last, as the sentence spells it. */
const dropped = ({ text, parts }: Statement, from: number, to: number): Conflict =>
  conflict("qualifier_dropped", [], [text.slice(parts[from]?.start, parts[to]?.end)]);

const isOne = ({ form }: Part): boolean => markOf("number", form) === "1";

/**
 * Returns the period or unit per which an amount is given at a word: `per year`, `za jednu událost`, `ročně`; null for
 * others.
 */
function periodAt({ parts, language }: Statement, at: number): { readonly name: string; readonly from: number } | null {
  const part = parts[at];
  // A unit of time without a number: `per policy year`.
  const isBare = part?.quantity === null || markOf("time", part?.form ?? "") !== undefined;
  if (part === undefined || !isBare) return null;
  const adverb = markOf("per", part.form);
  if (adverb !== undefined) return { name: adverb, from: at };
  const before = parts[at - 1];
  // `Per policy year`, `for each insured event`, `na jedno zdarzenie`
  const isBetween =
    before !== undefined && (before.role === "optional" || before.concept === "contract" || isOne(before));
  const noun = isBetween && isEach(parts, at - 1) ? at - 1 : at;
  const isArticle = language !== "en" && /^an?$/.test(parts[noun - 1]?.form ?? "");
  if (!isEach(parts, noun) || isArticle) return null;
  const unit = /^(?:person|event)$/.test(part.concept) ? part.concept : undefined;
  const name = periodNames.get(markOf("time", part.form) ?? "") ?? unit;
  return name === undefined ? null : { name, from: noun - 1 };
}

/** Checks whether an answer mentions a period, in whatever words. */
const mentionsPeriod = (answer: Statement, name: string): boolean =>
  answer.parts.some(
    ({ form, concept }, at) =>
      concept === name ||
      (name === "year" && concept === "annual") ||
      periodNames.get(markOf("time", form) ?? "") === name ||
      periodAt(answer, at)?.name === name,
  );

/** Returns the amount that a period follows or directly precedes: `do 5 000 Kč ročně`, `évente 5 000 euróig`. */
function amountBeside({ parts }: Statement, at: number): Part | undefined {
  const isNear = (other: Part) => amountOf(other) !== null && other.segment === parts[at]?.segment;
  const before = parts.slice(0, at).findLast(isNear);
  if (before !== undefined) return before;
  const after = parts.findIndex((other, i) => i > at && isNear(other));
  return after < 0 || parts.slice(at + 1, after).some(isOwn) ? undefined : parts[after];
}

/** `EUR 5,000 per year` is not `EUR 5,000`. A limit is per event unless the source says otherwise. */
const frequencies: Rule = (claim, { statement }, answer) => {
  for (const [at, part] of statement.parts.entries()) {
    const period = part.span === null ? periodAt(statement, at) : null;
    if (period === null || mentionsPeriod(answer, period.name)) continue;
    const isLimit = period.name === "event" && claim.parts.some(({ concept }) => concept === "limit");
    const amount = amountBeside(statement, at);
    const isSaid = amount !== undefined && claim.parts.some((other) => isEqualAmount(other, amount));
    if (isSaid && !isLimit) return dropped(statement, period.from, at);
  }
  return null;
};

/** When something begins to apply. */
interface Onset {
  /** Indices of its first and last part. */
  readonly from: number;
  readonly to: number;
  readonly part: Part;
  /** Time that passes before it: the second year begins after one. Null for a date. */
  readonly elapsed: string | null;
  readonly isOrdinal: boolean;
}

/** Words between `after` and its time that add nothing: `po uplynutí`, `after expiry of`, `the 2nd`. */
const lapse = /^(?:uplynuti|uplynutia|ablauf|uplywie|expiry|lapse|elapse|st|nd|rd|th)$/;
const hungarianFrom = /t[oe]l$/;
const hungarianAfter = /^(?:utan|elteltevel|kovetoen)$/;
const mostBefore = 6;

/** Returns what introduces a time, back to `from` or `after`: the direction, its index, and the ordinal in between. */
function leadOf(parts: readonly Part[], at: number) {
  let ordinal = 0;
  for (let from = at - 1; from >= Math.max(0, at - mostBefore); from -= 1) {
    const { form, quantity, concept, role } = parts[from] as Part;
    const way = markOf("way", form);
    if (way === "from" || way === "after") return { way, from, ordinal };
    const written = markOf("ordinal", form) ?? (quantity?.measure === null ? quantity.value : undefined);
    if (written !== undefined) ordinal = Number(written);
    else if (role !== "light" && concept !== "waiting" && concept !== "period" && !lapse.test(form)) break;
  }
  return { way: null, from: ordinal > 0 ? at - 1 : at, ordinal };
}

function onsetAt({ parts, text }: Statement, at: number): Onset | null {
  const part = parts[at];
  if (part === undefined || part.span !== null || !(isTime(part) || part.date !== null)) return null;
  // `Po dobu dvou let` means for that long, not after it.
  if (part.quantity?.bound === "max") return null;
  const lead = leadOf(parts, at);
  const written = text.slice(part.start, part.end);
  // Hungarian has it after the time: `három hónap után`, `a második évtől`.
  const isAfter = lead.way === null && hungarianAfter.test(parts[at + 1]?.form ?? "");
  const isBehind = lead.way === null && hungarianFrom.test(fold(written));
  if (lead.way === null && !isAfter && !isBehind) return null;
  const isFrom = isBehind || lead.way === "from";
  const { value = 0, count = 1, measure = "" } = part.quantity ?? {};
  // `Po roce` means after one year; `od dne, kdy` only gives the day from which something is counted.
  const isBare = lead.ordinal === 0 && part.quantity !== null && markOf("time", part.form) !== undefined;
  if (isBare && (isFrom || (measure === "day" && value === 1))) return null;
  // `Od 2. roku`
  const isNumbered = isFrom && part.quantity !== null && /^\d+\.\s*\p{L}/u.test(written);
  const rank = lead.ordinal > 0 ? lead.ordinal : isNumbered ? count : 0;
  const unit = value / count;
  return {
    from: lead.from,
    to: isAfter ? at + 1 : at,
    part,
    elapsed: part.date !== null ? null : `${rank === 0 ? value : unit * (isFrom ? rank - 1 : rank)} ${measure}`,
    isOrdinal: rank > 0,
  };
}

const onsetsOf = (statement: Statement): Onset[] => statement.parts.flatMap((_, at) => onsetAt(statement, at) ?? []);

/** Returns the parts of an onset's clause before it, from the last comma on. */
function clauseBefore({ parts, text }: Statement, { from }: Onset): Part[] {
  const start = parts.findLastIndex(
    (part, at) => at > 0 && at <= from && /[,;:–—]/.test(text.slice(parts[at - 1]?.end, part.start)),
  );
  return parts.slice(Math.max(0, start), from);
}

/**
 * Checks whether an onset applies to what the claim says: it is in the claim's segment, or in one next to it without
 * content of its own.
 */
function isAttached(claim: Statement, statement: Statement, onset: Onset): boolean {
  const { from, to, part } = onset;
  const clause = clauseBefore(statement, onset).filter(isOwn);
  // `Own claims at once, the employer's after three years`
  if (clause.length > 0 && !clause.some((one) => claim.parts.some((other) => isContent(other) && isSame(other, one))))
    return false;
  const best = bestSegments(claim, statement);
  if (best.size === 0 || best.has(part.segment)) return true;
  const isBare = !statement.parts.some(
    (one, at) => one.segment === part.segment && (at < from || at > to) && isOwn(one),
  );
  return isBare && [...best].some((one) => Math.abs(one - part.segment) === 1);
}

/**
 * Checks whether a claim says that something applies, unlike a past fact such as `opened after nine years`, which has
 * no onset.
 */
const holds = ({ parts }: Statement): boolean =>
  parts.some(({ role, quantity }) => role === "predicate" || (quantity !== null && quantity.measure !== null));

/** `Covered from the second year` and `after three months` are not `covered`. */
const onsets: Rule = (claim, { statement }, answer) => {
  if (!holds(claim)) return null;
  for (const onset of onsetsOf(statement)) {
    const isKept =
      (!onset.isOrdinal && answer.parts.some((part) => isEqualAmount(part, onset.part))) ||
      onsetsOf(answer).some(({ elapsed }) => elapsed !== null && elapsed === onset.elapsed);
    if (!isKept && isAttached(claim, statement, onset)) return dropped(statement, onset.from, onset.to);
  }
  return null;
};

/** `10 %, at least 5,000` is not `10 %`. A bound follows its amount, without another statement in between. */
const bounding: Rule = (claim, { statement }, answer) => {
  const { parts } = statement;
  for (const [at, part] of parts.entries()) {
    if (part.quantity?.bound == null || part.span !== null) continue;
    if (answer.parts.some((other) => isEqualAmount(other, part))) continue;
    const first = parts.slice(0, at).findLastIndex(({ quantity, span }) => quantity !== null && span === null);
    const bounded = parts[first];
    if (bounded === undefined || isTime(bounded) !== isTime(part)) continue;
    const between = parts.slice(first + 1, at);
    const isShare = bounded.quantity?.measure === "%";
    const isParted = between.some((one) => one.role === "predicate" || (!isShare && isOwn(one)));
    const isOther = part.segment !== bounded.segment && parts.some((one) => one.segment === part.segment && isOwn(one));
    if (isParted || isOther || !claim.parts.some((other) => isEqualAmount(other, bounded))) continue;
    const lead = parts.slice(first + 1, at).findIndex(({ role }) => role === "mark");
    return dropped(statement, lead < 0 ? at : first + 1 + lead, at);
  }
  return null;
};

/** Maximum number of parts. In the longer sentences of news, a contrast is a statement of its own. */
const mostParts = 24;

/** `Covered worldwide, in the USA however for six weeks` is not `covered worldwide`. */
const contrasts: Rule = (_claim, { statement }, answer) => {
  if (statement.parts.length > mostParts) return null;
  for (const [at, { form }] of statement.parts.entries()) {
    if (markOf("contrast", form) === undefined) continue;
    const clause = clauseOf(statement, at);
    const stated = statement.parts
      .slice(clause.from, clause.to + 1)
      .filter((part) => isContent(part) || amountOf(part) !== null);
    const kept = stated.filter((part) => containsPart(answer.parts, part)).length;
    if (clause.from > 0 && kept * 2 < stated.length) return dropped(statement, clause.from, clause.to);
  }
  return null;
};

/** The rules on dropped qualifiers. Used by `judgeStatement`. */
export const qualifiers: readonly Rule[] = [frequencies, onsets, bounding, contrasts];
