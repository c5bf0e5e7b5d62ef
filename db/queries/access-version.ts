import { chain, type MaybePromise } from "../../src/platform/maybe-promise.ts";
import type { Runtime } from "../../src/platform/runtime.ts";
import { prepared } from "../prepared.ts";
import type { Store } from "../store.ts";

const accessVersion = prepared<{ name: string }, { version: number }>((db, value) =>
  db.selectFrom("versions").select("version").where("name", "=", value("name")),
);

/** Maximum number of cached values. */
const rememberedAtMost = 50_000;

type Watched = Pick<Store, "read" | "generation">;

/**
 * Returns a function that reads the version at most once per turn of the event loop, and again after each commit here.
 */
function versionOf({ read, generation }: Watched, runtime: Pick<Runtime, "soon">): () => MaybePromise<number> {
  let looked: MaybePromise<number> | undefined;
  let seen = -1;
  return () => {
    if (looked === undefined || seen !== generation()) {
      seen = generation();
      looked = chain(accessVersion.first(read, { name: "access" }), (row) => row?.version ?? 0);
      runtime.soon(() => {
        looked = undefined;
      });
    }
    return looked;
  };
}

/**
 * Caches what `read` returned from keys, members, workspaces, entitlements, gates, quotas and connectors until any of
 * them changes, in any process. A call only checks the version instead of reading, so a revocation takes effect at
 * once.
 */
export type CacheByAccessVersion = <V>(read: (key: string) => MaybePromise<V>) => (key: string) => MaybePromise<V>;

/** Created once per open database, by `app.ts`. All caches share one check of the version per turn. */
export function createAccessCache(store: Watched, runtime: Pick<Runtime, "soon">): CacheByAccessVersion {
  const look = versionOf(store, runtime);
  return <V>(read: (key: string) => MaybePromise<V>) => {
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
        // A value read before a change must not be cached under the version after it.
        if (version === now) known.set(key, value);
        return value;
      });
    }

    return (key) => chain(look(), (now) => at(now, key));
  };
}
