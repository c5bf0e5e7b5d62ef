import { countriesIn } from "../../datasets/country-words.ts";
import { longestOf, Phrases, placesOf, wordsOf, writtenWordsOf } from "../../datasets/phrases.ts";
import { askedPlace } from "../../datasets/places.ts";
import { type AnswerLanguage, languageOf } from "../../datasets/question-language.ts";
import { type AskedPeriod, periodIn, periodPlaces } from "../../datasets/question-period.ts";
import countriesText from "./countries.tsv" with { type: "text" };
import regionsText from "./regions.tsv" with { type: "text" };
import type { EuMarketDataInput } from "./schema.ts";
import termsText from "./terms.tsv" with { type: "text" };
import { texts } from "./texts.ts";
import { askedUnits, phrasesOf, regions, type Topic, topics, unitPhrases } from "./titles.ts";
import topicsText from "./topics.tsv" with { type: "text" };
import { unreadPlaces, wordsAt } from "./unread.ts";

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
  /** By what it asks to count people, where the whole population is all that is held. */
  readonly peopleBy: readonly string[];
  /** Its words that the answer takes no account of, as they are written. */
  readonly unread: readonly string[];
  /** ISO 3166-1 alpha-2: those of the input, then those that the question names. */
  readonly countries: readonly string[];
  readonly period: AskedPeriod;
  readonly lowestFirst: boolean;
}

/** A question that names its concepts and countries, and nothing else. */
export const nothingElse = { topics: [], regions: [], notPerHead: [], units: [], peopleBy: [], unread: [] };

