import { countriesIn } from "../../datasets/country-words.ts";
import { bared, denialsIn, phrasesIn } from "../../datasets/denials.ts";
import { longestOf, type Match, Phrases, placesOf, wordsOf, writtenWordsOf } from "../../datasets/phrases.ts";
import { askedPlace } from "../../datasets/places.ts";
import { type AnswerLanguage, languageOf } from "../../datasets/question-language.ts";
import { type AskedPeriod, periodIn, periodPlaces } from "../../datasets/question-period.ts";
import { conceptsOf } from "./asked-concepts.ts";
import computedText from "./computed.tsv" with { type: "text" };
import countriesText from "./countries.tsv" with { type: "text" };
import { type Denied, withoutDenied } from "./denied.ts";
import { type Item, itemsOf } from "./items.ts";
import regionsText from "./regions.tsv" with { type: "text" };
import type { EuMarketDataInput } from "./schema.ts";
import termsText from "./terms.tsv" with { type: "text" };
import { askedUnits, phrasesOf, regions, type Topic, topics, unitPhrases } from "./titles.ts";
import topicsText from "./topics.tsv" with { type: "text" };
import { phrasingIn, quoted, unreadPlaces, wordsAt } from "./unread.ts";

/** A parsed question. */
export interface AskedQuestion {
  readonly language: AnswerLanguage;
  /** Concepts of `concepts.tsv`, and codes of imported tables. */
  readonly concepts: readonly string[];
  /** Requested subjects that are never held. */
  readonly topics: readonly Topic[];
  /** Parts of countries that it names. Every figure is a whole country's. */
  readonly regions: readonly Topic[];
  /** Concepts requested per head that have no such figure. */
  readonly notPerHead: readonly string[];
  /** Units and prices that it asks for. */
  readonly units: readonly Topic[];
  /** Properties by which it asks to count people, although only the whole population is held. */
  readonly peopleBy: readonly string[];
  /** What it denies or excludes, and no figure is held for, in its own words. */
  readonly denied: readonly string[];
  /** Words that the answer does not take into account, as written. */
  readonly unread: readonly string[];
  /** Whether it asks for a sum, an average, a difference or a share that would have to be computed. */
  readonly isComputed: boolean;
  /** ISO 3166-1 alpha-2: those of the input, then those that the question names. */
  readonly countries: readonly string[];
  readonly period: AskedPeriod;
  readonly lowestFirst: boolean;
}

/** The other fields of a question that names its concepts and countries and nothing else. */
export const nothingElse = {
  topics: [],
  regions: [],
  notPerHead: [],
  units: [],
  peopleBy: [],
  denied: [],
  unread: [],
  isComputed: false,
};

const eu27 = "AT BE BG HR CY CZ DK EE FI FR DE GR HU IE IT LV LT LU MT NL PL PT RO SK SI ES SE".split(" ");
/** Groups of countries that have a name. */
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
const toCompute = new Phrases(computedText);
const subjects = phrasesOf(topicsText);
const parts = phrasesOf(regionsText);

const lowest =
  /^(lowest|smallest|least|fewest|nejnizsi|nejmensi|nejmene|najnizsi\w*|najmensi\w*|najmenej|niedrigst\w*|kleinst\w*|wenigst\w*)$/;

/** Signs, and the words that they stand for. */
const signs: Readonly<Record<string, string>> = { "€": "EUR", $: "USD", "£": "GBP", "%": "percent" };

const european = new Set(countriesText.match(/^[A-Z]{2}(?=\t)/gm));

const isRegionCode = (word: string): boolean =>
  /^[a-z]{2}\d[a-z0-9]{0,2}$/.test(word) && european.has(word.slice(0, 2).toUpperCase());

/** Returns the parts of countries that are given by name, or by code such as `DE21`. */
function regionsIn(words: readonly string[], named: ReadonlySet<string>): Topic[] {
  const coded = [...new Set(words.filter(isRegionCode).map((word) => word.toUpperCase()))];
  return [...regions.filter(({ en }) => named.has(en)), ...coded.map((en) => ({ en, cs: en, sk: en, de: en }))];
}

/** Codes of countries that are also words, even in capitals. They count only next to another code. */
const alsoWords = new Set(["IT", "HR"]);

