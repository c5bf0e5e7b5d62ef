import type { Waits } from "../../execution/wait.ts";
import { second } from "../../platform/clock.ts";
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

/** What waiting takes. */
export interface WaitServices {
  readonly waits: Waits;
}

/** What is waited for: a run or a job. */
export interface Awaited<Row> {
  readonly id: string;
  readonly read: () => Promise<Row>;
  readonly stand: (row: Row) => Stand;
}

/**
 * The row as it is when it rests, or after 45 seconds, or when the client has gone or the server stops. Each
 * transition is passed on as progress, which the protocol wants to grow with each notification.
 */
export async function waitFor<Row>({ waits }: WaitServices, call: Call, awaited: Awaited<Row>): Promise<Row> {
  const { id, read, stand } = awaited;
  const { firm_id } = call.principal;
  let told = -1;
  async function seen(row: Row): Promise<void> {
    const { done, total, message } = stand(row);
    if (told < 0) await call.progress(0, total, "accepted");
    if (done > Math.max(told, 0)) await call.progress(done, total, message);
    told = Math.max(told, done);
  }
  const rests = (row: Row) => stand(row).rests;
  return waits.until({ id, firm_id, ms: longestWait, signal: call.signal, read, rests, seen });
}
