import { Type as T } from "@sinclair/typebox";
import type { Waiting, Waits } from "../execution/wait.ts";
import { second } from "../platform/clock.ts";
import type { MaybePromise } from "../platform/maybe-promise.ts";

/** The query of a route that may wait for the end of what it answers with, in seconds. */
export const WaitQuery = T.Object({ wait: T.Optional(T.Integer({ minimum: 1, maximum: 60 })) });

/** What a route answers with, as it is; with `wait`, once it rests or as it is after so many seconds. */
export function afterWait<Row>(
  waits: Waits,
  request: Request,
  wait: number | undefined,
  awaited: Pick<Waiting<Row>, "id" | "firm_id" | "read" | "rests">,
): MaybePromise<Row> {
  if (wait === undefined) return awaited.read();
  // Only here: a request makes its signal when it is first asked for.
  return waits.until({ ...awaited, ms: wait * second, signal: request.signal });
}
