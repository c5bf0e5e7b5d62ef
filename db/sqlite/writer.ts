import type { Db } from "../store.ts";
import type { Outcome, Transition } from "../transition.ts";
import type { GroupWriter } from "./group-writer.ts";

/** At most so many transitions share a commit: it bounds how long one of them waits for the others. */
const groupLimit = 256;

interface Waiting {
  readonly transition: Transition;
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (error: unknown) => void;
}

type Transaction = () => Promise<void>;

export interface Writer {
  commit(transition: Transition): Promise<Outcome>;
  write<T>(work: (tx: Db) => Promise<T> | T): Promise<T>;
  generation(): number;
  /** Resolves when nothing is waiting to be written. */
  drained(): Promise<void>;
}

/**
 * The queue in front of the writing connection. Transitions that arrive while a group is being committed share the next
 * one; a transaction of single queries has its turn between two groups. `nextTurn` resolves on the next turn of the event
 * loop: transitions of one turn share a commit without a timer, and a lone one waits for nobody.
 */
export function createWriter(connection: GroupWriter, nextTurn: () => Promise<void>): Writer {
  let waiting: Waiting[] = [];
  const transactions: Transaction[] = [];
  let pumping: Promise<void> | undefined;
  let commits = 0;

  async function flush(): Promise<void> {
    const group = waiting.length <= groupLimit ? waiting : waiting.slice(0, groupLimit);
    waiting = waiting.length <= groupLimit ? [] : waiting.slice(groupLimit);
    try {
      const outcomes = await connection.commit(group.map(({ transition }) => transition));
      commits++;
      for (const [i, { resolve, reject }] of group.entries()) {
        const outcome = outcomes[i];
        if (outcome === undefined || outcome instanceof Error) reject(outcome);
        else resolve(outcome);
      }
    } catch (error) {
      // Nothing of the group was written (a full disk, say), and each of its writers hears so.
      for (const { reject } of group) reject(error);
    }
  }

  async function pump(): Promise<void> {
    await nextTurn();
    while (waiting.length + transactions.length > 0) {
      if (waiting.length > 0) await flush();
      await transactions.shift()?.();
    }
    pumping = undefined;
  }

  async function transact<T>(work: (tx: Db) => Promise<T> | T): Promise<T> {
    const failed = connection.failure();
    if (failed) throw failed;
    const tx = await connection.begin();
    let value: T;
    try {
      value = await work(tx);
    } catch (error) {
      await connection.end(false);
      throw error;
    }
    try {
      await connection.end(true);
    } catch (error) {
      if (!connection.failure()) await connection.end(false);
      throw error;
    }
    commits++;
    return value;
  }

  return {
    commit: (transition) =>
      new Promise((resolve, reject) => {
        waiting.push({ transition, resolve, reject });
        pumping ??= pump();
      }),
    write: (work) =>
      new Promise((resolve, reject) => {
        transactions.push(() => transact(work).then(resolve, reject));
        pumping ??= pump();
      }),
    generation: () => commits,
    drained: async () => {
      while (pumping) await pumping;
    },
  };
}
