import type { Clock } from "../platform/clock.ts";
import type { MaybePromise } from "../platform/maybe-promise.ts";
import type { ActorWatch } from "./watch.ts";

/** How many may wait at once. Those who come after them are answered without a wait, and ask again. */
const waitersAtMost = 2_048;
const waitersOfFirmAtMost = 128;

/** What is waited for: a run or a job. */
export interface Waiting<Row> {
  readonly id: string;
  readonly firm_id: string;
  /** Milliseconds after which the row is answered as it is. */
  readonly ms: number;
  /** The caller's connection: nobody reads the answer once it has gone. */
  readonly signal: AbortSignal;
  readonly read: () => MaybePromise<Row>;
  /** Nothing more happens to it without somebody's doing. */
  readonly rests: (row: Row) => boolean;
  /** Is shown the row after each look. */
  readonly seen?: (row: Row) => Promise<void>;
}

export interface Waits {
  /** The row as it is when it rests, when the time is over, when the caller has gone or when the server stops. */
  until<Row>(waiting: Waiting<Row>): Promise<Row>;
}

/**
 * Lets callers wait for the end of what they started: each transition wakes them, and nothing asks the database
 * meanwhile. Made by `app.ts`; `ending` aborts when the server stops.
 */
export function createWaits(clock: Clock, watch: ActorWatch, ending: AbortSignal): Waits {
  const byFirm = new Map<string, number>();
  let waiting = 0;

  function count(firm_id: string, change: 1 | -1): void {
    const own = (byFirm.get(firm_id) ?? 0) + change;
    waiting += change;
    if (own === 0) byFirm.delete(firm_id);
    else byFirm.set(firm_id, own);
  }

  /** Reads again after each transition. */
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
      const row = await awaited.read();
      const isFull = waiting >= waitersAtMost || (byFirm.get(awaited.firm_id) ?? 0) >= waitersOfFirmAtMost;
      if (awaited.seen) await awaited.seen(row);
      if (isFull || awaited.rests(row)) return row;
      count(awaited.firm_id, 1);
      try {
        return await follow(awaited);
      } finally {
        count(awaited.firm_id, -1);
      }
    },
  };
}
