import type { EffectTable } from "../../db/schema/tables.ts";
import { CommitInDoubt, type Store } from "../../db/store.ts";
import type { Outcome, Refused, Transition } from "../../db/transition.ts";
import { transitionOf } from "./transition.ts";

/** What an actor becomes by some events, and the transition that writes it. Pure: decided without I/O. */
export interface Decision<State> {
  readonly state: State;
  readonly transition: Transition;
  /** What a terminal actor's receipt states: it is signed before the transition is queued. */
  readonly receipt?: string | undefined;
}

/** What a noun brings to the host: how its actors are loaded and decided about. A run, a job, a document. */
export interface ActorKind<State, Event, Context> {
  /** The stored actor, by its id. */
  load(id: string): Promise<State>;
  /** Folds the events. Undefined: the actor's state takes none of them, and nothing changes. */
  decide(state: State, events: readonly Event[], context: Context): Decision<State> | undefined;
  /** The state with the place that its row was given. */
  placed?(state: State, seq: number): State;
  /** Called once a transition is durable, before anybody is answered. */
  published(state: State): void;
}

/** An actor after its transition, with what is to be carried out next. */
export interface Applied<State> {
  readonly state: State;
  readonly effects: readonly EffectTable[];
  /** Effects that the transition took out. */
  readonly removed: readonly string[];
  readonly refused?: undefined;
}

/** Events for a stored actor. */
export interface Delivery<State, Event, Context> {
  readonly id: string;
  /** The actor as it was last seen; out of date does no harm. Absent: it is loaded. */
  readonly known?: State | undefined;
  readonly events: readonly Event[];
  readonly context: Context;
  /** What the events are the outcome of: it is done with the transition, once. */
  readonly effect?: EffectTable;
}

/** For hosts of actors that have no receipts. */
export function noReceipt(): never {
  throw new Error("this kind of actor has no receipt");
}

export interface HostOptions {
  readonly store: Pick<Store, "commit">;
  /** Signs a receipt. */
  readonly sign: (payload: string) => string;
  /** Takes what is to be carried out next, where a commit that was given up turns out to be written. */
  readonly takeUp?: (effects: readonly EffectTable[]) => void;
}

/** The one host of all actors: runs, jobs, documents. Made by `app.ts`. */
export interface Host {
  /** Writes what was decided. A refusal is the caller's to handle, and nothing was written then. */
  commit<State, Event, Context>(
    kind: ActorKind<State, Event, Context>,
    decision: Decision<State>,
  ): Promise<Applied<State> | Refused>;
  /**
   * Decides and commits, again from the stored row where another transition was there first. Undefined: the actor's
   * state takes none of the events, or the effect was done already.
   */
  deliver<State, Event, Context>(
    kind: ActorKind<State, Event, Context>,
    delivery: Delivery<State, Event, Context>,
  ): Promise<Applied<State> | Refused | undefined>;
  /** Takes an effect out that nothing follows from. */
  discard(effect: EffectTable): Promise<void>;
}

const isStale = (outcome: Applied<unknown> | Refused): boolean => outcome.refused === "stale_revision";

export function createHost({ store, sign, takeUp }: HostOptions): Host {
  const host: Host = {
    async commit(kind, { state, transition, receipt }) {
      const signed = receipt === undefined ? transition : { ...transition, receipt: sign(receipt) };
      const written = (outcome: Outcome): Applied<typeof state> | Refused => {
        if (outcome.refused) return outcome;
        const placed = outcome.seq !== null && kind.placed ? kind.placed(state, outcome.seq) : state;
        kind.published(placed);
        return { state: placed, effects: transition.effects.add, removed: transition.effects.remove };
      };
      try {
        return written(await store.commit(signed));
      } catch (error) {
        // The caller hears that it failed. What was written after all must be seen, and must go on.
        if (error instanceof CommitInDoubt)
          error.outcome
            .then((outcome) => {
              const applied = written(outcome);
              if (!applied.refused) takeUp?.(applied.effects);
            })
            .catch(() => undefined);
        throw error;
      }
    },

    async deliver(kind, { id, known, events, context, effect }) {
      let state = known ?? (await kind.load(id));
      for (;;) {
        const decision = kind.decide(state, events, context);
        if (!decision) {
          if (effect) await host.discard(effect);
          return undefined;
        }
        const { transition } = decision;
        const guards = effect ? [{ guard: "effect" as const, effect }, ...transition.guards] : transition.guards;
        const outcome = await host.commit(kind, { ...decision, transition: { ...transition, guards } });
        if (!isStale(outcome)) return outcome.refused === "effect_done" ? undefined : outcome;
        state = await kind.load(id);
      }
    },

    async discard(effect) {
      await store.commit(transitionOf({ guards: [{ guard: "effect", effect }] }));
    },
  };
  return host;
}
