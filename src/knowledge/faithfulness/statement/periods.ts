import { conceptsOf, type MarkClass, markOf } from "../../language/statement-words.ts";
import type { Lexeme } from "./lex.ts";

/** A word or phrase that bounds, negates or quantifies, by its index among the lexemes. */
export interface Mark {
  readonly class: MarkClass;
  readonly value: string;
  readonly at: number;
  readonly length: number;
}

/** Names of the units of time, by the multiple of the base unit that they stand for. */
export const periodNames = new Map([
  ["day 1", "day"],
  ["day 7", "week"],
  ["month 1", "month"],
  ["month 3", "quarter"],
  ["month 6", "half-year"],
  ["month 12", "year"],
]);

/** Checks whether a word follows one that means each: `a week`, but not `within a week`. */
export const isEach = (lexemes: readonly Pick<Lexeme, "form">[], at: number): boolean => {
  const [beforeThat, before] = [lexemes[at - 2]?.form ?? "", lexemes[at - 1]?.form ?? ""];
  // `After a year` marks a start, `within a week` an end.
  const isMoment = /^(?:from|after)$/.test(markOf("way", beforeThat) ?? "");
  return (
    markOf("each", before) !== undefined && !isMoment && !(before.length < 4 && markOf("bound", beforeThat) === "max")
  );
};

/** Returns the units per which amounts are given: `per month`, `na osobu`, `je Schadenfall`. */
export function periodsOf(lexemes: readonly Lexeme[], marks: readonly Mark[]): string[] {
  const adverbs = marks.filter(({ class: wanted }) => wanted === "per").map(({ value }) => value);
  const hasNumber = lexemes.some(({ quantity }) => quantity !== null);
  const each = lexemes.flatMap(({ form, quantity }, at) => {
    if (quantity !== null || !hasNumber || !isEach(lexemes, at)) return [];
    const time = periodNames.get(markOf("time", form) ?? "");
    if (time !== undefined && lexemes[at + 1]?.quantity == null) return [time];
    const [concept] = conceptsOf(form);
    return concept?.value === "person" || concept?.value === "event" ? [concept.value] : [];
  });
  return [...adverbs, ...each];
}
