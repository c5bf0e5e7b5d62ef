import { FormatRegistry, Kind, Type as T, type TSchema, TypeRegistry } from "@sinclair/typebox";
import { RE2JS } from "re2js";

/**
 * Texts with a pattern from a connector's manifest. The built-in engine goes back over a text as often as a pattern makes
 * it, and `^(a+)+$` holds the event loop for ever. This one takes time in proportion to the text.
 */

/** What a schema says about a text with a pattern. */
export interface PatternText {
  readonly pattern: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly format?: string;
}

const kind = "PatternText";
/** Characters of a text where the schema has no bound. */
const usualLength = 100_000;
/** Steps that one text may take. A list has many short ones, which count as one long one. */
const mostSteps = 5_000_000;
const fewestCharacters = 10_000;

/** Compiled once each. There are as many as the operator has written. */
const compiled = new Map<string, RE2JS>();

/** Throws for what is no pattern, and for look-around and back references, which take more than linear time. */
function compile(pattern: string): RE2JS {
  const known = compiled.get(pattern) ?? RE2JS.compile(RE2JS.translateRegExp(pattern));
  compiled.set(pattern, known);
  return known;
}

TypeRegistry.Set<PatternText>(kind, ({ pattern, minLength = 0, maxLength = usualLength, format }, value) => {
  if (typeof value !== "string" || value.length < minLength || value.length > maxLength) return false;
  if (format !== undefined && !FormatRegistry.Get(format)?.(value)) return false;
  return compile(pattern).test(value);
});

/** Whether it is a pattern that can be checked in linear time. */
export function isLinearPattern(pattern: string): boolean {
  try {
    return compile(pattern).programSize() > 0;
  } catch {
    return false;
  }
}

/** Steps that a pattern may take for each character. */
export const stepsOf = (pattern: string): number => compile(pattern).programSize();

/** Whether a text of the longest length can be checked in a moment. The pattern must be a linear one. */
export const isQuickPattern = ({ pattern, maxLength = usualLength }: PatternText): boolean =>
  stepsOf(pattern) * Math.max(maxLength, fewestCharacters) <= mostSteps;

/** The schema of such a text: published as it was written. */
export const patternText = (options: PatternText): TSchema =>
  T.Unsafe<string>({ [Kind]: kind, type: "string", ...options });
