import { allEffects, claimFreeEffects, leaseOf } from "../../db/queries/effects.ts";
import type { EffectTable } from "../../db/schema/tables.ts";
import type { Store } from "../../db/store.ts";
import { unscoped } from "../../db/tenancy.ts";
import { type Clock, minute } from "../platform/clock.ts";
import type { Log } from "../platform/log.ts";
import type { Control } from "./control.ts";
import { transitionOf } from "./transition.ts";

/**
 * Who carries an effect out. The transition that adds an effect has its lease already, so that ordinary work writes
 * nothing for it; only what takes longer than half a lease renews it. A lease keeps work from being done twice; that it
 * counts once is the affair of the transition, which takes the effect out.
 */

/** A lease that is not renewed ends so long after its effect was due, in milliseconds. */
export const leaseTime = minute;
const renewAfter = leaseTime / 2;

/** The lease that an effect is added with: it counts from when the effect is due. */
export const leased = (owner: string, due_at: number): Pick<EffectTable, "owner" | "lease_until"> => ({
  owner,
  lease_until: due_at + leaseTime,
});

/** `held`: ours now. `held_until`: another process's until then. Neither: it is done. */
export type Claimed =
  | { readonly held: EffectTable }
  | { readonly held?: undefined; readonly held_until: number | undefined };

/** The leases of one process. Made by `app.ts`. */
export interface Leases {
  /** This process, as its effects name it. */
  readonly owner: string;
  /** Takes the lease, unless it is ours with half of it left: then nothing is written. */
  claim(effect: EffectTable): Promise<Claimed>;
  /** Renews the lease of what is under way until the returned function is called; aborts it where the lease was lost. */
  keep(effect: EffectTable, control: Control): () => void;
  /** Takes every effect that is free, and answers all that are still to do, oldest first. */
  takeUp(): Promise<EffectTable[]>;
}

export interface LeasesOptions {
  readonly store: Pick<Store, "read" | "write" | "commit">;
  readonly clock: Clock;
  readonly log: Log;
  /** The machine. What an earlier process of it held is free at once: its generation is smaller, and it is gone. */
  readonly node: string;
  /** This start of it: a UUIDv7. */
  readonly generation: string;
}

export function createLeases({ store, clock, log, node: name, generation }: LeasesOptions): Leases {
  const node = `${name}/`;
  const owner = node + generation;
  const fromNow = () => ({ owner, node, at: clock.now(), until: clock.now() + leaseTime });

  /** Until when it is ours; undefined: it is not. */
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
          // The disk, say: the lease may still be ours when it answers again.
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
