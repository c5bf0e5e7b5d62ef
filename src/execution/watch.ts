/** Lets those who wait for a run or a job follow its transitions, without asking the database again and again. */
export interface ActorWatch {
  /** Calls back at each transition of the actor from now on; the return value ends it. */
  subscribe(id: string, listener: () => void): () => void;
  /** Called by the host once a transition is durable. */
  publish(id: string): void;
}

/** In this process alone: those who wait bound the time too. */
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
