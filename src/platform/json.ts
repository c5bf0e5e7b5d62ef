import canonicalize from "canonicalize";
import { assert } from "./assert.ts";
import { sha256Hex } from "./ids.ts";

/** Any JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** Returns RFC 8785 canonical JSON: equal values give the same text, whatever the order of their members. */
export function canonical(value: unknown): string {
  const text = canonicalize(value);
  assert(text !== undefined, "the value is JSON");
  return text;
}

/**
 * Returns whether a value is one that `JSON.parse` produces, without unpaired surrogates in strings or names. It
 * allocates nothing, because values may have fifty thousand members. Throws a `RangeError` for a circular value.
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

/**
 * Returns whether the value has a canonical form. One with an unpaired surrogate, for example, has none and could be
 * neither hashed nor signed.
 */
export function hasCanonicalForm(value: unknown): boolean {
  try {
    if (isWellFormed(value)) return true;
    canonical(value);
    return true;
  } catch {
    return false;
  }
}

/** SHA-256 of the canonical JSON, in hex. */
export const canonicalHash = (value: unknown): string => sha256Hex(canonical(value));
