import type { TSchema } from "@sinclair/typebox";
import { invalid } from "../../platform/errors.ts";
import { problems } from "../../platform/validate.ts";
import { idempotencyHeader } from "../../runs/schema.ts";

/** The `_meta` member in which a client sends an idempotency key. */
export const idempotencyMeta = "assay/idempotency-key";

/** The schema of the key, the same as of the REST header. */
export const IdempotencyKey = idempotencyHeader;

/** Throws `validation_error` for a key that the equivalent REST route would not accept. */
export function checkKey(schema: TSchema, given: unknown): void {
  const [problem] = given === undefined ? [] : problems(schema, given, `/_meta/${idempotencyMeta}`);
  if (problem) throw invalid(problem.path, problem.message);
}

/** Advice for callers who repeat a failed call. */
export const freshKeyAdvice = "The same idempotency key would return this outcome again: send a new key.";
