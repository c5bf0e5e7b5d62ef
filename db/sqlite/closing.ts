import type { Prepared } from "../prepared.ts";
import type { Db } from "./connection.ts";
import type { Soon } from "./soon.ts";

interface Sum {
  total: number;
  readonly write: (total: number) => Soon<unknown>;
}

/** What the jobs of a group have left to be written behind them, in front of the commit. */
interface Closing {
  readonly sums: Map<string, Sum>;
  /** Rows by the statement that inserts them. */
  readonly rows: Map<Prepared<never, never>, object[]>;
  readonly works: (() => Soon<unknown>)[];
}

const closings = new WeakMap<Db, Closing>();

function closingOf(tx: Db): Closing {
  let closing = closings.get(tx);
  if (!closing) {
    closing = { sums: new Map(), rows: new Map(), works: [] };
    closings.set(tx, closing);
  }
  return closing;
}

/** Leaves something for the end of the group, such as what takes another thread's answer. */
export const beforeCommit = (tx: Db, work: () => Soon<unknown>): void => void closingOf(tx).works.push(work);

/**
 * Leaves a row for the end of the group, where one statement inserts those of the whole group one behind the other: that
 * costs less than statements that take turns. Whoever has to find the row before calls `enterRows`.
 */
export function leaveRow<P extends object>(tx: Db, insert: Prepared<P, never>, row: P): void {
  const { rows } = closingOf(tx);
  const left = rows.get(insert);
  if (left) left.push(row);
  else rows.set(insert, [row]);
}

/**
 * Adds to what the jobs of a group would else write one by one into the very same row: `write` is called with the total
 * in front of the commit. Nobody in the group may read the row.
 */
export function addUp(tx: Db, name: string, amount: number, write: Sum["write"]): void {
  const { sums } = closingOf(tx);
  const sum = sums.get(name);
  if (sum) sum.total += amount;
  else sums.set(name, { total: amount, write });
}

/** Enters the rows that have been left so far. */
export async function enterRows(tx: Db): Promise<void> {
  const { rows } = closingOf(tx);
  for (const [insert, left] of rows)
    for (const row of left) {
      const inserted = insert.run(tx, row as never);
      if (inserted instanceof Promise) await inserted;
    }
  rows.clear();
}

/** Called by the writer in front of each commit. */
export async function close(tx: Db): Promise<void> {
  const closing = closings.get(tx);
  if (!closing) return;
  for (const { total, write } of closing.sums.values()) await write(total);
  await enterRows(tx);
  for (const work of closing.works) await work();
  drop(tx);
}

/** Called by the writer where what was left is rolled back. */
export function drop(tx: Db): void {
  const closing = closings.get(tx);
  closing?.sums.clear();
  closing?.rows.clear();
  closing?.works.splice(0);
}
