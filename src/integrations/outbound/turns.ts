/** So many requests at once to one host, as a browser would; further ones wait, first come, first served. */
export function createTurns(atOnce: number) {
  const hosts = new Map<string, { active: number; readonly waiting: Set<() => void> }>();

  /** Resolves with what gives the turn back. Throws the signal's reason when it aborts first. */
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
