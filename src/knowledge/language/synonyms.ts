import insuranceGroups from "./data/insurance-synonyms.txt" with { type: "text" };
import generalGroups from "./data/synonyms.txt" with { type: "text" };
import { readGroups } from "./word-table.ts";

interface Entry {
  readonly text: string;
  readonly whole: boolean;
  readonly group: number;
}

// An entry is a beginning: what may follow is an ending, not another word.
const longestEnding = 4;

/** Reads groups of words, and answers the look-up: a folded word's groups by number, none for most words. */
function createSynonyms(groups: readonly (readonly string[])[]): (form: string) => readonly number[] {
  const byBeginning = new Map<string, Entry[]>();
  for (const [group, words] of groups.entries())
    for (const word of words) {
      const text = word.replace(".", "");
      const entry = { text, whole: text !== word || text.length < 4, group };
      const known = byBeginning.get(text.slice(0, 2));
      if (known === undefined) byBeginning.set(text.slice(0, 2), [entry]);
      else known.push(entry);
    }
  return (form) => {
    const entries = byBeginning.get(form.slice(0, 2)) ?? [];
    return entries
      .filter(
        ({ text, whole }) =>
          form === text || (!whole && form.startsWith(text) && form.length - text.length <= longestEnding),
      )
      .map(({ group }) => group);
  };
}

/**
 * The groups of a folded word that say nearly the same, by number; empty for most. Czech, Slovak and English share a
 * group, so that a Czech claim can be checked against an English document. The source index asks for each distinct word.
 */
export const synonymGroupsOf = createSynonyms(readGroups(generalGroups));

/**
 * The groups of what people and policies call the same thing, in the six languages of the corpus: an owner asks about a
 * flood, the terms speak of inundation. The search and the assistant ask; the faithfulness check does not, for it must
 * not take one word for the other.
 */
export const insuranceGroupsOf = createSynonyms(readGroups(insuranceGroups));
