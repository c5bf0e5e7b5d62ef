/**
 * Common country codes that differ from ISO 3166-1: UK, and EL, the EU's code for Greece. They are accepted as the same
 * country wherever a code is read, in a question or a document.
 */
export const customaryCodes: Readonly<Record<string, string>> = { EL: "GR", UK: "GB" };

/**
 * Returns a country code in capitals and in its ISO form. Unknown codes are returned in capitals, otherwise unchanged.
 */
export function isoCountry(given: string): string {
  const code = given.trim().toUpperCase();
  return customaryCodes[code] ?? code;
}
