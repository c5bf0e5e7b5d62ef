import canonicalize from "canonicalize";
import { assert } from "./assert.ts";
import { sha256Hex } from "./ids.ts";

/** Any value that JSON can carry. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** RFC 8785 canonical JSON: the same text for the same value, whatever the order of its members. */
export function canonical(value: unknown): string {
  const text = canonicalize(value);
  assert(text !== undefined, "the value is JSON");
  return text;
}

/**
 * Whether a value is what `JSON.parse` makes, without half a surrogate pair in a text or a name. For values of fifty
 * thousand members: nothing is made while it is looked at. Throws a `RangeError` for one without end.
 */
export function isWellFormed(value: unknown): boolean {
  if (typeof value === "string") return value.isWellFormed();
  if (typeof value === "number") return Number.isFinite(value);
  if (typeof value !== "object" || value === null) return typeof value === "boolean" || value === null;
  if (Array.isArray(value)) return value.every(isWellFormed);
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return false;
  return Object.entries(value).every(([name, member]) => name.isWellFormed() && isWellFormed(member));
}

/** Whether the value has a canonical form: half a surrogate pair, say, has none, and could be neither hashed nor signed. */
export function hasCanonicalForm(value: unknown): boolean {
  try {
    if (isWellFormed(value)) return true;
    canonical(value);
    return true;
  } catch {
    return false;
  }
}

/** SHA-256 over the canonical JSON, in hexadecimal. */
export const canonicalHash = (value: unknown): string => sha256Hex(canonical(value));
