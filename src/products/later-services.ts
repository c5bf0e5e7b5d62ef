import type { Store } from "../../db/store.ts";
import type { Host } from "../execution/host.ts";
import type { Keyring } from "../identity/keyring.ts";
import type { Identity } from "../identity/principal.ts";
import { later } from "../platform/later.ts";
import type { Log } from "../platform/log.ts";
import type { Runtime } from "../platform/runtime.ts";
import type { Registry } from "../registry/registry.ts";
import type { EngineServices } from "../registry/services.ts";
import type { Acceptance } from "../runs/accept.ts";
import type { Conductor } from "./validator/conductor.ts";

interface LaterOptions {
  readonly store: Store;
  readonly runtime: Runtime;
  readonly log: Log;
  readonly baseUrl: string;
  readonly services: EngineServices;
}

interface LaterNeeds {
  readonly acceptance: Acceptance;
  readonly conductor: Conductor;
  readonly host: Host;
  readonly identity: Identity;
  readonly keyring: Keyring;
  readonly registry: Registry;
  readonly ending: AbortSignal;
}

/** Creates large services that few requests need, each loaded and created on first use. Called by `app.ts`. */
export function laterServices({ store, runtime, log, baseUrl, services }: LaterOptions, needs: LaterNeeds) {
  const { acceptance, conductor, host, identity, keyring, registry, ending } = needs;
  return {
    validator: later(async () => {
      const { createValidator } = await import("./validator/service.ts");
      return createValidator({ store, acceptance, conductor, identity, registry, runtime, baseUrl });
    }),
    architect: later(async () => {
      const { createArchitect } = await import("./architect/service.ts");
      return createArchitect({
        ...{ store, host, registry, identity, keyring, runtime, log, baseUrl },
        ...{ meaning: services.meaning, model: services.models.forCapability("solution-architect"), ending },
      });
    }),
    euMarket: later(async () => {
      const { createEuMarket } = await import("./eu-market/service.ts");
      return createEuMarket(services.datasets, registry);
    }),
    germany: later(async () => {
      const { createGermany } = await import("./germany/service.ts");
      return createGermany({ datasets: services.datasets, identity, runtime });
    }),
  };
}
