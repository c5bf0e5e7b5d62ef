/** Tells those who listen that something outside React has changed, for `useSyncExternalStore`. */
export interface Signal {
  /** Answers how to stop listening. */
  subscribe(listener: () => void): () => void;
  publish(): void;
}

/** Makes one that nobody listens to yet. */
export function createSignal(): Signal {
  const listeners = new Set<() => void>();
  return {
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    publish() {
      for (const listener of listeners) listener();
    },
  };
}

/** One value outside React, for `useSyncExternalStore`. */
export interface Value<T> {
  readonly subscribe: Signal["subscribe"];
  get(): T;
  set(value: T): void;
}

/** Makes one; whoever listens hears of each `set`. */
export function createValue<T>(initial: T): Value<T> {
  const { subscribe, publish } = createSignal();
  let held = initial;
  return {
    subscribe,
    get: () => held,
    set(value) {
      held = value;
      publish();
    },
  };
}
