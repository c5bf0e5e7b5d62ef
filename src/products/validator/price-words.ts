import { detectSearchLanguage } from "../../knowledge/language/detect.ts";
import cs from "./data/price.cs.json";
import de from "./data/price.de.json";
import en from "./data/price.en.json";
import pl from "./data/price.pl.json";
import sk from "./data/price.sk.json";
import { type Language, type Structure, structures } from "./words.ts";

export type Period = "day" | "week" | "month" | "year" | "once";

/** A stated period and the number of payments in it: quarterly is 4 times a year. */
export interface Said {
  readonly period: Period;
  readonly times: number;
}

type Numbers = Readonly<Record<string, number>>;
type Named = "rates" | "often" | "ordinals" | "numerals";

/**
 * The words for prices in a language, in data files of one shape. `rates` lists period words by payments a year. `per`
 * may be followed by any unit, `single` only by a listed one: `measures`, whose quantity is unknown, or `pieces`.
 */
export type PriceLists = Omit<typeof en, Named> & {
  readonly rates: Readonly<Record<string, readonly string[]>>;
  readonly often: Numbers;
  readonly ordinals: Numbers;
  readonly numerals: Numbers;
};
const priceLists: Readonly<Record<Language | "pl", PriceLists>> = { en, cs, sk, de, pl };

/** One language's words for the parts of a price. */
export interface PriceWords {
  readonly lists: PriceLists;
  readonly structure: Pick<
    Structure,
    "bounds" | "limits" | "joins" | "modals" | "acquires" | "prepositions" | "determiners" | "repeats"
  >;
  readonly numerals: Numbers;
  /** The periods with their words, and all of those words. */
  readonly named: readonly (Said & { readonly words: readonly string[] })[];
  readonly periods: readonly string[];
}

const namedIn = ({ rates, periods }: PriceLists): PriceWords["named"] => [
  ...Object.entries(rates).map(([rate, words]) => ({ period: "year" as const, times: Number(rate), words })),
  ...Object.entries(periods).map(([period, words]) => ({ period: period as Period, times: 1, words })),
];

function wordsIn(language: Language | "pl", structure: Language): PriceWords {
  const lists = priceLists[language];
  const named = namedIn(lists);
  return {
    lists,
    structure: structures[structure],
    numerals: { ...(language === "pl" ? {} : structures[structure].numerals), ...lists.numerals },
    named,
    periods: named.flatMap(({ words }) => words),
  };
}

const wordsOf: Readonly<Record<Language | "pl", PriceWords>> = {
  en: wordsIn("en", "en"),
  cs: wordsIn("cs", "cs"),
  sk: wordsIn("sk", "sk"),
  de: wordsIn("de", "de"),
  pl: wordsIn("pl", "en"),
};

/** Returns the words for periods in a language. */
export const periodWords = (language: Language): readonly string[] => wordsOf[language].periods;

/** Returns the price words for a text. Polish hypotheses are read as English except for their prices. */
export const priceWordsFor = (text: string, language: Language): PriceWords =>
  wordsOf[language === "en" && detectSearchLanguage(text) === "pl" ? "pl" : language];
