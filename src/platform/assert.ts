/** Stops on a broken invariant of ours. Never for a caller's mistake: those are `failure(code)`. */
export function assert(holds: unknown, invariant: string): asserts holds {
  if (!holds) throw new Error(`invariant broken: ${invariant}`);
}

/** The value, where ours to guarantee that there is one. */
export function present<T>(value: T | null | undefined, what: string): T {
  assert(value !== null && value !== undefined, `${what} is present`);
  return value;
}
