import { fold } from "../../platform/text.ts";
import table from "./data/insurance-glossary.tsv" with { type: "text" };
import { type SearchLanguage, searchLanguages } from "./languages.ts";
import { insuranceGroupsOf } from "./synonyms.ts";
import { readTable } from "./word-table.ts";

/**
 * Insurance terms in each of the six languages, so that a question in one finds documents in another. They find chunks,
 * and translate nothing for a reader.
 */
const concepts = readTable(table, searchLanguages).map((names) => ({
  names,
  groups: new Set(
    searchLanguages.flatMap((language) => names[language].split(" ").flatMap((name) => insuranceGroupsOf(fold(name)))),
  ),
}));

/**
 * Returns the words with which to search documents of another language for a folded word; empty if no concept has it.
 */
export function namesIn(language: SearchLanguage, form: string): string {
  const groups = insuranceGroupsOf(form);
  const found = concepts.filter((concept) => groups.some((group) => concept.groups.has(group)));
  return found.map(({ names }) => names[language]).join(" ");
}
