/** A promise only where there is something to wait for: a query on a local SQLite connection has answered when it returns. */
export type MaybePromise<T> = T | Promise<T>;

/** `next` of the value: at once where it is there, else after it. Called on paths that every request takes. */
export const chain = <T, R>(value: MaybePromise<T>, next: (value: T) => MaybePromise<R>): MaybePromise<R> =>
  value instanceof Promise ? value.then(next) : next(value);
