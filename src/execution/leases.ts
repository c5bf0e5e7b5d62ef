import { allEffects, claimFreeEffects, leaseOf } from "../../db/queries/effects.ts";
import type { EffectTable } from "../../db/schema/tables.ts";
import type { Store } from "../../db/store.ts";
import { unscoped } from "../../db/tenancy.ts";
import { type Clock, minute } from "../platform/clock.ts";
import type { Log } from "../platform/log.ts";
import type { Control } from "./control.ts";
import { transitionOf } from "./transition.ts";

/**
 * Leases decide which process carries out an effect. The transition that adds an effect also leases it, so short work
 * needs no extra write; only work that takes longer than half a lease renews it. A lease prevents duplicate work. That
 * the outcome counts only once is guaranteed by the transition, which removes the effect.
 */

/** How long after its effect is due an unrenewed lease expires, in milliseconds. */
export const leaseTime = minute;
const renewAfter = leaseTime / 2;

/** Returns the lease that a new effect starts with. It is measured from the time when the effect is due. */
export const leased = (owner: string, due_at: number): Pick<EffectTable, "owner" | "lease_until"> => ({
  owner,
  lease_until: due_at + leaseTime,
});

/** `held`: this process has the lease. `held_until`: another one has it until then. Both absent: the effect is done. */
export type Claimed =
  | { readonly held: EffectTable }
  | { readonly held?: undefined; readonly held_until: number | undefined };

/** The leases of one process. Created by `app.ts`. */
export interface Leases {
  /** This process's name in the effects it holds. */
  readonly owner: string;
  /** Takes the lease, unless this process holds it with at least half of its time left: then nothing is written. */
  claim(effect: EffectTable): Promise<Claimed>;
  /**
   * Renews the lease of a running effect until the returned function is called. Aborts the effect if the lease is lost.
   */
  keep(effect: EffectTable, control: Control): () => void;
  /** Takes every effect that is free. Returns all effects that are not done, oldest first. */
  takeUp(): Promise<EffectTable[]>;
}

export interface LeasesOptions {
  readonly store: Pick<Store, "read" | "write" | "commit">;
  readonly clock: Clock;
  readonly log: Log;
  /** The machine's name. Leases of its earlier generations are free immediately, because those processes have ended. */
  readonly node: string;
  /** The id of this start of the process, a UUIDv7. */
  readonly generation: string;
}

export function createLeases({ store, clock, log, node: name, generation }: LeasesOptions): Leases {
  const node = `${name}/`;
  const owner = node + generation;
  const fromNow = () => ({ owner, node, at: clock.now(), until: clock.now() + leaseTime });

  /** Takes or renews the lease. Returns when it expires, or `undefined` if another process holds it. */
  async function take(effect_id: string): Promise<number | undefined> {
    const lease = { effect_id, ...fromNow() };
    const { refused } = await store.commit(transitionOf({ guards: [{ guard: "lease", ...lease }] }));
    return refused ? undefined : lease.until;
  }

  return {
    owner,

    async claim(effect) {
      if (effect.owner === owner && effect.lease_until - clock.now() > renewAfter) return { held: effect };
      const lease_until = await take(effect.id);
      if (lease_until !== undefined) return { held: { ...effect, owner, lease_until } };
      const lease = await leaseOf.first(store.read, { id: effect.id });
      return { held_until: lease?.lease_until };
    },

    keep({ id, lease_until }, control) {
      let isOver = false;
      let disarm: () => void;
      const renew = async () => {
        try {
          if ((await take(id)) === undefined && !isOver) control.abort();
        } catch (error) {
          // For example, a disk error: the lease may still be held when the next renewal succeeds.
          log.warn("a lease was not renewed", { effect: id, error });
        }
        if (!isOver && !control.aborted) arm(renewAfter);
      };
      const arm = (ms: number) => {
        disarm = clock.after(ms, () => void renew());
      };
      arm(Math.max(lease_until - renewAfter - clock.now(), 0));
      return () => {
        isOver = true;
        disarm();
      };
    },

    async takeUp() {
      const db = unscoped(store.read);
      if ((await allEffects(db)).length === 0) return [];
      await store.write((tx) => claimFreeEffects(unscoped(tx), fromNow()));
      return allEffects(db);
    },
  };
}
