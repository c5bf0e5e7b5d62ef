import type { Computation } from "../../contracts/computing.ts";
import type { Detail } from "../../platform/errors.ts";

/** A value with the schema of a manifest that it is checked by. Both as JSON, which crosses to a thread in a moment. */
export interface ToCheck {
  readonly schema: string;
  readonly value: string;
  /** Where the value is. */
  readonly at: string;
}

/**
 * Checking by a connector's schema, as a computation for the pool. Its patterns take time in proportion to the text, but
 * one that tries many ways at once takes ten thousand times as long as a plain one.
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
