import countriesText from "../capabilities/eu-market-data/countries.tsv" with { type: "text" };
import { countryGroups } from "../capabilities/eu-market-data/question.ts";
import regionsText from "../capabilities/eu-market-data/regions.tsv" with { type: "text" };
import { folded, Phrases, phrasesByFirst, wordsOf } from "../datasets/phrases.ts";
import type { Found, IcpText, Token } from "./icp-text.ts";
import {
  cityWords,
  notPlaces,
  placeEndings,
  placeFillers,
  placeWords,
  regionWords,
  subjectWords,
} from "./icp-words.ts";

/** The places that an ICP names: those of rows, those that only the reference data has, and unknown ones. */

export interface NamedPlaces {
  /** A country or group of countries, with ISO 3166-1 alpha-2 codes. */
  readonly countries: readonly Found<{ readonly name: string; readonly codes: readonly string[] }>[];
  /** Codes of German Länder. */
  readonly lands: readonly Found<string>[];
  /** Folded names of cities that rows have. */
  readonly cities: readonly Found<readonly string[]>[];
  /** Places that no row is known to be in. */
  readonly elsewhere: readonly Found<string>[];
}

const countries = new Phrases(countriesText);
const lands = new Phrases(regionWords);
const exonyms = new Phrases(cityWords);
/** The names that the statistics use for regions of countries, without the word "regions" itself. */
const parts = new Phrases(
  phrasesByFirst(regionsText)
    .split("\n")
    .filter((line) => !line.startsWith("Regions\t"))
    .join("\n"),
);

/** Minimum number of letters before a stripped ending. */
const shortestStem = 5;

/** An index of the rows' cities by common spellings: folded, ä as ae, and without "am Main". */
export class Cities {
  private readonly byName = new Map<string, string[]>();

  constructor(cities: Iterable<string>) {
    for (const city of cities) for (const name of namesOf(city)) this.enter(name, folded(city));
  }

  private enter(name: string, city: string): void {
    const known = this.byName.get(name) ?? [];
    if (!known.includes(city)) this.byName.set(name, [...known, city]);
  }

  /** Returns the cities with that name, either exact or with an inflectional ending. */
  called(name: string): readonly string[] | undefined {
    const stems = placeEndings.filter((ending) => name.endsWith(ending)).map((ending) => name.slice(0, -ending.length));
    const stem = stems.find((one) => one.length >= shortestStem && this.byName.has(one));
    return this.byName.get(name) ?? (stem === undefined ? undefined : this.byName.get(stem));
  }
}

const umlauts: Readonly<Record<string, string>> = { ä: "ae", ö: "oe", ü: "ue" };
const umlautOf = (letter: string): string => umlauts[letter.toLowerCase()] ?? letter;
function namesOf(city: string): string[] {
  const short = city.split(/ (?:am|an|im|in|bei|ob|vor|auf)\b|[(/,]/)[0] ?? city;
  const spelt = [city, short].map((name) => name.normalize("NFC").replace(/[äöü]/gi, (letter) => umlautOf(letter)));
  return [...new Set([city, short, ...spelt])].map((one) => wordsOf(one).join(" ")).filter((one) => one.length > 2);
}

const isCapital = ({ written }: Token): boolean => /^\p{Lu}[\p{Ll}\p{M}]+$/u.test(written);

/** Whether the preceding words introduce a place: "in", "in the region of", "auf der Insel". */
function isLedIn(before: readonly Token[]): boolean {
  const at = before.findLastIndex(({ folded: word }) => !placeFillers.has(word));
  const lead = before[at];
  if (!lead || !placeWords.has(lead.folded)) return false;
  // "Specialised in Cyber" is not a place.
  return !subjectWords.some((word) => before[at - 1]?.folded.startsWith(word));
}

/** Returns the rows' city at this position: capitalised as a name, or introduced as a place. */
function cityIn(cities: Cities, ahead: readonly Token[], before: readonly Token[]) {
  const [first] = ahead;
  if (!first || !(isCapital(first) || isLedIn(before))) return null;
  for (let count = ahead.length; count > 0; count--) {
    const value = cities.called(
      ahead
        .slice(0, count)
        .map((token) => token.folded)
        .join(" "),
    );
    if (value) return { value, count };
  }
  return null;
}

const isCommonNoun = (word: string): boolean =>
  notPlaces.some((one) => (one.startsWith("*") ? word.endsWith(one.slice(1)) : word.startsWith(one)));

/** Returns a name that is introduced as a place but unknown. */
function unknownIn(ahead: readonly Token[], before: readonly Token[]) {
  const isName = (token: Token | undefined) =>
    token !== undefined && isCapital(token) && token.folded.length > 2 && !isCommonNoun(token.folded);
  if (!isName(ahead[0]) || placeFillers.has(ahead[0]?.folded ?? "") || !isLedIn(before)) return null;
  const end = ahead.findIndex((token) => !isName(token));
  const name = ahead.slice(0, end < 0 ? ahead.length : end);
  return { value: name.map(({ written }) => written).join(" "), count: name.length };
}

/** Returns all places that a text names. Known places are consumed first; what remains is unknown. */
export function placesIn(text: IcpText, cities: Cities): NamedPlaces {
  const ofRows = text.naming((ahead, before) => cityIn(cities, ahead, before));
  const foreign = text.named(exonyms);
  const isOfRows = ({ value }: Found<string>) => cities.called(value) !== undefined;
  const named = text.named(countries).map((found) => ({
    ...found,
    value: { name: found.value, codes: countryGroups[found.value] ?? [found.value] },
  }));
  // Berlin is both a city and a Land; a city whose name merely contains a Land's name is only a city.
  const ofBoth = ofRows.flatMap((found) => {
    const words = wordsOf(found.words);
    const whole = lands.in(words).filter((match) => match.words === words.length);
    return whole.map(({ entry }) => ({ ...found, value: entry }));
  });
  return {
    countries: named,
    lands: [...ofBoth, ...text.named(lands)],
    cities: [...ofRows, ...foreign.filter(isOfRows).map((found) => ({ ...found, value: [found.value] }))],
    elsewhere: [...foreign.filter((found) => !isOfRows(found)), ...text.named(parts), ...text.naming(unknownIn)],
  };
}
