import type { Detail } from "../../platform/errors.ts";
import { problems } from "../../platform/validate.ts";
import type { ToCheck } from "./computation.ts";
import { readSchema } from "./json-schema.ts";

/** Returns a value's validation errors; runs in a pool thread. The schema has been validated before. */
export function checkBySchema({ schema, value, at }: ToCheck): Detail[] {
  return problems(readSchema(JSON.parse(schema), "", false).schema, JSON.parse(value), at);
}
