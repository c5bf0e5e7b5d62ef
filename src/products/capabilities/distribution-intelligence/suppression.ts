/**
 * Decides which groups of a table are withheld. A table has one dimension and its total. Dimensions are never crossed,
 * so two tables share nothing but the total, and combining them reveals nothing that is not in one of them.
 */

/** Smallest group that is shown. */
export const smallestGroup = 5;

/** Returns whether a withheld group could still have any size from one up to that of a group that may be shown. */
const isHidden = (withheld: readonly number[]): boolean =>
  withheld.length > 1 && withheld.reduce((sum, count) => sum + count, 0) >= withheld.length - 1 + smallestGroup;

/**
 * Returns the groups to withhold, by their counts: those under five, and as many of the smallest others as it takes to
 * prevent deriving one by subtracting what is shown from the total. Empty groups hide nothing and are shown. Null if
 * the table can't be shown at all, not even the names of its groups; so it is if a count is unknown (null).
 */
export function withheldGroups(counts: ReadonlyMap<string, number | null>): ReadonlySet<string> | null {
  const known = [...counts].flatMap(([group, count]) => (count === null || count === 0 ? [] : [{ group, count }]));
  const isUnknown = [...counts.values()].some((count) => count === null);
  const total = known.reduce((sum, { count }) => sum + count, 0);
  if (isUnknown || (total > 0 && total < smallestGroup)) return null;
  // The name breaks ties, so that the same table is always shown in the same way.
  const ordered = known.sort((a, b) => a.count - b.count || a.group.localeCompare(b.group));
  const small = ordered.filter(({ count }) => count < smallestGroup).length;
  if (small === 0) return new Set();
  let withheld = small;
  while (withheld < ordered.length && !isHidden(ordered.slice(0, withheld).map(({ count }) => count))) withheld++;
  const chosen = ordered.slice(0, withheld);
  return isHidden(chosen.map(({ count }) => count)) ? new Set(chosen.map(({ group }) => group)) : null;
}
