import type { Db } from "./connection.ts";
import type { Soon } from "./soon.ts";

interface Sum {
  total: number;
  readonly write: (total: number) => Soon<unknown>;
}

const sums = new WeakMap<Db, Map<string, Sum>>();

/**
 * Adds to what the jobs of a group would else write one by one into the very same row: `write` is called with the total
 * in front of the commit. Nobody in the group may read the row.
 */
export function addUp(tx: Db, name: string, amount: number, write: Sum["write"]): void {
  let open = sums.get(tx);
  if (!open) {
    open = new Map();
    sums.set(tx, open);
  }
  const sum = open.get(name);
  if (sum) sum.total += amount;
  else open.set(name, { total: amount, write });
}

/** Called by the writer in front of each commit. */
export async function writeSums(tx: Db): Promise<void> {
  const open = sums.get(tx);
  if (!open || open.size === 0) return;
  for (const { total, write } of open.values()) await write(total);
  open.clear();
}

/** Called by the writer where what was added up is rolled back. */
export const dropSums = (tx: Db): void => sums.get(tx)?.clear();
