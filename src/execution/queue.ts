import type { Limits } from "../contracts/engine.ts";

/** A slot at an engine. Releasing it starts the next item; releasing it twice has no effect. */
export interface Slot {
  release(): void;
}

/** How many of an engine's slots are in use. */
export interface Places {
  readonly name: string;
  readonly active: number;
  readonly total: number;
}

export interface QueueOptions<Item> {
  readonly limits: (engine: string) => Limits;
  readonly start: (item: Item, slot: Slot) => void;
}

/** A first-in, first-out queue that does not shift the remaining items on every removal. */
class Fifo<Item> {
  private items: Item[] = [];
  private head = 0;
  get length(): number {
    return this.items.length - this.head;
  }
  push(item: Item): void {
    this.items.push(item);
  }
  shift(): Item | undefined {
    const item = this.items[this.head++];
    if (this.head > 1_024 && this.head * 2 > this.items.length) {
      this.items = this.items.slice(this.head);
      this.head = 0;
    }
    return item;
  }
  /** Removes all items and returns them, in order. */
  drain(): Item[] {
    const items = this.items.slice(this.head);
    this.items = [];
    this.head = 0;
    return items;
  }
}

interface FirmQueue<Item> {
  readonly items: Fifo<Item>;
  active: number;
}

interface EngineQueue<Item> {
  limits: Limits;
  active: number;
  readonly firms: Map<string, FirmQueue<Item>>;
  /** Firms with waiting items, in round-robin order; the head is next. */
  readonly turns: Fifo<string>;
  waiting: number;
}

/**
 * A bounded fair queue. At each engine, firms take turns, so a firm that queues ten thousand items delays another
 * firm's first item by at most one turn. It is in memory only; the effects themselves are rows.
 */
export class FairQueue<Item> {
  private readonly engines = new Map<string, EngineQueue<Item>>();
  private closed = false;

  constructor(private readonly options: QueueOptions<Item>) {}

  private engineOf(name: string): EngineQueue<Item> {
    let engine = this.engines.get(name);
    if (!engine) {
      engine = { limits: this.options.limits(name), active: 0, firms: new Map(), turns: new Fifo(), waiting: 0 };
      this.engines.set(name, engine);
    }
    return engine;
  }

  private firmOf(engine: EngineQueue<Item>, firm_id: string): FirmQueue<Item> {
    let firm = engine.firms.get(firm_id);
    if (!firm) {
      firm = { items: new Fifo(), active: 0 };
      engine.firms.set(firm_id, firm);
    }
    return firm;
  }

  private acquire(engine: EngineQueue<Item>, firm_id: string, firm: FirmQueue<Item>): Slot {
    engine.active++;
    firm.active++;
    let isHeld = true;
    return {
      release: () => {
        if (!isHeld) return;
        isHeld = false;
        engine.active--;
        firm.active--;
        // A firm at its limit had left the round-robin; it may rejoin now.
        if (firm.items.length > 0 && firm.active === engine.limits.perFirm - 1) engine.turns.push(firm_id);
        if (firm.active === 0 && firm.items.length === 0) engine.firms.delete(firm_id);
        this.pump(engine);
      },
    };
  }

  private pump(engine: EngineQueue<Item>): void {
    while (!this.closed && engine.active < engine.limits.total && engine.turns.length > 0) {
      const firm_id = engine.turns.shift();
      if (firm_id === undefined) return;
      const firm = this.firmOf(engine, firm_id);
      if (firm.active >= engine.limits.perFirm) continue;
      const item = firm.items.shift();
      if (item === undefined) continue;
      engine.waiting--;
      const slot = this.acquire(engine, firm_id, firm);
      if (firm.items.length > 0 && firm.active < engine.limits.perFirm) engine.turns.push(firm_id);
      this.options.start(item, slot);
    }
  }

  add(name: string, firm_id: string, item: Item): void {
    const engine = this.engineOf(name);
    const firm = this.firmOf(engine, firm_id);
    firm.items.push(item);
    engine.waiting++;
    if (firm.items.length === 1 && firm.active < engine.limits.perFirm) engine.turns.push(firm_id);
    this.pump(engine);
  }

  /**
   * Returns a slot if one is free and the firm has nothing waiting. When slots are free, any waiting items belong to
   * firms that are already at their limit, so no other firm is delayed.
   */
  tryAcquire(name: string, firm_id: string): Slot | undefined {
    const engine = this.engineOf(name);
    const { limits, active, firms } = engine;
    const own = firms.get(firm_id);
    if (active >= limits.total || (own && (own.items.length > 0 || own.active >= limits.perFirm))) return undefined;
    return this.acquire(engine, firm_id, this.firmOf(engine, firm_id));
  }

  /** Reads the limits again, after a change, and starts what they now allow. Running items keep their slots. */
  reloadLimits(): void {
    for (const [name, engine] of this.engines) {
      const limits = this.options.limits(name);
      if (limits.total === engine.limits.total && limits.perFirm === engine.limits.perFirm) continue;
      engine.limits = limits;
      this.rejoin(engine);
      this.pump(engine);
    }
  }

  /** Determines again which firms take turns, keeping the order of those that already did. */
  private rejoin(engine: EngineQueue<Item>): void {
    const order = new Set([...engine.turns.drain(), ...engine.firms.keys()]);
    for (const firm_id of order) {
      const firm = engine.firms.get(firm_id);
      if (firm && firm.items.length > 0 && firm.active < engine.limits.perFirm) engine.turns.push(firm_id);
    }
  }

  waiting(): number {
    return [...this.engines.values()].reduce((sum, engine) => sum + engine.waiting, 0);
  }

  /** Returns the slots in use and the total, for each engine. */
  places(): readonly Places[] {
    return [...this.engines].map(([name, { active, limits }]) => ({ name, active, total: limits.total }));
  }

  /** Starts nothing more. Waiting items are dropped here; their rows remain in the database. */
  close(): void {
    this.closed = true;
    this.engines.clear();
  }
}
