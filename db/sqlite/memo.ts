import type { Db } from "./connection.ts";

const memos = new WeakMap<Db, Map<string, unknown>>();

function memoOf(tx: Db): Map<string, unknown> {
  let memo = memos.get(tx);
  if (!memo) {
    memo = new Map();
    memos.set(tx, memo);
  }
  return memo;
}

/** Called by the writer where something was rolled back, or another connection has written. */
export const forget = (tx: Db): void => memos.get(tx)?.clear();

/** What an earlier job has left for the later ones, such as the audit chain's end. */
export const recall = <T>(tx: Db, name: string): T | undefined => memoOf(tx).get(name) as T | undefined;

export const remember = (tx: Db, name: string, value: unknown): void => void memoOf(tx).set(name, value);
