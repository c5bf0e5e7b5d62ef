/** Notifies those who wait for a run or a job of its transitions, so that they need not poll the database. */
export interface ActorWatch {
  /** Calls `listener` on each later transition of the actor. The returned function unsubscribes. */
  subscribe(id: string, listener: () => void): () => void;
  /** Called by the host once a transition is durable. */
  publish(id: string): void;
}

/** Notifies within this process only; waiters also have a timeout, for transitions made by other processes. */
export function createActorWatch(): ActorWatch {
  const listeners = new Map<string, Set<() => void>>();
  return {
    subscribe(id, listener) {
      const own = listeners.get(id) ?? new Set();
      listeners.set(id, own.add(listener));
      return () => {
        own.delete(listener);
        if (own.size === 0 && listeners.get(id) === own) listeners.delete(id);
      };
    },
    publish(id) {
      for (const listener of listeners.get(id) ?? []) listener();
    },
  };
}
