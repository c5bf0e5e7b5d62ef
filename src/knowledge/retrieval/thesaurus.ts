import { insuranceGroupsOf } from "../language/synonyms.ts";
import { type SearchIndex, termTextOf } from "./search-index.ts";

/** Terms that are looked at: ids are ranks by frequency, and a synonym that is hardly ever written helps nobody. */
const vocabulary = 40_000;
/** Synonyms of one word, the most frequent first: a group has the words of six languages. */
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
 * The index's terms that mean about what a folded word means, by the insurance thesaurus: of its own language and of
 * others. The first question of an index makes the list, some milliseconds for ten thousand terms.
 */
export function synonymsOf(index: SearchIndex, form: string): readonly number[] {
  const groups = known.get(index) ?? groupsIn(index);
  known.set(index, groups);
  const ids = new Set(insuranceGroupsOf(form).flatMap((group) => groups.get(group) ?? []));
  return [...ids].sort((a, b) => a - b).slice(0, synonymsAtMost);
}
