import { Failure } from "../../platform/errors.ts";

/**
 * Runs a service of the administrator's for a route: what it finds wrong with a member it names by the member alone, and
 * a request has it at `place` (`/body`, `/path`).
 */
export async function placed<T>(place: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== "validation_error") throw error;
    const details = error.details.map(({ path, message }) => ({
      path: path.startsWith(`${place}/`) ? path : place + path,
      message,
    }));
    throw new Failure("validation_error", details, { cause: error.cause });
  }
}
