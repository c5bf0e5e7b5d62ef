/** A promise only where there is something to wait for: SQLite has answered when a prepared query returns. */
export type Soon<T> = T | Promise<T>;

/** `next` of the value, at once where it is there. */
export const soon = <T, R>(value: Soon<T>, next: (value: T) => Soon<R>): Soon<R> =>
  value instanceof Promise ? value.then(next) : next(value);
