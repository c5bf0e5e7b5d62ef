/**
 * What people write for two countries whose ISO 3166-1 code is another: the abbreviation of the United Kingdom, and the
 * EU's own code of Greece. Wherever a code comes in, with a question or with a document, both mean the same country.
 */
export const customaryCodes: Readonly<Record<string, string>> = { EL: "GR", UK: "GB" };

/** A country's code in capitals and as ISO has it; letters that are no country's stay as they are. */
export function isoCountry(given: string): string {
  const code = given.trim().toUpperCase();
  return customaryCodes[code] ?? code;
}
