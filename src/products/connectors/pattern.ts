import { FormatRegistry, Kind, Type as T, type TSchema, TypeRegistry } from "@sinclair/typebox";
import { RE2JS } from "re2js";

/**
 * Patterns from a connector's manifest. The built-in regex engine backtracks, so that `^(a+)+$` can block the event
 * loop forever. This engine takes linear time.
 */

/** The schema options of a text with a pattern. */
export interface PatternText {
  readonly pattern: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly format?: string;
}

const kind = "PatternText";
/** Assumed maximum length of a text, in characters, if the schema sets none. */
const usualLength = 100_000;
/** Maximum number of steps for one text. A list of many short texts counts as one long one. */
const mostSteps = 5_000_000;
const fewestCharacters = 10_000;

/** Cache of compiled patterns; the operator's manifests bound its size. */
const compiled = new Map<string, RE2JS>();

/** Throws for an invalid pattern, and for look-around and back references, which need more than linear time. */
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

/** Whether a pattern can be matched in linear time. */
export function isLinearPattern(pattern: string): boolean {
  try {
    return compile(pattern).programSize() > 0;
  } catch {
    return false;
  }
}

/** Returns the maximum number of steps per character. */
export const stepsOf = (pattern: string): number => compile(pattern).programSize();

/** Whether a text of the maximum length can be checked quickly. The pattern must be linear. */
export const isQuickPattern = ({ pattern, maxLength = usualLength }: PatternText): boolean =>
  stepsOf(pattern) * Math.max(maxLength, fewestCharacters) <= mostSteps;

/** Returns the schema of a text with a pattern, published as written. */
export const patternText = (options: PatternText): TSchema =>
  T.Unsafe<string>({ [Kind]: kind, type: "string", ...options });
