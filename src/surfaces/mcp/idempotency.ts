import type { TSchema } from "@sinclair/typebox";
import { invalid } from "../../platform/errors.ts";
import { problems } from "../../platform/validate.ts";
import { idempotencyHeader } from "../../runs/schema.ts";

/** Where a client puts a key under which a repeated call is the same call. */
export const idempotencyMeta = "assay/idempotency-key";

/** The same key as the header of the routes. */
export const IdempotencyKey = idempotencyHeader;

/** Throws `validation_error` for a key that the route of the same work would not take either. */
export function checkKey(schema: TSchema, given: unknown): void {
  const [problem] = given === undefined ? [] : problems(schema, given, `/_meta/${idempotencyMeta}`);
  if (problem) throw invalid(problem.path, problem.message);
}

/** What a caller has to know who repeats what has failed. */
export const freshKeyAdvice = "An idempotency key that was sent finds this one again: send a new key.";
