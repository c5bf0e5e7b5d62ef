/**
 * Which groups of a table are withheld. A table has one dimension and its total: no two dimensions are ever crossed, so
 * that the total is all that two tables share, and nothing can be worked out from both that is not in one of them.
 */

/** Groups of fewer are withheld. */
export const smallestGroup = 5;

/** Whether a withheld group could still be anything from one up to a group that may be shown. */
const isHidden = (withheld: readonly number[]): boolean =>
  withheld.length > 1 && withheld.reduce((sum, count) => sum + count, 0) >= withheld.length - 1 + smallestGroup;

/**
 * The groups to withhold, by their counts: those under five, and as many of the smallest others with them as it takes
 * that total minus what is shown gives none of them away. Empty groups hide nothing, and are shown as they are. A null
 * count is unknown, and withheld. Null: the table can't be shown at all, not even
 * which groups it has.
 */
export function withheldGroups(counts: ReadonlyMap<string, number | null>): ReadonlySet<string> | null {
  const known = [...counts].flatMap(([group, count]) => (count === null || count === 0 ? [] : [{ group, count }]));
  const isUnknown = [...counts.values()].some((count) => count === null);
  const total = known.reduce((sum, { count }) => sum + count, 0);
  if (isUnknown || (total > 0 && total < smallestGroup)) return null;
  // The name decides between equals, so that the same table is always shown in the same way.
  const ordered = known.sort((a, b) => a.count - b.count || a.group.localeCompare(b.group));
  const small = ordered.filter(({ count }) => count < smallestGroup).length;
  if (small === 0) return new Set();
  let withheld = small;
  while (withheld < ordered.length && !isHidden(ordered.slice(0, withheld).map(({ count }) => count))) withheld++;
  const chosen = ordered.slice(0, withheld);
  return isHidden(chosen.map(({ count }) => count)) ? new Set(chosen.map(({ group }) => group)) : null;
}
