/**
 * A promise only if there is something to wait for: a query on a local SQLite connection returns its result directly.
 */
export type MaybePromise<T> = T | Promise<T>;

/** Applies `next` to the value, synchronously if the value is not a promise. Used on paths that every request takes. */
export const chain = <T, R>(value: MaybePromise<T>, next: (value: T) => MaybePromise<R>): MaybePromise<R> =>
  value instanceof Promise ? value.then(next) : next(value);
