import { insuranceGroupsOf } from "../language/synonyms.ts";
import { type SearchIndex, termTextOf } from "./search-index.ts";

/** Number of terms considered, the most frequent first: a synonym that hardly ever occurs is of no use. */
const vocabulary = 40_000;
/** Maximum number of synonyms per word, the most frequent first. A group has the words of six languages. */
const synonymsAtMost = 16;

const known = new WeakMap<SearchIndex, ReadonlyMap<number, readonly number[]>>();

function groupsIn(index: SearchIndex): ReadonlyMap<number, readonly number[]> {
  const groups = new Map<number, number[]>();
  for (let id = 0; id < Math.min(vocabulary, index.meta.terms); id++) {
    if ((index.frequency[id] ?? 0) === 0) continue;
    for (const group of insuranceGroupsOf(termTextOf(index, id))) {
      const ids = groups.get(group);
      if (ids) ids.push(id);
      else groups.set(group, [id]);
    }
  }
  return groups;
}

/**
 * Returns the index's terms that are synonyms of a folded word by the insurance thesaurus, in its own and other
 * languages. The first call for an index builds the groups, in some milliseconds for ten thousand terms.
 */
export function synonymsOf(index: SearchIndex, form: string): readonly number[] {
  const groups = known.get(index) ?? groupsIn(index);
  known.set(index, groups);
  const ids = new Set(insuranceGroupsOf(form).flatMap((group) => groups.get(group) ?? []));
  return [...ids].sort((a, b) => a - b).slice(0, synonymsAtMost);
}
