import type { Db } from "./connection.ts";
import { prepared } from "./prepared.ts";

const accessVersion = prepared<{ name: string }, { version: number }>((db, value) =>
  db.selectFrom("versions").select("version").where("name", "=", value("name")),
);

/** So many answers are remembered at most. */
const rememberedAtMost = 50_000;

/**
 * Remembers what `read` answered from keys, members, workspaces, entitlements and gates until any of them changes, by
 * this process or another: one cheap look at the version stands in for the read, so a revocation counts at once.
 */
export function whileAccessStands<V>(db: Db, read: (key: string) => Promise<V>): (key: string) => Promise<V> {
  const known = new Map<string, V>();
  let version = -1;
  return async (key) => {
    const now = (await accessVersion.first(db, { name: "access" }))?.version ?? 0;
    if (now !== version || known.size >= rememberedAtMost) {
      known.clear();
      version = now;
    }
    const found = known.get(key);
    if (found !== undefined) return found;
    const value = await read(key);
    known.set(key, value);
    return value;
  };
}
