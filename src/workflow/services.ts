import type { Clock } from "../platform/clock.ts";
import type { Log } from "../platform/log.ts";
import type { Engine } from "./engine.ts";

/**
 * What an installation offers its engines. Each is a small interface of the room that owns it: a new one is a line here,
 * in `src/cli/services.ts`, which makes it from the configuration, and in `test/services.ts`.
 */
export interface EngineServices {
  readonly clock: Clock;
  readonly log: Log;
}

/** An engine, or how to make it from the services of the installation that runs it. */
export type EngineSource = Engine | ((services: EngineServices) => Engine);

/** The engine itself. The registry calls it once for each capability, when the app is made. */
export const engineFrom = (source: EngineSource, services: EngineServices): Engine =>
  typeof source === "function" ? source(services) : source;
