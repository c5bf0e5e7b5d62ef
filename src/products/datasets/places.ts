import { customaryCodes } from "../../platform/countries.ts";
import { once } from "../../platform/once.ts";
import countryCodes from "./country-codes.tsv" with { type: "text" };

/** Codes of places as publishers write them. Codes stay text; a country gets its ISO 3166-1 alpha-2 code. */

const iso3 = new Map<string, string>();
const iso2 = new Set<string>(["XK"]);
for (const line of countryCodes.split("\n"))
  if (line !== "" && !line.startsWith("#")) {
    const [two = "", three = ""] = line.split("\t");
    iso2.add(two);
    iso3.set(three, two);
  }

/** Eurostat writes two countries in its own way; its EU of today's 27 members is the EU here. */
const own: Readonly<Record<string, string>> = {
  ...customaryCodes,
  ...{ EU27_2020: "EU", EUU: "EU", EU: "EU", XKX: "XK" },
};

/** Sums over several countries, which are no country: those of Eurostat, and the World Bank's and the EU's usual ones. */
const aggregate =
  /^(EU\d{2}(_\d{4})?|EU_V|EA\d{0,2}(_\d{4})?|EA|EEA\d{0,2}(_\d{4})?|EFTA|EU\d{2}_[A-Z_]+|DE_TOT|FX|OECD|EMU|WLD|G20)$/;
const region = /^[A-Z]{2}[A-Z0-9]{1,3}(_[A-Z0-9]+)?$/;

/** What countries are called in a language. One such dictionary takes about a millisecond to be made. */
const displays = new Map<string, Intl.DisplayNames>();
function displayIn(language: string): Intl.DisplayNames {
  let display = displays.get(language);
  if (!display) {
    display = new Intl.DisplayNames([language], { type: "region", fallback: "none" });
    displays.set(language, display);
  }
  return display;
}

/** Codes by names in lower case, made when a name is first looked for: a start needs none. */
const byName = once((): ReadonlyMap<string, string> => {
  const found = new Map<string, string>();
  for (const language of ["fr", "de", "en"])
    for (const code of iso2) {
      const name = displayIn(language).of(code);
      if (name) found.set(name.toLowerCase(), code);
    }
  for (const [name, code] of ownNames) found.set(name, code);
  return found;
});
/** Names that publishers use and the dictionaries don't. */
const ownNames = [
  ["czech republic", "CZ"],
  ["slovak republic", "SK"],
  ["germany (until 1990 former territory of the frg)", "DE"],
  ["european union - 27 countries (from 2020)", "EU"],
  ["turkey", "TR"],
] as const;

/** What a country is called in a language; a code that is none is its own name. */
export const countryName = (code: string, language: string): string =>
  code === "EU" || iso2.has(code) ? (displayIn(language).of(code) ?? code) : code;

/**
 * The code that a place is kept under: a country's alpha-2 code (from alpha-2, alpha-3, Eurostat's own or a name), else
 * that of an aggregate or of a region below a known country as it stands. Undefined: there is no such place.
 */
export function placeOf(text: string): string | undefined {
  const code = text.trim();
  const known = own[code] ?? (iso2.has(code) ? code : iso3.get(code));
  if (known !== undefined) return known;
  if (aggregate.test(code)) return code;
  if (region.test(code) && (iso2.has(code.slice(0, 2)) || own[code.slice(0, 2)] !== undefined)) return code;
  return byName().get(code.toLowerCase());
}

/** Whether a kept place is a country or a sum over countries, and no part of one. */
export const isWholePlace = (place: string): boolean => place === "EU" || iso2.has(place) || aggregate.test(place);

/** Whether a caller's code, in either case, is a country's: ISO's, or Eurostat's own of Greece and the United Kingdom. */
export const isCountry = (code: string): boolean => iso2.has(askedPlace(code));

/** The code that a caller's code of a country means, in upper case: `EL` is Greece's as much as `GR`. */
export function askedPlace(code: string): string {
  const upper = code.toUpperCase();
  return placeOf(upper) ?? upper;
}
