import type { Db } from "./connection.ts";
import { prepared } from "./prepared.ts";

const accessVersion = prepared<{ name: string }, { version: number }>((db, value) =>
  db.selectFrom("versions").select("version").where("name", "=", value("name")),
);

/** So many answers are remembered at most. */
const rememberedAtMost = 50_000;

/** The version as it was seen in this turn of the event loop. */
interface Version {
  /** Undefined: nobody has looked yet. */
  seen(): number | undefined;
  look(): Promise<number>;
}

/** Looks at the version once for all requests of one turn of the event loop: no write commits within a turn. */
function versionOf(db: Db): Version {
  let looked: Promise<number> | undefined;
  let seen: number | undefined;
  return {
    seen: () => seen,
    look() {
      if (!looked) {
        looked = accessVersion.first(db, { name: "access" }).then((row) => {
          seen = row?.version ?? 0;
          return seen;
        });
        setImmediate(() => {
          looked = undefined;
          seen = undefined;
        });
      }
      return looked;
    },
  };
}

const versions = new WeakMap<Db, Version>();

/**
 * Remembers what `read` answered from keys, members, workspaces, entitlements and gates until any of them changes, by
 * this process or another: one cheap look at the version stands in for the read, so a revocation counts at once. What
 * is remembered is answered without a promise, once somebody has looked in this turn of the event loop.
 */
export function whileAccessStands<V>(db: Db, read: (key: string) => Promise<V>): (key: string) => V | Promise<V> {
  const shared = versions.get(db) ?? versionOf(db);
  versions.set(db, shared);
  const known = new Map<string, V>();
  let version = -1;

  async function looked(key: string): Promise<V> {
    const now = await shared.look();
    if (now !== version || known.size >= rememberedAtMost) {
      known.clear();
      version = now;
    }
    const found = known.get(key);
    if (found !== undefined) return found;
    const value = await read(key);
    // What was read before a change must not be remembered as if it were read behind it.
    if (version === now) known.set(key, value);
    return value;
  }

  return (key) => {
    const found = shared.seen() === version ? known.get(key) : undefined;
    return found === undefined ? looked(key) : found;
  };
}
