import insuranceGroups from "./data/insurance-synonyms.txt" with { type: "text" };
import generalGroups from "./data/synonyms.txt" with { type: "text" };
import { readGroups } from "./word-table.ts";

interface Entry {
  readonly text: string;
  readonly whole: boolean;
  readonly group: number;
}

// An entry is a prefix: a suffix may follow it, but not another word.
const longestEnding = 4;

/** Returns a lookup from a folded word to the numbers of its groups; most words have none. */
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
 * Returns the numbers of the groups of near-synonyms that a folded word is in; empty for most. Czech, Slovak and
 * English share a group, so that a Czech claim can be checked against an English document. The source index calls it
 * for each distinct word.
 */
export const synonymGroupsOf = createSynonyms(readGroups(generalGroups));

/**
 * Returns the groups of words that people and policies use for the same thing, in the six languages of the corpus: an
 * owner asks about a flood, the terms speak of inundation. Used by the search and the assistant, but not by the
 * faithfulness check, which must not take one word for the other.
 */
export const insuranceGroupsOf = createSynonyms(readGroups(insuranceGroups));
