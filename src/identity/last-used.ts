import { type Clock, minute } from "../platform/clock.ts";

/** A key or a connection, as read from the database. */
export interface Credential {
  readonly id: string;
  readonly firm_id: string;
  readonly last_used_at: number | null;
}

const rememberedAtMost = 10_000;

/**
 * Records when credentials were last used, to the minute, so that not every read causes a write. API keys and
 * connections each have their own instance. Returns at once; the write follows, and if it fails, the next use retries
 * it.
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
