/** Throws when an internal invariant is violated. For a caller's mistake, use `failure(code)`. */
export function assert(holds: unknown, invariant: string): asserts holds {
  if (!holds) throw new Error(`invariant broken: ${invariant}`);
}

/** Returns the value, asserting that it is neither null nor undefined. */
export function present<T>(value: T | null | undefined, what: string): T {
  assert(value !== null && value !== undefined, `${what} is present`);
  return value;
}
