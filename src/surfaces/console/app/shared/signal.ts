/** Notifies listeners of a change outside React, for `useSyncExternalStore`. */
export interface Signal {
  /** Adds a listener. The returned function removes it. */
  subscribe(listener: () => void): () => void;
  publish(): void;
}

/** Creates a signal without listeners. */
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

/** A value outside React, for `useSyncExternalStore`. */
export interface Value<T> {
  readonly subscribe: Signal["subscribe"];
  get(): T;
  set(value: T): void;
}

/** Creates a value that notifies its listeners of each `set`. */
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
