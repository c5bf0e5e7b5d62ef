import { Failure } from "../../platform/errors.ts";

/**
 * Runs an administrative service for a route, prefixing the paths of its validation errors with `place` (`/body`,
 * `/path`).
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
