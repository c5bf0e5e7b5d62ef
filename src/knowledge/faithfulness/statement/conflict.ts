import type { CalendarDate } from "./lex.ts";
import { type Evidence, isContent, isSame, isSameQuantity } from "./match.ts";
import type { Part, Statement } from "./read.ts";

/** How the sources contradict a claim. `said` are words of the claim, `instead` those of the closest sentence. */
export interface Conflict {
  readonly rule:
    | "number_differs"
    | "number_missing"
    | "unit_differs"
    | "date_differs"
    | "negation_differs"
    | "actor_differs"
    | "condition_dropped"
    | "qualifier_dropped"
    | "exception_denied"
    | "too_broad"
    | "bound_differs"
    | "case_differs"
    | "number_elsewhere"
    | "name_missing";
  readonly said: readonly string[];
  readonly instead: readonly string[];
}

/** Returns parts as their text spells them, without duplicates. */
export const words = (statement: Statement, parts: readonly Part[]): string[] => [
  ...new Set(parts.map(({ start, end }) => statement.text.slice(start, end))),
];

/**
 * One way in which a claim may contradict a sentence; returns null if it does not. `answer` is the whole answer, which,
 * like the question, may keep what the claim leaves out.
 */
export type Rule = (claim: Statement, evidence: Evidence, answer: Statement, question: Statement) => Conflict | null;

/** Returns a conflict with the first words of either side. */
export const conflict = (
  rule: Conflict["rule"],
  said: readonly string[],
  instead: readonly string[] = [],
): Conflict => ({
  rule,
  said: said.slice(0, 4),
  instead: instead.slice(0, 4),
});

/** Checks whether one date says no more than another. */
export const isPartOf = (said: CalendarDate, held: CalendarDate): boolean =>
  said.month === held.month &&
  (said.day === null || said.day === held.day) &&
  (said.year === null || said.year === held.year) &&
  (said.way === null || held.way === null || said.way === held.way);

/** Returns the unit of a part's amount, `date` for a date, and an empty string for a bare number; null for a word. */
export const amountOf = (part: Part): string | null =>
  part.date === null ? (part.quantity === null ? null : (part.quantity.measure ?? "")) : "date";

/**
 * Checks whether two parts are the same amount or date. 300 euros do not equal 300 months, as which 25 years are
 * counted.
 */
export function isEqualAmount(one: Part, other: Part): boolean {
  if (one.date !== null && other.date !== null) return isPartOf(one.date, other.date);
  if (one.quantity === null || other.quantity === null) return false;
  const [measure, held] = [one.quantity.measure, other.quantity.measure];
  return (measure === null || held === null || measure === held) && isSameQuantity(one.quantity, other.quantity);
}

/** Checks whether a part says that something is covered or excluded. */
export const isStance = ({ role, concept }: Part): boolean => role === "predicate" && concept === "cover";

/** Returns the segments of a sentence that share most words with a claim. */
export function bestSegments(claim: Statement, statement: Statement): Set<number> {
  const counts = new Map<number, number>();
  for (const part of statement.parts)
    if (isContent(part) && !isStance(part) && claim.parts.some((other) => isContent(other) && isSame(other, part)))
      counts.set(part.segment, (counts.get(part.segment) ?? 0) + 1);
  const most = Math.max(0, ...counts.values());
  return new Set([...counts].filter(([, count]) => count === most).map(([segment]) => segment));
}
