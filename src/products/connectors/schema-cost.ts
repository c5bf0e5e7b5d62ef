import type { TSchema } from "@sinclair/typebox";
import { stepsOf } from "./pattern.ts";

/**
 * What checking a value by a connector's schema costs at worst, in nanoseconds. Measured with patterns that try many ways
 * at once, lists of large objects without duplicates, and alternatives of alternatives: `src/products/connectors/checks.ts`
 * keeps what may take long out of the event loop.
 */
const perStep = 80;
/** A list without duplicates hashes the whole of each item. */
const perUniqueCharacter = 400;
const perNode = 10;
/** Values in what is sent or answered: `src/platform/json-bounds.ts` refuses more. */
const mostValues = 50_000;

/** Stands for a length that a schema leaves open: infinity times an empty list would be no number. */
const unbounded = 2 ** 30;

/** Nanoseconds for the event loop, one piece of which may take 20 ms: a refusal looks twice, and code is slow at first. */
const loopShare = 5_000_000;

/** Characters that a value's JSON may have, at most. */
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

/** Of a schema by which `times` values are checked that have `characters` in all. */
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

/** Whether a value of so many characters may take too long to be checked in the event loop. */
export const takesLong = (schema: TSchema, characters: number): boolean => costOf(schema, characters, 1) > loopShare;
