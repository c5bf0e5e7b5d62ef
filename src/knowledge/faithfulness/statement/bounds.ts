import { isLight, type MarkClass, markOf, phraseAt } from "../../language/statement-words.ts";
import type { CalendarDate, Lexeme, Quantity } from "./lex.ts";
import type { Mark } from "./periods.ts";

/** Bounds of amounts and dates: `at most 30 days`, `until 5 May`, `not older than 30 days`. */

interface Bounded {
  quantity: Quantity | null;
  date: CalendarDate | null;
}

const bounds = new Set<MarkClass>(["bound", "bound-after"]);

/** Returns how far a mark's number may be from it: `a turnover of 5,000`, `einem Umsatz von 5.000`. */
export const stepsFrom = (lexemes: readonly Lexeme[], at: number): number[] =>
  /^(?:of|von)$/.test(lexemes[at + 2]?.form ?? "") ? [0, 1, 2, 3] : [0, 1, 2];

/** Comparative bounds: negated, they bound the other side. */
const comparing =
  /^(?:over|above|more|exceed|older|under|below|less|fewer|younger|nad|pres|vice|viac|starsi|pod|mene|mladsi|uber|mehr|alter|unter|weniger|junger|powyzej|ponad|wiecej|starsz|ponizej|mniej|mlodsz|tobb|kevesebb|presah|prevys|uberst|przekr)/;
const mostBetween = 2;

/** Joins a negation and a comparative into one bound, which negates nothing else: `not older than 30 days`. */
export function withDeniedBounds(marks: readonly Mark[], lexemes: readonly Lexeme[], language: string): Mark[] {
  const joined: Mark[] = [];
  for (const mark of marks) {
    const before = joined.at(-1);
    const between = before === undefined ? [] : lexemes.slice(before.at + before.length, mark.at);
    const isDenied =
      before?.class === "negation" &&
      mark.class === "bound" &&
      comparing.test(lexemes[mark.at]?.form ?? "") &&
      between.length <= mostBetween &&
      between.every(({ form, cut }) => !cut && isLight(form, language)) &&
      !lexemes[mark.at]?.cut;
    if (before === undefined || !isDenied) joined.push(mark);
    else {
      const value = mark.value === "min" ? "max" : "min";
      joined[joined.length - 1] = { ...mark, at: before.at, length: mark.at + mark.length - before.at, value };
    }
  }
  return joined;
}

/** Sets the direction of dates and the bound of quantities from the words before and after them. */
export function setBounds(drafts: Bounded[], marks: readonly Mark[], lexemes: readonly Lexeme[]): void {
  for (const mark of marks) {
    if (!bounds.has(mark.class)) continue;
    const isAfter = mark.class === "bound-after";
    const near = isAfter
      ? [1, 2].map((step) => mark.at - step)
      : stepsFrom(lexemes, mark.at + mark.length).map((step) => mark.at + mark.length + step);
    const draft = near.map((i) => drafts[i]).find((one) => one?.quantity != null);
    if (draft?.quantity != null) draft.quantity = { ...draft.quantity, bound: mark.value === "min" ? "min" : "max" };
  }
  for (const [at, draft] of drafts.entries()) {
    if (draft.date === null) continue;
    const way =
      phraseAt(
        "way",
        lexemes.map(({ form }) => form),
        at - 1,
      )?.value ??
      markOf("way", lexemes[at - 2]?.form ?? "") ??
      null;
    draft.date = { ...draft.date, way };
  }
}
