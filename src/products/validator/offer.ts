import { afterFillers, type Clause, type Span } from "./clauses.ts";
import { isAboutMoney } from "./evidence.ts";
import type { Money } from "./price.ts";
import { periodWords } from "./price-words.ts";
import type { Unit } from "./roles.ts";
import { isDative, type Worded } from "./subject.ts";
import { findIn, matchAt } from "./words.ts";

/** An offer's span, and whether it is certain. */
export interface Offer extends Span {
  readonly isSure: boolean;
}

const moneyAt = ({ amounts }: Worded, at: number): Money | undefined => amounts[at];

/** Skips pronouns, datives such as `im`, and the writers' own verbs at the start of an offer. */
function afterPronouns(reading: Worded, from: number, to: number): number {
  const { tokens, structure } = reading;
  let at = from;
  const isGiven = () => isDative(reading, at) || (at + 1 < to && isDative(reading, at + 1));
  while (
    at < to &&
    (matchAt(tokens, at, structure.pronouns) > 0 || matchAt(tokens, at, structure.datives) > 0 || isGiven())
  )
    at += 1;
  return at;
}

/** Returns the end of an offer: the end of its clause and of the relative clauses after it, but before its price. */
function endOf(reading: Worded, from: number, clauses: readonly Clause[]): number {
  const { tokens, structure } = reading;
  const at = clauses.findIndex((clause) => clause.from <= from && from < clause.to);
  let last = at;
  while (clauses[last + 1]?.opener === "relative") last += 1;
  let to = clauses[last]?.to ?? from;
  for (let i = from + 1; i < to; i++) {
    if (!moneyAt(reading, i)) continue;
    to = i;
    while (to > from + 1 && matchAt(tokens, to - 1, structure.prepositions) > 0) to -= 1;
    while (to > from + 1 && matchAt(tokens, to - 1, structure.determiners) > 0) to -= 1;
    while (to > from + 1 && matchAt(tokens, to - 1, structure.pays) > 0) to -= 1;
  }
  return to;
}

/** Returns the position after a price, its period and the preposition of what it pays for. */
function afterPrice(reading: Worded, from: number, clause: Clause): number {
  const { tokens, structure, language } = reading;
  let at = from;
  const periods = periodWords(language);
  let through = 0;
  const skipped = [structure.prepositions, structure.determiners, structure.benefits, periods];
  const isSkipped = (place: number) =>
    moneyAt(reading, place) !== undefined ||
    (tokens[place]?.start ?? 0) < through ||
    skipped.some((list) => matchAt(tokens, place, list) > 0);
  while (at < clause.to) {
    through = Math.max(through, moneyAt(reading, at)?.through ?? 0);
    // `for a school year`
    const isPast = isSkipped(at) || (at > from && matchAt(tokens, at + 1, periods) > 0);
    if (!isPast) break;
    at += 1;
  }
  return at;
}

const holdsMoney = (reading: Worded, from: number, to: number): boolean => {
  for (let at = from; at < to; at++) if (moneyAt(reading, at)) return true;
  return false;
};

/** Returns the start of what a price pays for, after a word such as `for`: `3 EUR a week for phone insurance`. */
function paidFor(reading: Worded, clause: Clause): number | null {
  const { tokens, structure } = reading;
  for (let at = clause.from; at < clause.to; at++) {
    if (!moneyAt(reading, at)) continue;
    const start = afterPrice(reading, at, clause);
    for (let back = at + 1; back < start; back++)
      if (matchAt(tokens, back, structure.paidfor) > 0 && isThing(reading, start, clause.to)) return start;
    return null;
  }
  return null;
}

/** Whether the rest of a clause after a verb is a thing rather than a place, a time or a price. */
function isThing(reading: Worded, at: number, to: number): boolean {
  const { tokens, structure } = reading;
  if (at >= to || moneyAt(reading, at)) return false;
  return [structure.prepositions, structure.joins].every((list) => matchAt(tokens, at, list) === 0);
}

/** Whether the noun is the agent: `... is arranged by their adviser`, in languages that put the agent last. */
function isSeller({ tokens, structure, language }: Worded, at: number, to: number): boolean {
  if (language === "en" || language === "de") return false;
  const first = at + (matchAt(tokens, at, structure.determiners) > 0 ? 1 : 0);
  const isLast = first + 1 >= to || matchAt(tokens, first + 1, structure.prepositions) > 0;
  return isLast && Object.values(structure.ways).some((list) => matchAt(tokens, first, list) > 0);
}

