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

/** Whether the value has a canonical form: half a surrogate pair, say, has none, and could be neither hashed nor signed. */
export function hasCanonicalForm(value: unknown): boolean {
  try {
    canonical(value);
    return true;
  } catch {
    return false;
  }
}

/** SHA-256 over the canonical JSON, in hexadecimal. */
export const canonicalHash = (value: unknown): string => sha256Hex(canonical(value));
