import codesText from "../../../../products/datasets/country-codes.tsv" with { type: "text" };

const codes = codesText
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"))
  .map((line) => line.slice(0, 2));

/** Returns codes with their names, sorted in the order of the language. */
function named(all: readonly string[], language: string) {
  const names = new Intl.DisplayNames(language, { type: "region" });
  const { compare } = new Intl.Collator(language);
  return all.map((value) => ({ value, label: names.of(value) ?? value })).sort((a, b) => compare(a.label, b.label));
}

/** Returns the names of all countries, sorted in the order of the language. */
export const countryNames = (language: string): string[] => named(codes, language).map(({ label }) => label);

/** Returns all countries, and the EU, as options of a select. */
export const countryChoices = (language: string) => named([...codes, "EU"], language);
