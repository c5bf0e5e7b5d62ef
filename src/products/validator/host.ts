import type { Store } from "../../../db/store.ts";
import type { StudyDesk } from "../../contracts/study.ts";
import type { Host } from "../../execution/host.ts";
import type { Leases } from "../../execution/leases.ts";
import type { ActorWatch } from "../../execution/watch.ts";
import type { Worker } from "../../execution/worker.ts";
import type { Models } from "../../integrations/models/models.ts";
import { later } from "../../platform/later.ts";
import type { Log } from "../../platform/log.ts";
import { once } from "../../platform/once.ts";
import type { Runtime } from "../../platform/runtime.ts";
import { validationMachineName } from "./machine-name.ts";

/** The parts of the installation that studies need. */
export interface StudyInstallation {
  readonly store: Store;
  readonly runtime: Runtime;
  readonly log: Log;
  readonly baseUrl: string;
  readonly services: { readonly models: Models; readonly studies: StudyDesk };
}

/** The actors' host and what belongs to it. */
export interface StudyMovers {
  readonly host: Host;
  readonly leases: Pick<Leases, "owner">;
  readonly watch: ActorWatch;
  readonly worker: Worker;
}

/**
 * Sets up the handling of studies on the host of runs and jobs; the code is loaded with the first study. Called by
 * `app.ts`.
 */
export function hostStudies(installation: StudyInstallation, movers: StudyMovers) {
  const moved = once(async () => (await import("./moved.ts")).createMoved(installation, movers));
  const conductor = later(async () => (await moved()).conductor);
  movers.worker.handle(validationMachineName, async (effect, control) =>
    (await moved()).performer.carryOut(effect, control),
  );
  installation.services.studies.conductor = conductor;
  return { conductor, validatorUsage: later(async () => (await moved()).validatorUsage) };
}
