import type { Clock } from "../platform/clock.ts";
import { failure } from "../platform/errors.ts";
import type { MaybePromise } from "../platform/maybe-promise.ts";
import type { ActorWatch } from "./watch.ts";

/**
 * Limits on concurrent waiters, in total and per firm. Callers beyond them get the current row at once, and poll again.
 */
const waitersAtMost = 2_048;
const waitersOfFirmAtMost = 128;

/** A caller, and the credential that it came with. A principal is one. */
export interface Waiter {
  readonly firm_id: string;
  readonly user_id: string;
  readonly key_id: string | null;
  readonly session_id: string | null;
  readonly connection_id: string | null;
}

/** What a caller waits for: a run or a job. */
export interface Waiting<Row> {
  readonly id: string;
  readonly caller: Waiter;
  /** Timeout in milliseconds, after which the current row is returned. */
  readonly ms: number;
  /** Aborted when the caller's connection closes. */
  readonly signal: AbortSignal;
  readonly read: () => MaybePromise<Row>;
  /** Whether the row can only change again through a person's action. */
  readonly rests: (row: Row) => boolean;
  /** Called with the row after each read. */
  readonly seen?: (row: Row) => Promise<void>;
}

export interface Waits {
  /**
   * Returns the current row once it rests, on timeout, when the caller disconnects or when the server stops. Throws
   * `invalid_api_key` if the caller's credential was revoked or expired meanwhile.
   */
  until<Row>(waiting: Waiting<Row>): Promise<Row>;
}

/**
 * Lets callers wait for a run or a job to finish. Each transition wakes its waiters, so no one polls the database.
 * Created by `app.ts`; `ending` is aborted when the server stops, and `isValid` checks a caller's credential again.
 */
export function createWaits(
  clock: Clock,
  watch: ActorWatch,
  ending: AbortSignal,
  isValid: (caller: Waiter) => MaybePromise<boolean>,
): Waits {
  const byFirm = new Map<string, number>();
  let waiting = 0;

  function count(firm_id: string, change: 1 | -1): void {
    const own = (byFirm.get(firm_id) ?? 0) + change;
    waiting += change;
    if (own === 0) byFirm.delete(firm_id);
    else byFirm.set(firm_id, own);
  }

  /** Reads the row again after each transition. */
  async function follow<Row>({ id, ms, signal, read, rests, seen }: Waiting<Row>): Promise<Row> {
    let wake = Promise.withResolvers<void>();
    let isOver = ending.aborted || signal.aborted;
    const stop = () => {
      isOver = true;
      wake.resolve();
    };
    const unsubscribe = watch.subscribe(id, () => wake.resolve());
    const disarm = clock.after(ms, stop);
    for (const end of [ending, signal]) end.addEventListener("abort", stop, { once: true });
    try {
      for (;;) {
        const heard = wake.promise;
        const row = await read();
        if (seen) await seen(row);
        if (isOver || rests(row)) return row;
        await heard;
        wake = Promise.withResolvers();
      }
    } finally {
      disarm();
      unsubscribe();
      for (const end of [ending, signal]) end.removeEventListener("abort", stop);
    }
  }

  return {
    async until(awaited) {
      const { caller } = awaited;
      const row = await awaited.read();
      const isFull = waiting >= waitersAtMost || (byFirm.get(caller.firm_id) ?? 0) >= waitersOfFirmAtMost;
      if (awaited.seen) await awaited.seen(row);
      if (isFull || awaited.rests(row)) return row;
      count(caller.firm_id, 1);
      try {
        const last = await follow(awaited);
        if (!(await isValid(caller))) throw failure("invalid_api_key");
        return last;
      } finally {
        count(caller.firm_id, -1);
      }
    },
  };
}
