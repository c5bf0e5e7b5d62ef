import { fold } from "../../platform/text.ts";
import table from "./data/insurance-glossary.tsv" with { type: "text" };
import { type SearchLanguage, searchLanguages } from "./languages.ts";
import { insuranceGroupsOf } from "./synonyms.ts";
import { readTable } from "./word-table.ts";

/**
 * What insurance calls a thing in each of the six languages, so that a question in one finds documents in another. It
 * finds chunks; it translates nothing for a reader.
 */
const concepts = readTable(table, searchLanguages).map((names) => ({
  names,
  groups: new Set(
    searchLanguages.flatMap((language) => names[language].split(" ").flatMap((name) => insuranceGroupsOf(fold(name)))),
  ),
}));

/** Words to search documents of another language for, instead of a folded word; empty where there is no concept of it. */
export function namesIn(language: SearchLanguage, form: string): string {
  const groups = insuranceGroupsOf(form);
  const found = concepts.filter((concept) => groups.some((group) => concept.groups.has(group)));
  return found.map(({ names }) => names[language]).join(" ");
}
