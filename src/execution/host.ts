import type { EffectTable } from "../../db/schema/tables.ts";
import { CommitInDoubt, type Store } from "../../db/store.ts";
import type { Outcome, Refused, Transition } from "../../db/transition.ts";
import { transitionOf } from "./transition.ts";

/**
 * The outcome of applying events to an actor: its new state and the transition that writes it. Computed without I/O.
 */
export interface Decision<State> {
  readonly state: State;
  readonly transition: Transition;
  /** The payload of a terminal actor's receipt. The host signs it before the transition is queued. */
  readonly receipt?: string | undefined;
}

/** How the host loads, decides and publishes one kind of actor, such as a run or a job. */
export interface ActorKind<State, Event, Context> {
  /** Returns the stored actor with this id. */
  load(id: string): Promise<State>;
  /** Applies the events in order. Returns `undefined` if the actor's state accepts none of them, so nothing changes. */
  decide(state: State, events: readonly Event[], context: Context): Decision<State> | undefined;
  /** Returns the state with the sequence number that the database gave its row. */
  placed?(state: State, seq: number): State;
  /** Called once a transition is durable, before any caller gets a response. */
  published(state: State): void;
}

/** An actor after its transition, with the effects to carry out next. */
export interface Applied<State> {
  readonly state: State;
  readonly effects: readonly EffectTable[];
  /** Ids of the effects that the transition removed. */
  readonly removed: readonly string[];
  readonly refused?: undefined;
}

/** Events for a stored actor. */
export interface Delivery<State, Event, Context> {
  readonly id: string;
  /** The actor's last known state; it may be stale. If absent, it is loaded. */
  readonly known?: State | undefined;
  readonly events: readonly Event[];
  readonly context: Context;
  /** The effect whose outcome the events are. It is completed with the transition, exactly once. */
  readonly effect?: EffectTable;
}

/** The `sign` option for hosts of actors that have no receipts. */
export function noReceipt(): never {
  throw new Error("this kind of actor has no receipt");
}

export interface HostOptions {
  readonly store: Pick<Store, "commit">;
  /** Signs a receipt's payload. */
  readonly sign: (payload: string) => string;
  /** Called with the effects of a commit that was reported as failed but turned out to be written. */
  readonly takeUp?: (effects: readonly EffectTable[]) => void;
}

/**
 * The host of all actors: runs, jobs, documents. For each of them, `decide` computes a transition without I/O,
 * `Store.commit` writes it (in one group with others that arrive meanwhile), and the worker then carries out its
 * effects. Created by `app.ts`.
 */
export interface Host {
  /** Signs the receipt and writes the decision. If it is refused, nothing was written; the caller handles that. */
  commit<State, Event, Context>(
    kind: ActorKind<State, Event, Context>,
    decision: Decision<State>,
  ): Promise<Applied<State> | Refused>;
  /**
   * Decides and commits. If another transition was committed first, decides again from the stored row. Returns
   * `undefined` if the actor's state accepts none of the events, or if the effect was already done.
   */
  deliver<State, Event, Context>(
    kind: ActorKind<State, Event, Context>,
    delivery: Delivery<State, Event, Context>,
  ): Promise<Applied<State> | Refused | undefined>;
  /** Removes an effect that has no consequences. */
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
        // The caller gets the error. If the commit was written after all, it must be published and its effects carried
        // out.
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
