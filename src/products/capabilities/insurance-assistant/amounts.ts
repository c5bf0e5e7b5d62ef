import { type SearchLanguage, searchLanguageOf } from "../../../knowledge/language/languages.ts";
import { phraseAt } from "../../../knowledge/language/statement-words.ts";
import { stem } from "../../../knowledge/language/stem.ts";
import { fold } from "../../../platform/text.ts";
import { isAspect } from "./question.ts";
import type { Sentence } from "./sentences.ts";
import { type Key, keysOf, likeness, numbersOf } from "./words.ts";

/** A number with its unit, and what it is: a limit, a deductible, a waiting period. Empty where the sentence says nothing of it. */
interface Amount {
  readonly value: number;
  readonly unit: string;
  readonly aspects: readonly Key[];
}

const limit: Key = { stem: stem("limit", "en"), form: "limit" };

/** Whether words say that what follows is the most: "up to", "jen do". */
function isBounded(clause: string): boolean {
  const forms = fold(clause).match(/\p{L}+/gu) ?? [];
  return forms.some((_, at) => phraseAt("bound", forms, at)?.value === "max");
}

/** The amounts of a sentence. What the first of some clauses is about, the next are too, until one names something else. */
function amountsOf({ quote, found: { document } }: Sentence): readonly Amount[] {
  const language: SearchLanguage = searchLanguageOf(document.language) ?? "en";
  let aspects: readonly Key[] = [];
  return quote.split(/[,;.]\s/).flatMap((clause) => {
    const named = [...keysOf(clause, language).values()].filter(({ form }) => isAspect(form));
    if (named.length > 0) aspects = named;
    else if (aspects.length === 0 && isBounded(clause)) aspects = [limit];
    const own = aspects;
    return numbersOf(clause, language).map((number) => ({ ...number, aspects: own }));
  });
}

/** Whether two amounts may be of one thing: a limit and a deductible both hold. */
const areComparable = (a: Amount, b: Amount): boolean =>
  a.unit === b.unit &&
  (a.aspects.length === 0 ||
    b.aspects.length === 0 ||
    a.aspects.some((one) => b.aspects.some((other) => likeness(one, other) > 0)));

/** Whether some amounts have one that the others have another in the place of. */
const hasOther = (some: readonly Amount[], others: readonly Amount[]): boolean =>
  some.some((one) => {
    const compared = others.filter((other) => areComparable(one, other));
    return compared.length > 0 && compared.every(({ value }) => value !== one.value);
  });

/**
 * Whether two sentences of one matter give different amounts. Where one of them has all that the other has, it says more,
 * of other cases, and nothing against it: "5 %, at theft 10 %" and "at theft 10 %".
 */
export function differInAmounts(a: Sentence, b: Sentence): boolean {
  const [first, second] = [amountsOf(a), amountsOf(b)];
  return hasOther(first, second) && hasOther(second, first);
}

/** The units of a sentence's amounts, by their first four letters: they are no matter that two sentences share. */
export const unitsOf = (sentence: Sentence): ReadonlySet<string> =>
  new Set(amountsOf(sentence).map(({ unit }) => unit));
