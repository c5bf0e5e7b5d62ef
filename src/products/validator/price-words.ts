import { detectSearchLanguage } from "../../knowledge/language/detect.ts";
import cs from "./data/price.cs.json";
import de from "./data/price.de.json";
import en from "./data/price.en.json";
import pl from "./data/price.pl.json";
import sk from "./data/price.sk.json";
import { type Language, type Structure, structures } from "./words.ts";

export type Period = "day" | "week" | "month" | "year" | "once";

/** A period as it is said: so many times a price are paid in one. Of a quarter of a year, 4 times in a year. */
export interface Said {
  readonly period: Period;
  readonly times: number;
}

type Numbers = Readonly<Record<string, number>>;
type Named = "rates" | "often" | "ordinals" | "numerals";

/**
 * What prices are named by in a language: data files of one shape. `rates`: words for periods by how many there are in a
 * year; `per` leads to whatever a price is for one of, `single` only to what is listed: `measures`, of which one says
 * nothing, and `pieces`.
 */
export type PriceLists = Omit<typeof en, Named> & {
  readonly rates: Readonly<Record<string, readonly string[]>>;
  readonly often: Numbers;
  readonly ordinals: Numbers;
  readonly numerals: Numbers;
};
const priceLists: Readonly<Record<Language | "pl", PriceLists>> = { en, cs, sk, de, pl };

/** Words of one language for what a price is made of. */
export interface PriceWords {
  readonly lists: PriceLists;
  readonly structure: Pick<
    Structure,
    "bounds" | "limits" | "joins" | "modals" | "acquires" | "prepositions" | "determiners" | "repeats"
  >;
  readonly numerals: Numbers;
  /** What is said of a period, with the words for it; and all these words. */
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

/** The words for periods in a language that hypotheses are read in. */
export const periodWords = (language: Language): readonly string[] => wordsOf[language].periods;

/** The words for the prices of a text. A hypothesis in Polish is read in English, but for its prices. */
export const priceWordsFor = (text: string, language: Language): PriceWords =>
  wordsOf[language === "en" && detectSearchLanguage(text) === "pl" ? "pl" : language];
