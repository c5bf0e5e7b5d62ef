/** Lets whoever waits for a run or a job hear of its moves, without asking the database again and again. */
export interface ActorWatch {
  /** Calls back at each move of the actor from now on; the return value ends it. */
  listen(id: string, hear: () => void): () => void;
  /** Told by the host once a move is durable. */
  moved(id: string): void;
}

/** In this process alone: whoever waits bounds the time too. */
export function createActorWatch(): ActorWatch {
  const listeners = new Map<string, Set<() => void>>();
  return {
    listen(id, hear) {
      const own = listeners.get(id) ?? new Set();
      listeners.set(id, own.add(hear));
      return () => {
        own.delete(hear);
        if (own.size === 0 && listeners.get(id) === own) listeners.delete(id);
      };
    },
    moved(id) {
      for (const hear of listeners.get(id) ?? []) hear();
    },
  };
}
