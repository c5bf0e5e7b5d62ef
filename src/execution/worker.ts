import type { EffectTable } from "../../db/schema/tables.ts";
import type { Limits } from "../contracts/engine.ts";
import { assert } from "../platform/assert.ts";
import { type Clock, second } from "../platform/clock.ts";
import type { Log } from "../platform/log.ts";
import { type Control, createControl } from "./control.ts";
import { createQueue, type Slot } from "./queue.ts";

/**
 * Carries one effect out and tells what follows from it. It must stand being carried out again after a crash. The
 * controller aborts on cancel and at shutdown; the handler may abort it too, at a deadline.
 */
export type Handler = (effect: EffectTable, control: Control) => Promise<readonly EffectTable[]>;

export interface WorkerOptions {
  readonly clock: Clock;
  readonly log: Log;
  readonly limits: (engine: string) => Limits;
}

export interface Worker {
  /** Says who carries out the effects of a machine's actors. */
  handle(machine: string, handler: Handler): void;
  /** A place at the engine if one is free and nobody waits for it: the way of a run that can start at once. */
  tryTake(engine: string, firm_id: string): Slot | undefined;
  /** Takes an effect that is durable. With a slot it is carried out now; else in its turn, when it is due. */
  submit(effect: EffectTable, slot?: Slot): void;
  /** Aborts what is under way for an actor, whose state is terminal already. */
  abort(actor_id: string): void;
  /** How many effects are under way, waiting for a place, or waiting for their time. */
  load(): { active: number; waiting: number; sleeping: number };
  /** Starts nothing more and waits for what is under way; after `ms` it is aborted and left to the next start. */
  stop(ms: number): Promise<void>;
}

/** An effect that could not be carried out (a full disk, say) is still there: it is tried again, ever more rarely. */
const firstPause = 2 * second;
const longestPause = 60 * second;

export function createWorker({ clock, log, limits }: WorkerOptions): Worker {
  const handlers = new Map<string, Handler>();
  const aborts = new Map<string, Control>();
  const sleeping = new Map<string, () => void>();
  const troubled = new Map<string, number>();
  const underWay = new Set<Promise<void>>();
  const queue = createQueue<EffectTable>({ limits, start: (effect, slot) => track(effect, slot) });
  let stopping = false;

  function track(effect: EffectTable, slot?: Slot): void {
    const work = carryOut(effect, slot).finally(() => underWay.delete(work));
    underWay.add(work);
  }

  /** One effect, and what follows at the same engine in the same place, so that a run does not queue between steps. */
  async function carryOut(first: EffectTable, slot?: Slot): Promise<void> {
    let effect: EffectTable | undefined = first;
    try {
      while (effect) {
        const following: readonly EffectTable[] = await attempt(effect);
        const same: EffectTable | undefined = following.find(
          (next) => slot && next.engine === first.engine && next.due_at <= clock.now() && !stopping,
        );
        for (const next of following) if (next !== same) submit(next);
        effect = same;
      }
    } finally {
      slot?.free();
    }
  }

  async function attempt(effect: EffectTable): Promise<readonly EffectTable[]> {
    const handler = handlers.get(effect.machine);
    assert(handler, `somebody carries out effects of ${effect.machine}`);
    const control = createControl();
    aborts.set(effect.actor_id, control);
    try {
      const following = await handler(effect, control);
      if (troubled.size > 0) troubled.delete(effect.id);
      return following;
    } catch (error) {
      const failures = (troubled.get(effect.id) ?? 0) + 1;
      troubled.set(effect.id, failures);
      log.error("an effect was not carried out", { effect: effect.id, failures, error });
      sleep(effect, clock.now() + Math.min(longestPause, firstPause * 2 ** (failures - 1)));
      return [];
    } finally {
      if (aborts.get(effect.actor_id) === control) aborts.delete(effect.actor_id);
    }
  }

  function sleep(effect: EffectTable, until: number): void {
    sleeping.get(effect.id)?.();
    const cancel = clock.after(until - clock.now(), () => {
      sleeping.delete(effect.id);
      submit(effect);
    });
    sleeping.set(effect.id, cancel);
  }

  function submit(effect: EffectTable, slot?: Slot): void {
    if (stopping) slot?.free();
    else if (slot) track(effect, slot);
    else if (effect.due_at > clock.now()) sleep(effect, effect.due_at);
    else if (effect.engine === "") track(effect);
    else queue.add(effect.engine, effect.firm_id, effect);
  }

  return {
    handle: (machine, handler) => void handlers.set(machine, handler),
    tryTake: (engine, firm_id) => (stopping ? undefined : queue.tryTake(engine, firm_id)),
    submit,
    abort: (actor_id) => aborts.get(actor_id)?.abort(),
    load: () => ({ active: underWay.size, waiting: queue.waiting(), sleeping: sleeping.size }),
    async stop(ms) {
      stopping = true;
      for (const cancel of sleeping.values()) cancel();
      sleeping.clear();
      queue.close();
      let expire: () => void = () => undefined;
      const expired = new Promise<void>((resolve) => {
        expire = clock.after(ms, resolve);
      });
      const finished = () => Promise.allSettled(underWay).then(() => undefined);
      await Promise.race([finished(), expired]);
      expire();
      for (const control of aborts.values()) control.abort();
      await finished();
    },
  };
}
