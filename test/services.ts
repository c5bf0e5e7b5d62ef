import { systemClock } from "../src/platform/clock.ts";
import { createLog } from "../src/platform/log.ts";
import type { EngineServices } from "../src/workflow/services.ts";

/** Services for engines under test: nothing configured, nothing inside the network allowed. */
export function testServices(given: Partial<EngineServices> = {}): EngineServices {
  return { clock: systemClock, log: createLog("error"), ...given };
}
