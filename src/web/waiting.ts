import { Type as T } from "@sinclair/typebox";
import type { Waiting, Waits } from "../execution/wait.ts";
import { second } from "../platform/clock.ts";
import type { MaybePromise } from "../platform/maybe-promise.ts";

/** The query of a route that can wait, in seconds, for its resource to finish. */
export const WaitQuery = T.Object({ wait: T.Optional(T.Integer({ minimum: 1, maximum: 60 })) });

/** Returns the current row; with `wait`, once it has settled, or as it is when the time is up. */
export function afterWait<Row>(
  waits: Waits,
  request: Request,
  wait: number | undefined,
  awaited: Pick<Waiting<Row>, "id" | "caller" | "read" | "rests">,
): MaybePromise<Row> {
  if (wait === undefined) return awaited.read();
  // Read only here, because a request creates its signal on first access.
  return waits.until({ ...awaited, ms: wait * second, signal: request.signal });
}