/** Returns the start of the object of a verb of providing, acquiring or paying in the clause. */
function afterVerb(reading: Worded, clause: Clause): number | null {
  const { tokens, structure } = reading;
  for (const list of [structure.provides, structure.acquires, structure.pays]) {
    for (let at = findIn(tokens, list, clause.from, clause.to); at >= 0; at = findIn(tokens, list, at + 1, clause.to)) {
      let start = afterPronouns(reading, at + matchAt(tokens, at, list), clause.to);
      const priced = afterPrice(reading, start, clause);
      if (holdsMoney(reading, start, priced)) start = priced;
      if (isThing(reading, start, clause.to) && !isSeller(reading, start, clause.to)) return start;
    }
  }
  return null;
}

/** Whether a clause only gives the price or the channel and names no offer before it. */
function isOnlyPrice(reading: Worded, clause: Clause): boolean {
  const { tokens, structure } = reading;
  const from = afterFillers(reading, clause);
  const start = afterPronouns(reading, from, clause.to);
  if (clause.label === "price" || clause.label === "channel") return true;
  if (moneyAt(reading, start)) return afterPrice(reading, start, clause) >= clause.to;
  const begins =
    matchAt(tokens, start, structure.pays) > 0 ||
    (isAboutMoney(reading, clause) && start > from && afterVerb(reading, clause) === null);
  return begins && afterVerb(reading, clause) === null;
}

/** Returns the start of what someone would pay for, if only the payer and the verb come before the price. */
function paidBy(reading: Worded, clause: Clause): number | null {
  const { tokens, structure } = reading;
  const isPaid = [structure.pays, structure.acquires].some((list) => findIn(tokens, list, clause.from, clause.to) >= 0);
  return isPaid ? paidFor(reading, clause) : null;
}

const writers = /^(?:we|i|wir|ich)(?:'|$)/;

/** Returns the position after `we will`, its verb and its recipient. No word list covers what the writers may do. */
function afterOurs(reading: Worded, from: number, to: number): number | null {
  const { tokens, structure } = reading;
  if (!writers.test(tokens[from]?.word ?? "")) return null;
  let verb = from + 1;
  while (verb < to && (matchAt(tokens, verb, structure.modals) > 0 || matchAt(tokens, verb, structure.ours) > 0))
    verb += 1;
  const start = afterPronouns(reading, verb + 1, to);
  return isThing(reading, start, to) ? start : null;
}

/** Returns where the offer starts in a clause. */
function startOf(reading: Worded, clause: Clause): number {
  const { tokens, structure } = reading;
  const from = afterFillers(reading, clause);
  const begins = from + (matchAt(tokens, from, structure.pays) > 0 ? 1 : 0);
  const priced = afterPrice(reading, begins, clause);
  if (holdsMoney(reading, begins, priced)) return priced;
  const found = paidBy(reading, clause) ?? afterVerb(reading, clause) ?? afterOurs(reading, from, clause.to);
  if (found !== null) return found;
  return matchAt(tokens, from, structure.prepositions) > 0 && from + 2 < clause.to ? from + 1 : from;
}

/** Returns the offer of one unit. */
function offerOf(reading: Worded, unit: Unit): Span | null {
  const clauses = unit.clauses.filter((clause) => !isOnlyPrice(reading, clause));
  const leads = clauses.find((clause) => holdsVerbOfOurs(reading, clause)) ?? clauses[0];
  if (!leads) return null;
  const from = startOf(reading, leads);
  const to = endOf(reading, from, unit.clauses);
  return to > from ? { from, to } : null;
}

/** Whether the clause has a verb of providing with the writers as its subject. */
const holdsVerbOfOurs = ({ tokens, structure }: Worded, { from, to }: Clause): boolean =>
  findIn(tokens, structure.provides, from, to) >= 0 && findIn(tokens, structure.ours, from, to) >= 0;

/** Returns the offer from the first offer unit that states more than a price. */
export function offerIn(reading: Worded, units: readonly Unit[]): Offer | null {
  for (const unit of units) {
    if (unit.role !== "offer") continue;
    const found = offerOf(reading, unit);
    if (found) return { ...found, isSure: unit.isSure };
  }
  return null;
}
