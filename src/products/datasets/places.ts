import { customaryCodes } from "../../platform/countries.ts";
import { once } from "../../platform/once.ts";
import aggregateCodes from "./aggregate-codes.tsv" with { type: "text" };
import countryCodes from "./country-codes.tsv" with { type: "text" };

/** Normalises publishers' place codes. Codes stay text; a country gets its ISO 3166-1 alpha-2 code. */

/** Returns the two columns of a list. */
const pairsIn = (list: string): (readonly [string, string])[] =>
  list
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => line.split("\t"))
    .map(([first = "", second = ""]) => [first, second]);

const countries = pairsIn(countryCodes);
const iso2 = new Set(["XK", ...countries.map(([two]) => two)]);
const iso3 = new Map(countries.map(([two, three]) => [three, two]));
/** Names of aggregates by code. */
const aggregates = new Map(pairsIn(aggregateCodes));

/** Eurostat has its own codes for two countries; its EU of the current 27 members is `EU` here. */
const own: Readonly<Record<string, string>> = {
  ...customaryCodes,
  ...{ EU27_2020: "EU", EUU: "EU", EU: "EU", XKX: "XK" },
};

/** Eurostat's aggregates. */
const eurostatAggregate =
  /^(EU\d{2}(_\d{4})?|EU_V|EA\d{0,2}(_\d{4})?|EA|EEA\d{0,2}(_\d{4})?|EFTA|EU\d{2}_[A-Z_]+|DE_TOT|FX)$/;
const isAggregate = (code: string): boolean => aggregates.has(code) || eurostatAggregate.test(code);

/**
 * Regions as NUTS and the OECD code them. After the country comes a digit, or Z for what belongs to no region; only the
 * countries with many NUTS 1 regions have letters there. Any other letter would make words such as `TOTAL` regions.
 */
const region =
  /^(?:[A-Z]{2}(?:\d[A-Z0-9]{0,2}|Z{1,3})|(?:DE[A-G]|FR[A-MY]|IT[C-I]|TR[A-C]|UK[C-N])(?:\d[A-Z0-9]?)?)(?:_[A-Z0-9]+)?$/;

/** Country names by language, cached because each dictionary takes about a millisecond to create. */
const displays = new Map<string, Intl.DisplayNames>();
function displayIn(language: string): Intl.DisplayNames {
  let display = displays.get(language);
  if (!display) {
    display = new Intl.DisplayNames([language], { type: "region", fallback: "none" });
    displays.set(language, display);
  }
  return display;
}

/** Codes by lower-case name, built on first use, since start-up needs none. */
const byName = once((): ReadonlyMap<string, string> => {
  const found = new Map<string, string>();
  for (const language of ["fr", "de", "en"])
    for (const code of iso2) {
      const name = displayIn(language).of(code);
      if (name) found.set(name.toLowerCase(), code);
    }
  for (const [code, name] of aggregates) found.set(name.toLowerCase(), code);
  for (const [name, code] of ownNames) found.set(name, code);
  return found;
});
/** Names that publishers use and the dictionaries lack. */
const ownNames = [
  ["czech republic", "CZ"],
  ["slovak republic", "SK"],
  ["germany (until 1990 former territory of the frg)", "DE"],
  ["european union - 27 countries (from 2020)", "EU"],
  ["turkey", "TR"],
] as const;

/** Returns a country's name in a language; an unknown code is returned unchanged. */
export const countryName = (code: string, language: string): string =>
  code === "EU" || iso2.has(code) ? (displayIn(language).of(code) ?? code) : code;

/**
 * Returns the code under which a place is stored: a country's alpha-2 code (from alpha-2, alpha-3, Eurostat's own code
 * or a name), or the code of an aggregate or of a region of a known country. `undefined` if there is no such place.
 */
export function placeOf(text: string): string | undefined {
  const code = text.trim();
  const known = own[code] ?? (iso2.has(code) ? code : iso3.get(code));
  if (known !== undefined) return known;
  if (isAggregate(code)) return code;
  if (region.test(code) && (iso2.has(code.slice(0, 2)) || own[code.slice(0, 2)] !== undefined)) return code;
  return byName().get(code.toLowerCase());
}

/** Whether a stored place is a country or an aggregate, rather than part of a country. */
export const isWholePlace = (place: string): boolean => place === "EU" || iso2.has(place) || isAggregate(place);

/** Whether a code is a country's in either case: an ISO code, or Eurostat's own for Greece and the United Kingdom. */
export const isCountry = (code: string): boolean => iso2.has(askedPlace(code));

/** Normalises a caller's country code to upper case and ISO: `EL` means Greece just like `GR`. */
export function askedPlace(code: string): string {
  const upper = code.toUpperCase();
  return placeOf(upper) ?? upper;
}
