import type { Waits } from "../../execution/wait.ts";
import { second } from "../../platform/clock.ts";
import type { Call } from "./tool.ts";

/** Maximum time that a call waits. Longer work returns its id to poll. */
export const longestWait = 45 * second;

/** The progress of a run or job: `done` out of `total`. `rests`: nothing more happens without someone's action. */
export interface Stand {
  readonly rests: boolean;
  readonly done: number;
  readonly total: number;
  readonly message: string;
}

/** Services used for waiting. */
export interface WaitServices {
  readonly waits: Waits;
}

/** The run or job to wait for. */
export interface Awaited<Row> {
  readonly id: string;
  readonly read: () => Promise<Row>;
  readonly stand: (row: Row) => Stand;
}

/**
 * Waits until the row rests, 45 seconds have passed, the client has disconnected or the server stops, and returns the
 * row as it is then. Each transition is reported as progress, which must grow with each notification.
 */
export async function waitFor<Row>({ waits }: WaitServices, call: Call, awaited: Awaited<Row>): Promise<Row> {
  const { id, read, stand } = awaited;
  let told = -1;
  async function seen(row: Row): Promise<void> {
    const { done, total, message } = stand(row);
    if (told < 0) await call.progress(0, total, "accepted");
    if (done > Math.max(told, 0)) await call.progress(done, total, message);
    told = Math.max(told, done);
  }
  const rests = (row: Row) => stand(row).rests;
  return waits.until({ id, caller: call.principal, ms: longestWait, signal: call.signal, read, rests, seen });
}
