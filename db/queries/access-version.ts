import { chain, type MaybePromise } from "../../src/platform/maybe-promise.ts";
import { prepared } from "../prepared.ts";
import type { Db } from "../store.ts";

const accessVersion = prepared<{ name: string }, { version: number }>((db, value) =>
  db.selectFrom("versions").select("version").where("name", "=", value("name")),
);

/** So many answers are remembered at most. */
const rememberedAtMost = 50_000;

/** Looks at the version once for all requests of one turn of the event loop: no write commits within a turn. */
function versionOf(db: Db): () => MaybePromise<number> {
  let looked: MaybePromise<number> | undefined;
  return () => {
    if (looked === undefined) {
      looked = chain(accessVersion.first(db, { name: "access" }), (row) => row?.version ?? 0);
      setImmediate(() => {
        looked = undefined;
      });
    }
    return looked;
  };
}

const versions = new WeakMap<Db, () => MaybePromise<number>>();

/**
 * Remembers what `read` answered from keys, members, workspaces, entitlements, gates, quotas and connectors until any of
 * them changes, by this process or another: one cheap look at the version stands in for the read, so a revocation counts
 * at once.
 */
export function cacheByAccessVersion<V>(
  db: Db,
  read: (key: string) => MaybePromise<V>,
): (key: string) => MaybePromise<V> {
  const look = versions.get(db) ?? versionOf(db);
  versions.set(db, look);
  const known = new Map<string, V>();
  let version = -1;

  function at(now: number, key: string): MaybePromise<V> {
    if (now !== version || known.size >= rememberedAtMost) {
      known.clear();
      version = now;
    }
    const found = known.get(key);
    if (found !== undefined) return found;
    return chain(read(key), (value) => {
      // What was read before a change must not be remembered as if it were read behind it.
      if (version === now) known.set(key, value);
      return value;
    });
  }

  return (key) => chain(look(), (now) => at(now, key));
}
