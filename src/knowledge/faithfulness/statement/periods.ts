import { conceptsOf, type MarkClass, markOf } from "../../language/statement-words.ts";
import type { Lexeme } from "./lex.ts";

/** A word or phrase that bounds, negates or quantifies, by its place among the lexemes. */
export interface Mark {
  readonly class: MarkClass;
  readonly value: string;
  readonly at: number;
  readonly length: number;
}

/** The names of measures of time, by what one of them is counted in. */
export const periodNames = new Map([
  ["day 1", "day"],
  ["day 7", "week"],
  ["month 1", "month"],
  ["month 3", "quarter"],
  ["month 6", "half-year"],
  ["month 12", "year"],
]);

/** Whether a word stands behind one that means each: `a week`, but not \`within a week\`. */
export const isEach = (lexemes: readonly Pick<Lexeme, "form">[], at: number): boolean => {
  const [beforeThat, before] = [lexemes[at - 2]?.form ?? "", lexemes[at - 1]?.form ?? ""];
  // `After a year` begins, `within a week` ends.
  const isMoment = /^(?:from|after)$/.test(markOf("way", beforeThat) ?? "");
  return (
    markOf("each", before) !== undefined && !isMoment && !(before.length < 4 && markOf("bound", beforeThat) === "max")
  );
};

/** What amounts are given for each of: `per month`, `na osobu`, `je Schadenfall`. */
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
