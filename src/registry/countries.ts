// Not the package's main entry, which requires every language by a computed name that the executable cannot resolve.
import type { LocaleData } from "i18n-iso-countries";
import type isoCountries from "i18n-iso-countries/index.js";
import { isoCountry } from "../platform/countries.ts";
import { once } from "../platform/once.ts";
import { fold } from "../platform/text.ts";

/** EU member states since 2020. An offer for `EU` serves each of them. */
const memberStates = new Set(
  "AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK".split(" "),
);

/** The package and its names, loaded at the first look-up of a country. */
const loadCountries = (): typeof isoCountries => require("i18n-iso-countries/index.js");
const loadLanguages = (): readonly LocaleData[] => [
  require("i18n-iso-countries/langs/en.json"),
  require("i18n-iso-countries/langs/cs.json"),
  require("i18n-iso-countries/langs/sk.json"),
  require("i18n-iso-countries/langs/de.json"),
  require("i18n-iso-countries/langs/pl.json"),
];

/**
 * Country codes by folded name: two letters, three letters, and the names in the product's four languages and in
 * Polish. The package has formal and former names ("Czech Republic"), the platform the usual ones ("Česko").
 */
export const codesByName = once((): ReadonlyMap<string, string> => {
  const codes = new Map([
    // Also recognised in running text, where EL, the EU's code for Greece, would be another word.
    ["uk", "GB"],
    ["global", "GLOBAL"],
  ]);
  const countries = loadCountries();
  for (const language of loadLanguages()) {
    countries.registerLocale(language);
    const usual = new Intl.DisplayNames(language.locale, { type: "region" });
    codes.set(fold(usual.of("EU") ?? "EU"), "EU");
    for (const [code, names] of Object.entries(countries.getNames(language.locale, { select: "all" })))
      for (const name of [...names, usual.of(code) ?? code]) codes.set(fold(name), code);
  }
  for (const [three, two] of Object.entries(countries.getAlpha3Codes())) {
    codes.set(fold(three), two);
    codes.set(fold(two), two);
  }
  return codes.set("eu", "EU");
});

/**
 * Returns the two-letter code of a country (`CZ` for "Czechia", "Česko" or "CZE"), `EU` or `GLOBAL`, or undefined if
 * unknown.
 */
export const countryCode = (given: string): string | undefined => codesByName().get(fold(isoCountry(given)));

/** Returns whether an offer for these countries serves the wanted one, directly or through `EU` or `GLOBAL`. */
export function servesCountry(wanted: string | undefined, offered: readonly string[]): boolean {
  if (wanted === undefined) return true;
  const code = countryCode(wanted);
  if (code === undefined) return false;
  return offered.some((at) => at === code || at === "GLOBAL" || (at === "EU" && memberStates.has(code)));
}
