import type { EffectTable } from "../../db/schema/tables.ts";
import type { Limits } from "../contracts/engine.ts";
import { assert } from "../platform/assert.ts";
import { type Clock, second } from "../platform/clock.ts";
import type { Log } from "../platform/log.ts";
import { type Control, createControl } from "./control.ts";
import type { Leases } from "./leases.ts";
import { FairQueue, type Places, type Slot } from "./queue.ts";

/**
 * Carries out one effect and returns the effects that follow from it. It must be safe to repeat after a crash. The
 * control is aborted on cancel and at shutdown; the handler may also abort it, at a deadline.
 */
export type Handler = (effect: EffectTable, control: Control) => Promise<readonly EffectTable[]>;

export interface WorkerOptions {
  readonly clock: Clock;
  readonly log: Log;
  readonly limits: (engine: string) => Limits;
  readonly leases: Leases;
}

export interface Worker {
  /** Registers the handler for the effects of a machine's actors. */
  handle(machine: string, handler: Handler): void;
  /** Returns a slot if one is free and the firm has nothing waiting: for a run that can start immediately. */
  tryAcquire(engine: string, firm_id: string): Slot | undefined;
  /** Accepts a durable effect. With a slot it is carried out now; otherwise in its turn, once it is due. */
  submit(effect: EffectTable, slot?: Slot): void;
  /** Aborts the running effects of an actor whose state is already terminal. */
  abort(machine: string, actor_id: string): void;
  /** Cancels the timers of effects that a commit has removed. */
  drop(effect_ids: readonly string[]): void;
  /** Applies the engines' limits after a change. */
  reloadLimits(): void;
  /** Returns how many effects are running, waiting for a slot, or sleeping until they are due. */
  load(): { active: number; waiting: number; sleeping: number };
  /** Returns the slots of each engine used so far. */
  places(): readonly Places[];
  /** Starts nothing more and waits for running effects. After `ms` they are aborted and left to the next start. */
  stop(ms: number): Promise<void>;
  /** Aborted when `stop` is called. Nothing new starts after that, so there is no point in waiting for other work. */
  readonly ending: AbortSignal;
}

/** Bounds of the exponential pause before an effect that could not be carried out (a full disk, say) is tried again. */
const firstPause = 2 * second;
const longestPause = 60 * second;

/** A study has the same id as its run, so an id identifies an actor only together with its machine. */
const actorKey = ({ machine, actor_id }: Pick<EffectTable, "machine" | "actor_id">): string => `${machine}:${actor_id}`;

class EffectWorker implements Worker {
  private readonly handlers = new Map<string, Handler>();
  /** By actor, one control for each of its running effects. */
  private readonly controls = new Map<string, ReadonlySet<Control>>();
  private readonly sleeping = new Map<string, () => void>();
  private readonly failures = new Map<string, number>();
  private readonly underWay = new Set<Promise<void>>();
  private readonly queue: FairQueue<EffectTable>;
  private readonly closing = new AbortController();

  constructor(private readonly options: WorkerOptions) {
    const { limits } = options;
    this.queue = new FairQueue({ limits, start: (effect, slot) => this.track(effect, slot) });
  }

  private track(effect: EffectTable, slot?: Slot): void {
    const work = this.carryOut(effect, slot).finally(() => this.underWay.delete(work));
    this.underWay.add(work);
  }

  /**
   * Carries out an effect, and in the same slot those that follow at its engine: a run does not queue between steps.
   */
  private async carryOut(first: EffectTable, slot?: Slot): Promise<void> {
    let effect: EffectTable | undefined = first;
    try {
      while (effect) {
        const following: readonly EffectTable[] = await this.attempt(effect);
        const same: EffectTable | undefined = following.find(
          (next) => slot && next.engine === first.engine && next.due_at <= this.options.clock.now() && !this.stopping,
        );
        for (const next of following) if (next !== same) this.submit(next);
        effect = same;
      }
    } finally {
      slot?.release();
    }
  }

