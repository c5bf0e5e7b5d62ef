import type { Clock } from "../platform/clock.ts";
import type { Log } from "../platform/log.ts";
import type { EngineServices } from "../workflow/services.ts";

export interface ServiceOptions {
  readonly clock: Clock;
  readonly log: Log;
}

/** What the installation's configuration offers its engines. `serve`, the demo and `doctor` make them from it. */
export function engineServices({ clock, log }: ServiceOptions): EngineServices {
  return { clock, log };
}
