import { fail, type HealthCheck } from "../../platform/health-check.ts";
import type { Paths } from "../installation.ts";
import { CommandError } from "../io.ts";
import { installationTrouble } from "../storage-trouble.ts";

type Checks = HealthCheck | readonly HealthCheck[];
/** A check, which may be asynchronous. */
export type Check = () => Checks | Promise<Checks>;

/** Turns an error into a failed check, with the text that a command would print. */
function failed(about: string, error: unknown, paths: Paths): HealthCheck {
  const known = error instanceof CommandError ? error : installationTrouble(error, paths);
  const found = known?.message ?? (error instanceof Error ? error.message : String(error));
  return fail(about, found, known?.hint ?? "Keep the folder as it is, and run `assay verify`.");
}

/** Runs a check. An error in it becomes a failed check, so that the other checks still run. */
export async function guarded(about: string, paths: Paths, check: Check): Promise<readonly HealthCheck[]> {
  try {
    return [await check()].flat();
  } catch (error) {
    return [failed(about, error, paths)];
  }
}
