import { type SearchLanguage, searchLanguageOf } from "../../../knowledge/language/languages.ts";
import { phraseAt } from "../../../knowledge/language/statement-words.ts";
import { stem } from "../../../knowledge/language/stem.ts";
import { fold } from "../../../platform/text.ts";
import { isAspect } from "./question.ts";
import type { Sentence } from "./sentences.ts";
import { type Key, keysOf, likeness, numbersOf } from "./words.ts";

/** A number with its unit and its kinds: a limit, a deductible, a waiting period. None if the sentence does not say. */
interface Amount {
  readonly value: number;
  readonly unit: string;
  readonly aspects: readonly Key[];
}

const limit: Key = { stem: stem("limit", "en"), form: "limit" };

/** Returns whether words say that what follows is a maximum: "up to", "jen do". */
function isBounded(clause: string): boolean {
  const forms = fold(clause).match(/\p{L}+/gu) ?? [];
  return forms.some((_, at) => phraseAt("bound", forms, at)?.value === "max");
}

/** Returns the amounts of a sentence. The kind named in one clause applies to the next, until one names another. */
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

/** Returns whether two amounts may be about one thing: a limit and a deductible both hold. */
const areComparable = (a: Amount, b: Amount): boolean =>
  a.unit === b.unit &&
  (a.aspects.length === 0 ||
    b.aspects.length === 0 ||
    a.aspects.some((one) => b.aspects.some((other) => likeness(one, other) > 0)));

/** Returns whether some amount is comparable with others and equal to none of them. */
const hasOther = (some: readonly Amount[], others: readonly Amount[]): boolean =>
  some.some((one) => {
    const compared = others.filter((other) => areComparable(one, other));
    return compared.length > 0 && compared.every(({ value }) => value !== one.value);
  });

/**
 * Returns whether two sentences on one matter give different amounts. If one has all amounts of the other, it says more
 * about other cases and does not contradict it: "5 %, at theft 10 %" and "at theft 10 %".
 */
export function differInAmounts(a: Sentence, b: Sentence): boolean {
  const [first, second] = [amountsOf(a), amountsOf(b)];
  return hasOther(first, second) && hasOther(second, first);
}

/** Returns the first four letters of the units of a sentence's amounts. A shared unit is no shared matter. */
export const unitsOf = (sentence: Sentence): ReadonlySet<string> =>
  new Set(amountsOf(sentence).map(({ unit }) => unit));