/** Returns the countries that are given by code: in capitals among other words, or as the input has them. */
function codesIn(written: readonly string[], given: readonly string[]): Match[] {
  const isShouted = !written.some((word) => /\p{Ll}/u.test(word));
  const named = written.flatMap((word, at) => {
    const code = askedPlace(word);
    const isNamed = european.has(code) && word === word.toUpperCase() && !isShouted;
    return word.length === 2 && (given.includes(code) || isNamed) ? [{ entry: code, at, words: 1 }] : [];
  });
  return named.filter(({ entry }, _, all) => given.includes(entry) || !all.every((one) => alsoWords.has(one.entry)));
}

/** Returns the countries that a name stands for: those of a group, or the EU as a whole. */
const countriesOf = (entry: string, isWholeEu: boolean): readonly string[] =>
  entry === "EU27" && isWholeEu ? ["EU"] : (countryGroups[entry] ?? [entry]);

/** Matches words for the EU's countries, which ask for each of them. */
const member =
  /^(countr\w*|members?|states?|zeme|zemi|zemich|krajin\w*|stat|staty|statu|statov|land|lander\w*|kraj\w*|panstw\w*)$/;

/** Returns what a question's words name, and the places of the words that name it. */
function read(
  words: readonly string[],
  written: readonly string[],
  codes: readonly string[],
  given: readonly string[],
) {
  const found = terms.in(words);
  const units = unitPhrases.in(words);
  // A Swiss franc is neither Switzerland nor France.
  const ofPlaces = longestOf(units, places.in(words), countriesIn(words, written), codesIn(written, given));
  const countries = ofPlaces.filter((match) => !units.includes(match));
  const things = longestOf(subjects.in(words), units);
  const inParts = parts.in(words);
  const ofTerms = new Set(placesOf([...found, ...things]));
  // An average age is a figure that is held, not an average to be computed.
  const computed = toCompute.in(words).filter(({ entry, at }) => entry !== "average" || !ofTerms.has(at));
  const ofCodes = new Set(codes.flatMap(wordsOf));
  const others = words.flatMap((word, at) =>
    ofCodes.has(word) || isRegionCode(word) || lowest.test(word) ? [at] : [],
  );
  return {
    ...{ found, countries, things, computed: new Set(computed.map(({ entry }) => entry)) },
    isSummedUp: computed.some(({ entry }) => entry !== "difference") && !words.some((word) => member.test(word)),
    inRegions: regionsIn(words, new Set(inParts.map(({ entry }) => entry))),
    rest: [
      ...placesOf([...countries, ...things, ...inParts, ...computed, ...phrasesIn(words)]),
      ...periodPlaces(words),
      ...others,
    ],
  };
}

/** Returns what any list names. A word with a negating prefix is looked up without it. */
const listed = (words: readonly string[]): Match[] => [
  ...[terms, unitPhrases, places, subjects, parts, toCompute].flatMap((list) => list.in(words)),
  ...phrasingIn(words),
];

/** Returns whether a term means something only next to others. */
const isHelper = ({ entry }: Match): boolean => ["insurance", "inhabitants"].includes(entry);
const ofInsurance = new Set(["life", "nonlife", "insurance", "premiums"]);

/** Figures of a whole country. An average of them is something else. */
const totals = new Set(["population", "gdp", "insurance_premiums", "households"]);

/** Returns the countries of a question: those of the input and those that it names, without those that it excludes. */
function countriesFor(given: readonly string[], { countries, isSummedUp }: ReturnType<typeof read>, denied: Denied) {
  const isOfEu = denied.without.length === 0 && countries.some(({ entry }) => entry === "EU27");
  const isWholeEu = isSummedUp && isOfEu;
  const without = new Set(denied.without.flatMap(({ entry }) => countriesOf(entry, false)));
  const named = countries.filter((match) => !denied.without.includes(match));
  const all = [...new Set([...given, ...named.flatMap(({ entry }) => countriesOf(entry, isWholeEu))])];
  const left = all.filter((country) => !without.has(country));
  // "Outside the EU" excludes all of them if the requested countries are within it.
  const isNoneLeft = without.size > 0 && left.length === 0;
  return { isWholeEu, isNoneLeft, countries: isNoneLeft ? all : left };
}

