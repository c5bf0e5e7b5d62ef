import type { TSchema } from "@sinclair/typebox";
import { stepsOf } from "./pattern.ts";

/**
 * Worst-case cost of validating a value against a connector's schema, in nanoseconds. Measured with patterns that track
 * many alternatives, lists of large unique objects, and nested alternatives. `src/products/connectors/checks.ts` keeps
 * expensive checks off the event loop.
 */
const perStep = 80;
/** For a list of unique items, which hashes each item completely. */
const perUniqueCharacter = 400;
const perNode = 10;
/** Maximum number of values in a payload: `src/platform/json-bounds.ts` rejects more. */
const mostValues = 50_000;

/** Replaces an open length, since infinity times an empty list would be NaN. */
const unbounded = 2 ** 30;

/**
 * Budget for the event loop in nanoseconds. One task may take 20 ms, but a refusal validates twice and cold code is
 * slow.
 */
const loopShare = 5_000_000;

/** Returns the maximum length of a value's JSON, in characters. */
function lengthOf(schema: TSchema): number {
  const { anyOf, items, properties } = schema;
  if (anyOf) return Math.max(...anyOf.map(lengthOf));
  if (items) return (schema.maxItems ?? unbounded) * (1 + lengthOf(items));
  if (schema.additionalProperties === true) return unbounded;
  if (properties)
    return Object.entries<TSchema>(properties).reduce((sum, [name, one]) => sum + name.length + 4 + lengthOf(one), 2);
  if (schema.type === "string") return 2 + (schema.maxLength ?? unbounded);
  return 25;
}

/** Returns the cost of checking `times` values with `characters` characters in all. */
function costOf(schema: TSchema, characters: number, times: number): number {
  const { anyOf, items, properties } = schema;
  const own = perNode * Math.min(times, mostValues);
  if (anyOf) return own + anyOf.reduce((sum: number, one: TSchema) => sum + costOf(one, characters, times), 0);
  if (items) {
    const unique = schema.uniqueItems ? perUniqueCharacter * Math.min(times * lengthOf(schema), characters) : 0;
    return own + unique + costOf(items, characters, Math.min(times * (schema.maxItems ?? mostValues), mostValues));
  }
  if (properties)
    return Object.values<TSchema>(properties).reduce((sum, one) => sum + costOf(one, characters, times), own);
  if (!schema.pattern) return own;
  return own + perStep * stepsOf(schema.pattern) * Math.min(times * lengthOf(schema), characters);
}

/** Whether a value of `characters` characters may take too long to validate on the event loop. */
export const takesLong = (schema: TSchema, characters: number): boolean => costOf(schema, characters, 1) > loopShare;
