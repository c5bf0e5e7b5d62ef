import { createConductor } from "./conductor.ts";
import type { StudyInstallation, StudyMovers } from "./host.ts";
import { interviewerFrom } from "./interviewer.ts";
import { createValidationKind } from "./kind.ts";
import { ValidationPerformer } from "./perform.ts";
import { createValidatorUsage } from "./usage.ts";

/** Creates everything that handles studies. Called once by `host.ts`, when the first study needs it. */
export function createMoved(
  { store, runtime, log, services, baseUrl }: StudyInstallation,
  { host, leases, watch, worker }: StudyMovers,
) {
  const kind = createValidationKind(store, { random: runtime.random, owner: leases.owner }, watch);
  const interviewer = interviewerFrom(services.models);
  const conductor = createConductor({ store, host, kind, worker, watch, runtime, log, baseUrl });
  return {
    performer: new ValidationPerformer({ store, host, kind, interviewer, runtime, log }),
    conductor,
    validatorUsage: createValidatorUsage({ store, host, kind, runtime, conductor }),
  };
}
