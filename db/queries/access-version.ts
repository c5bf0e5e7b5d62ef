import type { Runtime } from "../../src/platform/runtime.ts";
import { prepared } from "../prepared.ts";
import type { Db } from "../sqlite/connection.ts";
import { type Soon, soon } from "../sqlite/soon.ts";

const accessVersion = prepared<{ name: string }, { version: number }>((db, value) =>
  db.selectFrom("versions").select("version").where("name", "=", value("name")),
);

/** So many answers are remembered at most. */
const rememberedAtMost = 50_000;

/** Looks at the version once for all requests of one turn of the event loop: no write commits within a turn. */
function versionOf(db: Db, runtime: Pick<Runtime, "soon">): () => Soon<number> {
  let looked: Soon<number> | undefined;
  return () => {
    if (looked === undefined) {
      looked = soon(accessVersion.first(db, { name: "access" }), (row) => row?.version ?? 0);
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
export type CacheByAccessVersion = <V>(read: (key: string) => Soon<V>) => (key: string) => Soon<V>;

/** Made once for each open database, by `app.ts`: all caches share one look at the version a turn. */
export function createAccessCache(db: Db, runtime: Pick<Runtime, "soon">): CacheByAccessVersion {
  const look = versionOf(db, runtime);
  return <V>(read: (key: string) => Soon<V>) => {
    const known = new Map<string, V>();
    let version = -1;

    function at(now: number, key: string): Soon<V> {
      if (now !== version || known.size >= rememberedAtMost) {
        known.clear();
        version = now;
      }
      const found = known.get(key);
      if (found !== undefined) return found;
      return soon(read(key), (value) => {
        // What was read before a change must not be remembered as if it were read after it.
        if (version === now) known.set(key, value);
        return value;
      });
    }

    return (key) => soon(look(), (now) => at(now, key));
  };
}
