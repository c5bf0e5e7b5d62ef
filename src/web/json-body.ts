import { type TSchema, TypeGuard } from "@sinclair/typebox";
import { Failure, invalid } from "../platform/errors.ts";
import { deepestNesting, isNestedTooDeep } from "../platform/nesting.ts";
import { problems } from "../platform/validate.ts";
import { bodyAborted } from "./bounded-body.ts";

/** The media type is case-insensitive, and may have parameters (RFC 9110, 8.3.1). */
const json = /^application\/json\s*(;|$)/i;

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalid("/body", "must be JSON");
  }
}

/**
 * A request's body as JSON, for the adapter; undefined where there is none, which is left to the schema. Throws
 * `validation_error` for anything else.
 */
export async function readJson(request: Request): Promise<unknown> {
  const text = await request.text().catch(() => {
    throw bodyAborted();
  });
  if (text === "") return undefined;
  if (!json.test(request.headers.get("content-type") ?? ""))
    throw invalid("/header/content-type", "must be application/json");
  const value = parsed(text);
  if (isNestedTooDeep(value)) throw invalid("/body", `must not be nested deeper than ${deepestNesting} levels`);
  return value;
}

/**
 * Throws `validation_error` for a body that does not fit. The framework would refuse it too, but writes the body and
 * sixty-four of its errors into one text to say so: a megabyte takes it seconds, and a property called `toString` or deep
 * nesting ends it with an error.
 */
export function checkBody(schema: TSchema, body: unknown): void {
  if (body === undefined && TypeGuard.IsOptional(schema)) return;
  const details = problems(schema, body, "/body");
  if (details.length > 0) throw new Failure("validation_error", details);
}
