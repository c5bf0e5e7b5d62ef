import { sql } from "kysely";
import type { Store } from "../../../db/store.ts";
import { type Clock, second } from "../../platform/clock.ts";
import { failure } from "../../platform/errors.ts";

/** How long a successful commit proves that the database is writable. */
const goodFor = 5 * second;

/** Rewrites the database's first page with the same content: the smallest commit that has to reach the disk. */
const probe = sql`pragma user_version = 0`;

/** The readiness check, for monitoring. */
export interface Readiness {
  /** Throws `database_unavailable` if the database can't be read or written. */
  check(): Promise<void>;
}

/**
 * Creates the check. It reads every time, and writes at most once in five seconds: until then the last success counts,
 * unless another commit has failed in the meantime.
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
