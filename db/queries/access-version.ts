import { chain, type MaybePromise } from "../../src/platform/maybe-promise.ts";
import type { Runtime } from "../../src/platform/runtime.ts";
import { prepared } from "../prepared.ts";
import type { Store } from "../store.ts";

const accessVersion = prepared<{ name: string }, { version: number }>((db, value) =>
  db.selectFrom("versions").select("version").where("name", "=", value("name")),
);

/** So many answers are remembered at most. */
const rememberedAtMost = 50_000;

type Watched = Pick<Store, "read" | "generation">;

/** Looks at the version once for all requests of one turn of the event loop, and again after each commit of our own. */
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
 * Remembers what `read` answered from keys, members, workspaces, entitlements, gates, quotas and connectors until any of
 * them changes, by this process or another: one cheap look at the version stands in for the read, so a revocation counts
 * at once.
 */
export type CacheByAccessVersion = <V>(read: (key: string) => MaybePromise<V>) => (key: string) => MaybePromise<V>;

/** Made once for each open database, by `app.ts`: all caches share one look at the version a turn. */
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
        // What was read before a change must not be remembered as if it were read after it.
        if (version === now) known.set(key, value);
        return value;
      });
    }

    return (key) => chain(look(), (now) => at(now, key));
  };
}
