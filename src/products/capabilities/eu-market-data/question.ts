import { detectSearchLanguage } from "../../../knowledge/language/detect.ts";
import { Phrases, wordsOf } from "../../datasets/phrases.ts";
import { askedPlace } from "../../datasets/places.ts";
import { type AskedPeriod, periodIn } from "../../datasets/question-period.ts";
import countriesText from "./countries.tsv" with { type: "text" };
import cluesText from "./language-clues.tsv" with { type: "text" };
import type { EuMarketDataInput } from "./schema.ts";
import termsText from "./terms.tsv" with { type: "text" };
import { type AnswerLanguage, answerLanguages, type Topic, topics } from "./titles.ts";
import topicsText from "./topics.tsv" with { type: "text" };

/** What a question asks for. */
export interface AskedQuestion {
  readonly language: AnswerLanguage;
  /** Concepts of `concepts.tsv`, and codes of imported tables. */
  readonly concepts: readonly string[];
  /** What is asked for and never held, by its name. */
  readonly topics: readonly Topic[];
  /** Concepts that were asked for per head, and have no such figure. */
  readonly notPerHead: readonly string[];
  /** ISO 3166-1 alpha-2: those of the input, then those that the question names. */
  readonly countries: readonly string[];
  readonly period: AskedPeriod;
  readonly lowestFirst: boolean;
}

const eu27 = "AT BE BG HR CY CZ DK EE FI FR DE GR HU IE IT LV LT LU MT NL PL PT RO SK SI ES SE".split(" ");
const groups: Readonly<Record<string, readonly string[]>> = {
  EU27: eu27,
  V4: ["CZ", "HU", "PL", "SK"],
  DACH: ["AT", "CH", "DE"],
  BENELUX: ["BE", "LU", "NL"],
  NORDICS: ["DK", "FI", "IS", "NO", "SE"],
  BALTICS: ["EE", "LT", "LV"],
};

const terms = new Phrases(termsText);
const places = new Phrases(countriesText);
// The phrases are in the last column.
const subjects = new Phrases(
  topicsText.replace(
    /^(?!#)(.+)\t([^\t]+)$/gm,
    (_, names: string, phrases: string) => `${names.split("\t")[0]}\t${phrases}`,
  ),
);

const lowest =
  /^(lowest|smallest|least|fewest|nejnizsi|nejmensi|nejmene|najnizsi\w*|najmensi\w*|najmenej|niedrigst\w*|kleinst\w*|wenigst\w*)$/;

/** Shares of the population, in whose names the population itself is mentioned. */
const shares = ["share_elderly", "share_children", "share_working_age", "urban_share", "internet_users"];
const plain = [
  ...["unemployment_rate", "median_age", "share_elderly", "share_children", "share_working_age", "urban_share"],
  ...["internet_users", "gini", "income_share_lowest", "income_share_highest", "household_size", "households"],
];

/** What a question about insurance asks for: premiums, or their share of GDP or of each inhabitant. */
function insuranceIn(named: ReadonlySet<string>): string[] {
  const perGdp =
    named.has("penetration") ||
    (named.has("share_of_gdp") && (named.has("premiums") || named.has("life") || named.has("nonlife")));
  if (perGdp) {
    const kinds = ["life", "nonlife"].filter((kind) => named.has(kind));
    return kinds.length === 0 ? ["insurance_penetration"] : kinds.map((kind) => `insurance_penetration_${kind}`);
  }
  if (named.has("density") || (named.has("premiums") && named.has("per_head"))) return ["insurance_density"];
  return named.has("premiums") ? ["insurance_premiums"] : [];
}

/** The concepts that the terms of a question come to, and those that it asks for per head in vain. */
function conceptsOf(named: ReadonlySet<string>): { concepts: string[]; notPerHead: string[] } {
  const insurance = insuranceIn(named);
  const perHead = named.has("per_head");
  const gdp = named.has("gdp") && !(named.has("share_of_gdp") && insurance.length > 0);
  const own = plain.filter((concept) => named.has(concept));
  const onlyShare = shares.some((share) => named.has(share));
  const concepts = [
    ...(named.has("population") && !onlyShare ? ["population"] : []),
    ...(gdp && !perHead ? ["gdp"] : []),
    ...((gdp && perHead) || named.has("rich") ? ["gdp_per_head"] : []),
    ...own,
    ...insurance,
  ];
  const isServed = gdp || insurance.includes("insurance_density");
  return { concepts, notPerHead: perHead && !isServed ? concepts : [] };
}

/** Beginnings of words that one of Czech and Slovak has, and not the other. */
const clues = cluesText
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"))
  .map((line) => line.split("\t"))
  .map(([language = "", words = ""]) => ({ language, words: words.split("|") }));

/** The question's language where an answer can be in it, else English. A few words may have none that decides. */
function languageOf(question: string): AnswerLanguage {
  const found = detectSearchLanguage(question);
  if (found !== "cs" && found !== "sk") return answerLanguages.find((language) => language === found) ?? "en";
  const words =
    question
      .normalize("NFC")
      .toLowerCase()
      .match(/\p{L}+/gu) ?? [];
  const score = (language: string): number => {
    const own = clues.find((one) => one.language === language)?.words ?? [];
    return words.filter((word) => own.some((clue) => word.startsWith(clue))).length;
  };
  const [czech, slovak] = [score("cs"), score("sk")];
  return czech === slovak ? found : czech > slovak ? "cs" : "sk";
}

/** Understands a question. `codes` are those of the imported tables, which may be asked for by name. */
export function understand(input: EuMarketDataInput, codes: readonly string[], now: Date): AskedQuestion {
  const words = wordsOf(input.question);
  const matches = terms.in(words);
  const { concepts, notPerHead } = conceptsOf(new Set(matches.map(({ entry }) => entry)));
  // `nama_10_gdp` is one word here; folding keeps its underscores out of the others.
  const asWritten = new Set(input.question.toLowerCase().match(/[\w.]+/g) ?? []);
  const named = places.in(words).flatMap(({ entry }) => groups[entry] ?? [entry]);
  const subjectNames = new Set(subjects.in(words).map(({ entry }) => entry));
  return {
    language: languageOf(input.question),
    concepts: [...concepts, ...codes.filter((code) => asWritten.has(code.toLowerCase()))],
    topics: topics.filter(({ en }) => subjectNames.has(en)),
    notPerHead,
    countries: [...new Set([...input.countries.map(askedPlace), ...named])],
    period: periodIn(words, now),
    lowestFirst: words.some((word) => lowest.test(word)),
  };
}
