import { countriesIn } from "../../datasets/country-words.ts";
import { longestOf, Phrases, wordsOf, writtenWordsOf } from "../../datasets/phrases.ts";
import { askedPlace } from "../../datasets/places.ts";
import { type AnswerLanguage, languageOf } from "../../datasets/question-language.ts";
import { type AskedPeriod, periodIn } from "../../datasets/question-period.ts";
import countriesText from "./countries.tsv" with { type: "text" };
import regionsText from "./regions.tsv" with { type: "text" };
import type { EuMarketDataInput } from "./schema.ts";
import termsText from "./terms.tsv" with { type: "text" };
import { askedUnits, phrasesOf, regions, type Topic, topics, unitPhrases } from "./titles.ts";
import topicsText from "./topics.tsv" with { type: "text" };

/** What a question asks for. */
export interface AskedQuestion {
  readonly language: AnswerLanguage;
  /** Concepts of `concepts.tsv`, and codes of imported tables. */
  readonly concepts: readonly string[];
  /** What is asked for and never held, by its name. */
  readonly topics: readonly Topic[];
  /** Parts of countries that it names: every figure is a whole country's. */
  readonly regions: readonly Topic[];
  /** Concepts that were asked for per head, and have no such figure. */
  readonly notPerHead: readonly string[];
  /** Units and prices that it asks for. */
  readonly units: readonly Topic[];
  /** ISO 3166-1 alpha-2: those of the input, then those that the question names. */
  readonly countries: readonly string[];
  readonly period: AskedPeriod;
  readonly lowestFirst: boolean;
}

/** A question that names its concepts and countries, and nothing else. */
export const nothingElse = { topics: [], regions: [], notPerHead: [], units: [] };

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
const subjects = phrasesOf(topicsText);
const parts = phrasesOf(regionsText);

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
  // Premiums of life or of other insurance alone are not those of both.
  const isPart = named.has("life") || named.has("nonlife");
  return named.has("premiums") && !isPart ? ["insurance_premiums"] : [];
}

/** What is a share of a group of people, or a count of households, is not asked for where these only say whose figure it is. */
function withoutGroups(concepts: readonly string[], asksTopic: boolean): string[] {
  const isOfGroup = asksTopic || concepts.some((concept) => concept !== "households");
  const known = isOfGroup ? concepts.filter((concept) => concept !== "households") : concepts;
  return known.includes("internet_users")
    ? known.filter((concept) => !shares.slice(0, 3).includes(concept))
    : [...known];
}

/** The concepts that the terms of a question come to, and those that it asks for per head in vain. */
function conceptsOf(named: ReadonlySet<string>): { concepts: string[]; notPerHead: string[] } {
  const insurance = insuranceIn(named);
  const perHead = named.has("per_head");
  const gdp = named.has("gdp") && !(named.has("share_of_gdp") && insurance.length > 0);
  const own = plain.filter((concept) => named.has(concept));
  const onlyShare = shares.some((share) => named.has(share));
  // How many people have an insurance, or live on a square kilometre, is not how many there are.
  const some = ["life", "nonlife", "population_density", "insured_people"];
  const ofSome = insurance.length === 0 && some.some((term) => named.has(term));
  const concepts = [
    ...(named.has("population") && !onlyShare && !ofSome ? ["population"] : []),
    ...(gdp && !perHead ? ["gdp"] : []),
    ...((gdp && perHead) || named.has("rich") ? ["gdp_per_head"] : []),
    ...own,
    ...insurance,
  ];
  const isServed = gdp || insurance.includes("insurance_density");
  return { concepts, notPerHead: perHead && !isServed ? concepts : [] };
}

/** Signs of currencies, as the words that they stand for. */
const currencies: Readonly<Record<string, string>> = { "€": "EUR", $: "USD", "£": "GBP" };

const european = new Set(countriesText.match(/^[A-Z]{2}(?=\t)/gm));

/** Parts of countries by their names, and by their codes, as `DE21` is one. */
function regionsIn(words: readonly string[]): Topic[] {
  const named = new Set(parts.in(words).map(({ entry }) => entry));
  const codes = words.filter((word) => /^[a-z]{2}\d[a-z0-9]{0,2}$/.test(word)).map((word) => word.toUpperCase());
  const coded = [...new Set(codes)].filter((code) => european.has(code.slice(0, 2)));
  return [...regions.filter(({ en }) => named.has(en)), ...coded.map((en) => ({ en, cs: en, sk: en, de: en }))];
}

/** Understands a question. `codes` are those of the imported tables, which may be asked for by name. */
export function understand(input: EuMarketDataInput, codes: readonly string[], now: Date): AskedQuestion {
  const question = input.question.replace(/[€$£]/g, (sign) => ` ${currencies[sign] ?? sign} `);
  const words = wordsOf(question);
  const matches = terms.in(words);
  const { concepts, notPerHead } = conceptsOf(new Set(matches.map(({ entry }) => entry)));
  // `nama_10_gdp` is one word here; folding keeps its underscores out of the others.
  const asWritten = new Set(input.question.toLowerCase().match(/[\w.]+/g) ?? []);
  const units = unitPhrases.in(words);
  // A Swiss franc is neither Switzerland nor France.
  const ofPlaces = longestOf(units, places.in(words), countriesIn(words, writtenWordsOf(question)));
  const countries = ofPlaces.filter((match) => !units.includes(match));
  const named = countries.flatMap(({ entry }) => groups[entry] ?? [entry]);
  const subjectNames = new Set(longestOf(subjects.in(words), units).map(({ entry }) => entry));
  const asked = withoutGroups(concepts, subjectNames.size > 0);
  if (concepts.includes("internet_users") && asked.length < concepts.length) subjectNames.add("Figures by group");
  return {
    language: languageOf(input.question),
    concepts: [...asked, ...codes.filter((code) => asWritten.has(code.toLowerCase()))],
    topics: topics.filter(({ en }) => subjectNames.has(en)),
    regions: regionsIn(words),
    notPerHead,
    units: askedUnits.filter(({ en }) => subjectNames.has(en)),
    countries: [...new Set([...input.countries.map(askedPlace), ...named])],
    period: periodIn(words, now),
    lowestFirst: words.some((word) => lowest.test(word)),
  };
}
