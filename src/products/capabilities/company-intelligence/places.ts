import { countryCode } from "../../../registry/countries.ts";
import type { Site } from "./facts.ts";
import signals from "./signals.json" with { type: "json" };
import { nested, textsOf } from "./structured.ts";
import { key, wordsOf } from "./text.ts";

/** Names that are places and not products: countries and regions, and the towns of the company's own addresses. */

const names = Object.values(signals.countries).flatMap((one) => [one.name, ...one.names]);
const known = new Set(names.map(key));
/** Matches a country at the end: `Car Loans Australia` are car loans. */
const trailing = new RegExp(`(?<=\\S) (?:in )?(?:${names.map((name) => name.replaceAll(".", "\\.")).join("|")})$`);
/** Words that may surround the name of a place: `Greater Los Angeles area`. */
const beside = new Set(
  "and or the of in near a an city county area areas region downtown central greater north south east west office branch okres kraj okoli okolie centrum mesto v ve na und im in umgebung kreis stadt raum i w okolice powiat wojewodztwo miasto et a de du des la le les centre ville departement region".split(
    " ",
  ),
);
const regions = ["addressLocality", "addressRegion", "addressCountry", "areaServed"];
const word = "\\p{Lu}[\\p{L}.'’-]{1,30}";
const town = `(?<![\\p{L}.'’-])${word}(?: ${word}){0,2}`;
/**
 * Matches a town with its postal code: `Mobile, AL 36602`, `83064 Raubling`, `150 00 Praha`, `20-234 Lublin`, `Rouen
 * 76000`.
 */
const addresses = [
  new RegExp(`(${town}),? [A-Z]{2},? \\d{5}(?!\\d)`, "gu"),
  new RegExp(`(?<![\\d-])(?:[A-Z]{1,2}-)?(?:\\d{5}|\\d{3} \\d{2}|\\d{2}-\\d{3}) (${town})`, "gu"),
  new RegExp(`(${town}),? (?:[A-Z]{2,3} )?[A-Z]{1,2}\\d[A-Z\\d]? ?\\d[A-Z]{2}(?![\\p{L}\\d])`, "gu"),
  new RegExp(`(${town}) (?:QLD|NSW|VIC|TAS|ACT|WA|SA|NT) \\d{4}(?!\\d)`, "gu"),
];
const foundMax = 50;

/** Distinguishes places from offers for one site. */
export interface Places {
  /** Returns whether a text has nothing but names of places and the words that go with them. */
  readonly isPlace: (text: string) => boolean;
  /** Returns a text without the place at its end: `Taxi Brno` of a firm in Brno. */
  readonly without: (text: string) => string;
}

/** Returns the places named in a site's addresses, and those that everyone knows. */
export function placesOf({ pages }: Site): Places {
  const told = pages.flatMap(({ things }) =>
    things.flatMap((thing) => [...nested(thing)].flatMap((one) => regions.flatMap((region) => textsOf(one, region)))),
  );
  const written = pages.flatMap(({ text }) =>
    addresses.flatMap((address) => [...text.matchAll(address)].slice(0, foundMax).flatMap(([, name]) => name ?? [])),
  );
  const own = new Set([...told.filter((name) => name.length <= 60), ...written].flatMap(wordsOf).filter(isWord));
  const isPlace = (text: string): boolean => {
    const words = wordsOf(text);
    return (
      known.has(key(text)) ||
      // Longer than a country code: `IT` is no place here.
      (text.length > 3 && countryCode(text) !== undefined) ||
      (words.some((word) => own.has(word)) && words.every((word) => own.has(word) || beside.has(word)))
    );
  };
  const without = (text: string): string => {
    const words = text.replace(trailing, "").split(" ");
    const last = (): string => key(words.at(-1) ?? "");
    if (!own.has(last())) return words.join(" ");
    while (words.length > 1 && (own.has(last()) || beside.has(last()))) words.pop();
    return words.join(" ");
  };
  return { isPlace, without };
}

const isWord = (word: string): boolean => word.length > 2 && !beside.has(word);