  private async attempt(effect: EffectTable): Promise<readonly EffectTable[]> {
    const { clock, log, leases } = this.options;
    try {
      const claimed = await leases.claim(effect);
      const following = claimed.held ? await this.perform(claimed.held) : [];
      if (!claimed.held && claimed.held_until !== undefined) this.sleep(effect, claimed.held_until);
      if (this.failures.size > 0) this.failures.delete(effect.id);
      return following;
    } catch (error) {
      const failures = (this.failures.get(effect.id) ?? 0) + 1;
      this.failures.set(effect.id, failures);
      log.error("an effect was not carried out", { effect: effect.id, failures, error });
      this.sleep(effect, clock.now() + Math.min(longestPause, firstPause * 2 ** (failures - 1)));
      return [];
    }
  }

  /** Calls the handler while keeping the effect's lease renewed. */
  private async perform(effect: EffectTable): Promise<readonly EffectTable[]> {
    const handler = this.handlers.get(effect.machine);
    assert(handler, `somebody carries out effects of ${effect.machine}`);
    const control = createControl();
    const actor = actorKey(effect);
    const beside = this.controls.get(actor) ?? new Set<Control>();
    this.controls.set(actor, new Set([...beside, control]));
    const letGo = this.options.leases.keep(effect, control);
    try {
      return await handler(effect, control);
    } finally {
      letGo();
      const left = [...(this.controls.get(actor) ?? [])].filter((one) => one !== control);
      if (left.length > 0) this.controls.set(actor, new Set(left));
      else this.controls.delete(actor);
    }
  }

  private sleep(effect: EffectTable, until: number): void {
    const { clock } = this.options;
    this.sleeping.get(effect.id)?.();
    const cancel = clock.after(until - clock.now(), () => {
      this.sleeping.delete(effect.id);
      this.submit(effect);
    });
    this.sleeping.set(effect.id, cancel);
  }

  handle(machine: string, handler: Handler): void {
    this.handlers.set(machine, handler);
  }

  tryAcquire(engine: string, firm_id: string): Slot | undefined {
    return this.stopping ? undefined : this.queue.tryAcquire(engine, firm_id);
  }

  submit(effect: EffectTable, slot?: Slot): void {
    if (this.stopping) slot?.release();
    else if (slot) this.track(effect, slot);
    else if (effect.due_at > this.options.clock.now()) this.sleep(effect, effect.due_at);
    else if (effect.engine === "") this.track(effect);
    else this.queue.add(effect.engine, effect.firm_id, effect);
  }

  abort(machine: string, actor_id: string): void {
    for (const control of this.controls.get(actorKey({ machine, actor_id })) ?? []) control.abort();
  }

  drop(effect_ids: readonly string[]): void {
    for (const id of effect_ids) {
      this.sleeping.get(id)?.();
      this.sleeping.delete(id);
      this.failures.delete(id);
    }
  }

  reloadLimits(): void {
    this.queue.reloadLimits();
  }

  load() {
    return { active: this.underWay.size, waiting: this.queue.waiting(), sleeping: this.sleeping.size };
  }

  places(): readonly Places[] {
    return this.queue.places();
  }

  get ending(): AbortSignal {
    return this.closing.signal;
  }

  private get stopping(): boolean {
    return this.closing.signal.aborted;
  }

  async stop(ms: number): Promise<void> {
    this.closing.abort();
    for (const cancel of this.sleeping.values()) cancel();
    this.sleeping.clear();
    this.queue.close();
    const { promise: expired, resolve } = Promise.withResolvers<void>();
    const disarm = this.options.clock.after(ms, resolve);
    const finished = () => Promise.allSettled(this.underWay).then(() => undefined);
    await Promise.race([finished(), expired]);
    disarm();
    for (const controls of this.controls.values()) for (const control of controls) control.abort();
    await finished();
  }
}

/** Creates the worker of a store. Called by `app.ts`, once per store. */
export const createWorker = (options: WorkerOptions): Worker => new EffectWorker(options);