/** Returns whether a question asks for something that would have to be computed from the figures of its countries. */
function isComputed(
  computed: ReadonlySet<string>,
  isWholeEu: boolean,
  { concepts, countries, period }: Pick<AskedQuestion, "concepts" | "countries" | "period">,
): boolean {
  const areSeveral = countries.length > 1;
  return (
    (computed.has("total") && areSeveral && !isWholeEu) ||
    (computed.has("average") && ((areSeveral && !isWholeEu) || concepts.some((concept) => totals.has(concept)))) ||
    (computed.has("difference") && (areSeveral || !period.change))
  );
}

/** Parses a question. `codes` are those of the imported tables, which may be asked for by name. */
export function understand(input: EuMarketDataInput, codes: readonly string[], now: Date): AskedQuestion {
  const text = input.question.replace(/[€$£%]/g, (sign) => ` ${signs[sign] ?? sign} `);
  const written = writtenWordsOf(text);
  const { words, places: bare } = bared(wordsOf(text), listed);
  const language = languageOf(input.question);
  // `nama_10_gdp` is one word here. The folded words have no underscores.
  const asWritten = new Set(input.question.toLowerCase().match(/[\w.]+/g) ?? []);
  const askedCodes = codes.filter((code) => asWritten.has(code.toLowerCase()));
  const given = input.countries.map(askedPlace);
  const known = read(words, written, askedCodes, given);
  const { things, inRegions, rest } = known;
  const whole = { text, words, places: placesOf(known.countries), language };
  const denials = denialsIn(words, new Set(placesOf([...known.found, ...known.countries])), bare);
  const denied = withoutDenied(words, itemsOf({ ...whole, found: known.found }), known, denials);
  const { countries, isWholeEu, isNoneLeft } = countriesFor(given, known, denied);
  const found = isNoneLeft ? [] : denied.found;
  const items = itemsOf({ ...whole, found });
  const period = periodIn(words, now);
  const isIn = ({ from, to }: Item, at: number): boolean => at >= from && at < to;
  const ofTopics = things.filter(({ entry }) => topics.some(({ en }) => en === entry));
  const asksTopic = (item: Item): boolean => ofTopics.some(({ at }) => isIn(item, at));
  const asked = conceptsOf(items, { asksTopic, asksChange: period.change });
  const { concepts, people, unserved } = asked;
  const served = found.filter(
    (match) => !isHelper(match) && !(ofInsurance.has(match.entry) && unserved.some((item) => isIn(item, match.at))),
  );
  const denying = placesOf(denials).filter((at) => !denied.places.includes(at));
  const unreadOf = (matches: readonly Match[], beside: readonly string[]): number[] =>
    unreadPlaces(words, { read: [...placesOf(matches), ...rest, ...denied.places], denying }, beside);
  const unread = unreadOf(served, concepts);
  const isOfPeople = (at: number): boolean => people.some((item) => isIn(item, at));
  // How many people have a car is not how many there are.
  const isOfSome =
    people.length > 0 && (unread.some(isOfPeople) || people.some(asksTopic) || !concepts.includes("population"));
  const counted = concepts.filter((concept) => !isOfSome || concept !== "population");
  const answered = found.filter(({ entry }) => entry === "people" || counted.some((one) => one.startsWith(entry)));
  const named = new Set(things.map(({ entry }) => entry));
  return {
    ...{ language, period, notPerHead: asked.notPerHead, countries },
    concepts: [...counted, ...(isNoneLeft ? [] : askedCodes)],
    topics: topics.filter(({ en }) => named.has(en) || (asked.isByGroup && en === "Figures by group")),
    regions: inRegions,
    units: askedUnits.filter(({ en }) => named.has(en)),
    peopleBy: isOfSome ? wordsAt(written, unreadOf(answered, []).filter(isOfPeople)) : [],
    denied: (isNoneLeft ? [denied.places] : denied.spans).map((places) => quoted(written, places)),
    unread: wordsAt(
      written,
      unread.filter((at) => !isOfSome || !isOfPeople(at)),
    ),
    isComputed: asked.asksShare || isComputed(known.computed, isWholeEu, { concepts: counted, countries, period }),
    lowestFirst: words.some((word) => lowest.test(word)),
  };
}
