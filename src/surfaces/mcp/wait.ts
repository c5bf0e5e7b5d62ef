import type { ActorWatch } from "../../execution/watch.ts";
import { type Clock, second } from "../../platform/clock.ts";
import type { EventStreams } from "../../web/sse.ts";
import type { Call } from "./tool.ts";

/** No call blocks longer: what takes more answers with its handle. */
export const longestWait = 45 * second;

/** How far something is. `done` out of `total`; `rests`: nothing more happens to it without somebody's doing. */
export interface Stand {
  readonly rests: boolean;
  readonly done: number;
  readonly total: number;
  readonly message: string;
}

/** What waiting takes: who reports moves, and when to give up. */
export interface WaitServices {
  readonly clock: Clock;
  readonly watch: ActorWatch;
  readonly streams: Pick<EventStreams, "ending">;
}

/** What is waited for: a run or a job. */
export interface Awaited<Row> {
  readonly id: string;
  readonly read: () => Promise<Row>;
  readonly stand: (row: Row) => Stand;
}

/**
 * The row as it is when it rests, or after 45 seconds, or when the client has gone or the server stops. Follows
 * each transition and passes it on as progress, which the protocol wants to grow with each notification.
 */
export async function waitFor<Row>(services: WaitServices, call: Call, awaited: Awaited<Row>): Promise<Row> {
  const { clock, watch, streams } = services;
  let wake = Promise.withResolvers<void>();
  const ends = [call.signal, streams.ending];
  let over = ends.some(({ aborted }) => aborted);
  let told = -1;
  const stop = () => {
    over = true;
    wake.resolve();
  };
  const unsubscribe = watch.subscribe(awaited.id, () => wake.resolve());
  const disarm = clock.after(longestWait, stop);
  for (const end of ends) end.addEventListener("abort", stop, { once: true });
  try {
    for (;;) {
      const heard = wake.promise;
      const row = await awaited.read();
      const { rests, done, total, message } = awaited.stand(row);
      if (told < 0) await call.progress(0, total, "accepted");
      if (done > Math.max(told, 0)) await call.progress(done, total, message);
      told = Math.max(told, done);
      if (over || rests) return row;
      await heard;
      wake = Promise.withResolvers();
    }
  } finally {
    disarm();
    unsubscribe();
    for (const end of ends) end.removeEventListener("abort", stop);
  }
}
