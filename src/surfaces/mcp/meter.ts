import type { Store } from "../../../db/store.ts";
import { recordToolCall } from "../../accounts/developer/usage.ts";
import type { Principal } from "../../identity/principal.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Log } from "../../platform/log.ts";

/** Counts a finished call under the key or connection that made it. */
export type Meter = (principal: Principal, tool: string, failed: boolean) => Promise<void>;

/** Creates a meter that counts in the database. If counting fails, that is logged and the call still succeeds. */
export const createMeter =
  (store: Store, clock: Clock, log: Log): Meter =>
  async ({ firm_id, key_id, connection_id }, tool, failed) => {
    const caller = key_id ?? connection_id;
    if (caller === null) return;
    const call = { firm_id, key_id: caller, tool, failed, at: clock.now() };
    await store
      .write((tx) => recordToolCall(tx, call))
      .catch((error: unknown) => {
        log.error("a call could not be counted", { tool, error });
      });
  };
