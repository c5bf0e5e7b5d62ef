import type { Db } from "./connection.ts";

const memos = new WeakMap<Db, Map<string, unknown>>();

/** Called by the writer at each transaction, and by whoever changes what is remembered. */
export const forget = (tx: Db): void => memos.get(tx)?.clear();

/**
 * Reads once for all jobs of a group what none of them changes behind the others' back: open gates, the audit chain's
 * end. Whoever changes it in a write says so by `remember`.
 */
export async function once<T>(tx: Db, name: string, read: () => Promise<T>): Promise<T> {
  const memo = memoOf(tx);
  if (!memo.has(name)) memo.set(name, await read());
  return memo.get(name) as T;
}

export const remember = (tx: Db, name: string, value: unknown): void => void memoOf(tx).set(name, value);

function memoOf(tx: Db): Map<string, unknown> {
  let memo = memos.get(tx);
  if (!memo) {
    memo = new Map();
    memos.set(tx, memo);
  }
  return memo;
}
