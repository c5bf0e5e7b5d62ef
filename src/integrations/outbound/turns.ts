/** Limits concurrent requests per host, as a browser does. Further ones wait in order of arrival. */
export function createTurns(atOnce: number) {
  const hosts = new Map<string, { active: number; readonly waiting: Set<() => void> }>();

  /** Resolves with a function that releases the slot. Throws the signal's reason if it aborts first. */
  return async function takeTurn(host: string, signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    const line = hosts.get(host) ?? { active: 0, waiting: new Set() };
    hosts.set(host, line);
    if (line.active < atOnce) line.active++;
    else
      await new Promise<void>((resolve, reject) => {
        const give = () => {
          signal.removeEventListener("abort", leave);
          resolve();
        };
        const leave = () => {
          line.waiting.delete(give);
          reject(signal.reason);
        };
        line.waiting.add(give);
        signal.addEventListener("abort", leave, { once: true });
      });
    return () => {
      const [next] = line.waiting;
      if (next) {
        line.waiting.delete(next);
        next();
      } else if (--line.active === 0) hosts.delete(host);
    };
  };
}
