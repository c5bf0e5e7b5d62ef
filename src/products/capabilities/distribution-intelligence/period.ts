import { wordsOf } from "../../datasets/phrases.ts";
import { type AskedPeriod, periodIn } from "../../datasets/question-period.ts";

/** The month of a date with a year, which the words alone don't show: `01` to `12`. */
export function monthIn(question: string): string | null {
  const [, dotted, iso] =
    /\b\d{1,2}\.\s?(\d{1,2})\.\s?(?:19|20)\d\d\b|\b(?:19|20)\d\d-(\d\d)(?!\d)/.exec(question) ?? [];
  return (dotted ?? iso)?.padStart(2, "0") ?? null;
}

/** What stands before the only year of a question, its own word for a year left out. */
const bounds = {
  until: /\b(until|till|up to|bis|do|az do) ((roku|rok|ende|konce|konca) )?$/,
  before: /\b(before|prior to|vor|pred) ((rokem|rokom|dem jahr) )?$/,
  after: /\b(after|nach|po) ((roce|roku|dem jahr) )?$/,
};

/** The period of a question, with the sides of a year: up to it, before it, after it. `now` is what "last year" is counted from. */
export function askedPeriod(question: string, now: Date): AskedPeriod {
  const words = wordsOf(question);
  const period = periodIn(words, now);
  const { from: year, to } = period;
  if (year === null || year !== to || !words.includes(year)) return period;
  const before = `${words.slice(0, words.indexOf(year)).join(" ")} `;
  if (bounds.until.test(before)) return { from: null, to: year, change: false };
  if (bounds.before.test(before)) return { from: null, to: String(Number(year) - 1), change: false };
  if (bounds.after.test(before)) return { from: String(Number(year) + 1), to: null, change: true };
  return period;
}
