import codesText from "../../../../products/datasets/country-codes.tsv" with { type: "text" };

const codes = codesText
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"))
  .map((line) => line.slice(0, 2));

/** Codes by their names in the language, in the language's order. */
function named(all: readonly string[], language: string) {
  const names = new Intl.DisplayNames(language, { type: "region" });
  const { compare } = new Intl.Collator(language);
  return all.map((value) => ({ value, label: names.of(value) ?? value })).sort((a, b) => compare(a.label, b.label));
}

/** Every country by its name in the language, in the language's order. */
export const countryNames = (language: string): string[] => named(codes, language).map(({ label }) => label);

/** Every country, and the Union, for a field that one of them is chosen in. */
export const countryChoices = (language: string) => named([...codes, "EU"], language);
