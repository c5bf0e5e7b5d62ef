import { sql } from "kysely";
import type { Store } from "../../../db/store.ts";
import { type Clock, second } from "../../platform/clock.ts";
import { failure } from "../../platform/errors.ts";

/** For so long a commit that was tried out says that there will be another. */
const goodFor = 5 * second;

/** Rewrites the first page of the database with what it holds: the smallest commit that has to reach the disk. */
const probe = sql`pragma user_version = 0`;

/** Whether requests can be served: asked by those who monitor the server. */
export interface Readiness {
  /** Throws `database_unavailable` while something can't be read or written. */
  check(): Promise<void>;
}

/**
 * Reads, and writes at most once in five seconds however often it is asked: until then what was found holds, unless
 * somebody's commit has failed meanwhile.
 */
export function createReadiness(store: Store, clock: Pick<Clock, "now">): Readiness {
  let provedAt = Number.NEGATIVE_INFINITY;
  let underWay: Promise<void> | undefined;

  async function tryOut(): Promise<void> {
    await store.write((tx) => probe.execute(tx));
    provedAt = clock.now();
  }

  return {
    async check() {
      try {
        await sql`select 1`.execute(store.read);
        const age = clock.now() - provedAt;
        if (age >= 0 && age < goodFor && store.trouble() === undefined) return;
        underWay ??= tryOut().finally(() => {
          underWay = undefined;
        });
        await underWay;
      } catch (error) {
        throw failure("database_unavailable", error);
      }
    },
  };
}
