import codesText from "../../../../products/datasets/country-codes.tsv" with { type: "text" };

/** Every country by its name in the language, in the language's order. */
export function countryNames(language: string): string[] {
  const names = new Intl.DisplayNames(language, { type: "region" });
  const codes = codesText.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  const named = codes.map((line) => names.of(line.slice(0, 2)) ?? line.slice(0, 2));
  return named.sort(new Intl.Collator(language).compare);
}
