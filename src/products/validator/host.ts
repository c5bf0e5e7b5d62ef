import type { Store } from "../../../db/store.ts";
import type { StudyDesk } from "../../contracts/study.ts";
import type { Host } from "../../execution/host.ts";
import type { Leases } from "../../execution/leases.ts";
import type { ActorWatch } from "../../execution/watch.ts";
import type { Worker } from "../../execution/worker.ts";
import type { Models } from "../../integrations/models/models.ts";
import { later } from "../../platform/later.ts";
import type { Log } from "../../platform/log.ts";
import type { Runtime } from "../../platform/runtime.ts";
import { createConductor } from "./conductor.ts";
import { validationMachineName } from "./decide.ts";
import { interviewerFrom } from "./interviewer.ts";
import { createValidationKind } from "./kind.ts";
import { createValidatorUsage } from "./usage.ts";

/** The installation that studies are carried out in. */
export interface StudyInstallation {
  readonly store: Store;
  readonly runtime: Runtime;
  readonly log: Log;
  readonly baseUrl: string;
  readonly services: { readonly models: Models; readonly studies: StudyDesk };
}

/** The host of all actors, and what goes with it. */
export interface StudyMovers {
  readonly host: Host;
  readonly leases: Pick<Leases, "owner">;
  readonly watch: ActorWatch;
  readonly worker: Worker;
}

/** What moves studies, on the host of runs and jobs. Called by `app.ts`. */
export function hostStudies(
  { store, runtime, log, services, baseUrl }: StudyInstallation,
  { host, leases, watch, worker }: StudyMovers,
) {
  const kind = createValidationKind(store, { random: runtime.random, owner: leases.owner }, watch);
  const interviewer = interviewerFrom(services.models);
  const performer = later(async () => {
    const { ValidationPerformer } = await import("./perform.ts");
    return new ValidationPerformer({ store, host, kind, interviewer, runtime, log });
  });
  worker.handle(validationMachineName, (effect, control) => performer.carryOut(effect, control));
  const conductor = createConductor({ store, host, kind, worker, watch, runtime, baseUrl });
  services.studies.conductor = conductor;
  return { conductor, validatorUsage: createValidatorUsage({ store, host, kind, runtime }) };
}
