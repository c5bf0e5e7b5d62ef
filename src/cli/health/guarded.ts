import { fail, type HealthCheck } from "../../platform/health-check.ts";
import type { Paths } from "../installation.ts";
import { CommandError } from "../io.ts";
import { installationTrouble } from "../storage-trouble.ts";

type Checks = HealthCheck | readonly HealthCheck[];
/** What finds something, at once or later. */
export type Check = () => Checks | Promise<Checks>;

/** A check's failure, as the command that stumbles over it would put it. */
function failed(about: string, error: unknown, paths: Paths): HealthCheck {
  const known = error instanceof CommandError ? error : installationTrouble(error, paths);
  const found = known?.message ?? (error instanceof Error ? error.message : String(error));
  return fail(about, found, known?.hint ?? "Keep the folder as it is, and run `assay verify`.");
}

/** What a check finds. One that can't be carried out fails itself: the others are most wanted then. */
export async function guarded(about: string, paths: Paths, check: Check): Promise<readonly HealthCheck[]> {
  try {
    return [await check()].flat();
  } catch (error) {
    return [failed(about, error, paths)];
  }
}
