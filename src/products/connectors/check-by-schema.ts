import type { Detail } from "../../platform/errors.ts";
import { problems } from "../../platform/validate.ts";
import type { ToCheck } from "./computation.ts";
import { readSchema } from "./json-schema.ts";

/** What is wrong with a value, in a thread of the pool. The schema was read before, and is good. */
export function checkBySchema({ schema, value, at }: ToCheck): Detail[] {
  return problems(readSchema(JSON.parse(schema), "", false).schema, JSON.parse(value), at);
}