const eu27 = "AT BE BG HR CY CZ DK EE FI FR DE GR HU IE IT LV LT LU MT NL PL PT RO SK SI ES SE".split(" ");
/** Countries that are named together. */
export const countryGroups: Readonly<Record<string, readonly string[]>> = {
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

/** What a question about insurance asks for: premiums, their share of GDP, and what comes to each inhabitant. */
function insuranceIn(named: ReadonlySet<string>): string[] {
  const kinds = ["life", "nonlife"].filter((kind) => named.has(kind));
  const ofGdp = named.has("share_of_gdp") && (named.has("premiums") || kinds.length > 0);
  const perGdp = named.has("penetration") || ofGdp;
  const perHead = named.has("density") || (named.has("premiums") && named.has("per_head"));
  // Premiums of life or of other insurance alone are not those of both.
  const isWhole = named.has("premiums") && kinds.length === 0 && !ofGdp && !named.has("per_head");
  const penetration =
    kinds.length > 0 ? kinds.map((kind) => `insurance_penetration_${kind}`) : ["insurance_penetration"];
  return [
    ...(perGdp ? penetration : []),
    ...(perHead && !ofGdp ? ["insurance_density"] : []),
    ...(isWhole ? ["insurance_premiums"] : []),
  ];
}

/** What is a share of a group of people, or a count of households, is not asked for where these only say whose figure it is. */
function withoutGroups(concepts: readonly string[], asksTopic: boolean): string[] {
  const isOfGroup = asksTopic || concepts.some((concept) => concept !== "households");
  const known = isOfGroup ? concepts.filter((concept) => concept !== "households") : concepts;
  return known.includes("internet_users")
    ? known.filter((concept) => !shares.slice(0, 3).includes(concept))
    : [...known];
}

const isNoHousehold = (concept: string): boolean => !concept.startsWith("household");

/** Whether people are counted, and no other figure of theirs is asked for. */
const asksPeopleOnly = (named: ReadonlySet<string>): boolean =>
  named.has("people") &&
  !named.has("population") &&
  !plain.some((concept) => named.has(concept) && isNoHousehold(concept));

/** The concepts that the terms of a question come to, and those that it asks for per head in vain. */
function conceptsOf(
  named: ReadonlySet<string>,
  listsPopulation: boolean,
): { concepts: string[]; notPerHead: string[] } {
  const insurance = insuranceIn(named);
  const perHead = named.has("per_head");
  const gdp = named.has("gdp") && !(named.has("share_of_gdp") && insurance.length > 0);
  const own = plain.filter((concept) => named.has(concept));
  const onlyShare = shares.some((share) => named.has(share));
  // How many people have an insurance, or live on a square kilometre, is not how many there are.
  const some = ["life", "nonlife", "population_density", "insured_people"];
  const ofSome = insurance.length === 0 && some.some((term) => named.has(term));
  // Whoever asks how many people are out of work does not ask how many there are.
  const asksPopulation = named.has("population") || asksPeopleOnly(named);
  const concepts = [
    ...(asksPopulation && (!onlyShare || listsPopulation) && !ofSome ? ["population"] : []),
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

const isShareWord = /^(share|percent\w*|per|podil\w*|podiel\w*|procent\w*|anteil\w*|prozent\w*)$/;

/** Whether the population is an item of a list by itself, as in "population and internet use", and no share's whole. */
const isListed = (question: string): boolean =>
  question.split(/[,;:&+]|\s(?:and|a|und|sowie)\s/iu).some((item) => {
    const words = wordsOf(item);
    const named = terms.in(words);
    return (
      named.length > 0 &&
      named.every(({ entry }) => entry === "population") &&
      !words.some((word) => isShareWord.test(word))
    );
  });

const european = new Set(countriesText.match(/^[A-Z]{2}(?=\t)/gm));

const isRegionCode = (word: string): boolean =>
  /^[a-z]{2}\d[a-z0-9]{0,2}$/.test(word) && european.has(word.slice(0, 2).toUpperCase());

/** Parts of countries by their names, and by their codes, as `DE21` is one. */
function regionsIn(words: readonly string[], named: ReadonlySet<string>): Topic[] {
  const coded = [...new Set(words.filter(isRegionCode).map((word) => word.toUpperCase()))];
  return [...regions.filter(({ en }) => named.has(en)), ...coded.map((en) => ({ en, cs: en, sk: en, de: en }))];
}

/** What a question's words name, and the places of the words that name it. */
function read(words: readonly string[], written: readonly string[], codes: readonly string[]) {
  const found = terms.in(words);
  const units = unitPhrases.in(words);
  // A Swiss franc is neither Switzerland nor France.
  const ofPlaces = longestOf(units, places.in(words), countriesIn(words, written));
  const countries = ofPlaces.filter((match) => !units.includes(match));
  const things = longestOf(subjects.in(words), units);
  const inParts = parts.in(words);
  const ofCodes = new Set(codes.flatMap(wordsOf));
  const others = words.flatMap((word, at) =>
    ofCodes.has(word) || isRegionCode(word) || lowest.test(word) ? [at] : [],
  );
  return {
    found,
    things: new Set(things.map(({ entry }) => entry)),
    countries: countries.flatMap(({ entry }) => countryGroups[entry] ?? [entry]),
    inRegions: regionsIn(words, new Set(inParts.map(({ entry }) => entry))),
    rest: [...placesOf([...countries, ...things, ...inParts]), ...periodPlaces(words), ...others],
  };
}

/** Understands a question. `codes` are those of the imported tables, which may be asked for by name. */
export function understand(input: EuMarketDataInput, codes: readonly string[], now: Date): AskedQuestion {
  const question = input.question.replace(/[€$£]/g, (sign) => ` ${currencies[sign] ?? sign} `);
  const [words, written] = [wordsOf(question), writtenWordsOf(question)];
  const language = languageOf(input.question);
  // `nama_10_gdp` is one word here; folding keeps its underscores out of the others.
  const asWritten = new Set(input.question.toLowerCase().match(/[\w.]+/g) ?? []);
  const askedCodes = codes.filter((code) => asWritten.has(code.toLowerCase()));
  const { found, things, countries, inRegions, rest } = read(words, written, askedCodes);
  const named = new Set(found.map(({ entry }) => entry));
  const { concepts, notPerHead } = conceptsOf(named, isListed(question));
  const unread = unreadPlaces(words, [...placesOf(found), ...rest], concepts);
  const asksTopic = topics.some(({ en }) => things.has(en));
  // How many people have a car is not how many there are.
  const isOfSome = asksPeopleOnly(named) && (unread.length > 0 || asksTopic || !concepts.includes("population"));
  const counted = concepts.filter((concept) => !isOfSome || (concept !== "population" && isNoHousehold(concept)));
  const asked = withoutGroups(counted, asksTopic);
  const byGroup = concepts.includes("internet_users") && asked.length < concepts.length;
  const answered = found.filter(({ entry }) => entry === "people" || counted.some((one) => one.startsWith(entry)));
  const said = (places: readonly number[]): string[] => wordsAt(written, places, texts[language].number);
  return {
    ...{ language, notPerHead, period: periodIn(words, now) },
    concepts: [...asked, ...askedCodes],
    topics: topics.filter(({ en }) => things.has(en) || (byGroup && en === "Figures by group")),
    regions: inRegions,
    units: askedUnits.filter(({ en }) => things.has(en)),
    peopleBy: isOfSome ? said(unreadPlaces(words, [...placesOf(answered), ...rest], [])) : [],
    unread: isOfSome ? [] : said(unread),
    countries: [...new Set([...input.countries.map(askedPlace), ...countries])],
    lowestFirst: words.some((word) => lowest.test(word)),
  };
}
