import { type Clock, minute } from "../platform/clock.ts";

/** A credential as it was found: a key or a connection. */
export interface Credential {
  readonly id: string;
  readonly firm_id: string;
  readonly last_used_at: number | null;
}

const rememberedAtMost = 10_000;

/**
 * Records when credentials were used, to the minute, so that reading does not become writing. API keys and connections
 * each have one. Returns at once: `write` follows, and is tried again at the next use where it fails.
 */
export function createLastUsed(clock: Clock, write: (credential: Credential, at: number) => Promise<unknown>) {
  const recorded = new Map<string, number>();
  return (credential: Credential): void => {
    const { id, last_used_at } = credential;
    const now = clock.now();
    if (now - (recorded.get(id) ?? last_used_at ?? 0) < minute) return;
    if (recorded.size > rememberedAtMost) recorded.clear();
    recorded.set(id, now);
    write(credential, now).catch(() => recorded.delete(id));
  };
}
