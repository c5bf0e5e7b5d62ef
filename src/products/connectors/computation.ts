import type { Computation } from "../../contracts/computing.ts";
import type { Detail } from "../../platform/errors.ts";

/** A value and the schema it is checked against, both as JSON, which is cheap to pass to a thread. */
export interface ToCheck {
  readonly schema: string;
  readonly value: string;
  /** The path of the value. */
  readonly at: string;
}

/**
 * Validation against a connector's schema, as a computation for the pool. Its patterns take linear time, but one that
 * tracks many alternatives takes ten thousand times as long as a plain one.
 */
export const schemaCheck: Computation<ToCheck, readonly Detail[]> = {
  name: "schema-check",
  budget: { ms: 1_000, memory_mib: 256 },
  isHeavy: () => true,
  async load() {
    const { checkBySchema } = await import("./check-by-schema.ts");
    return checkBySchema;
  },
};
