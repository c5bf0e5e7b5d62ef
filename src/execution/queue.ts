import type { Limits } from "../contracts/engine.ts";

/** A place at an engine. Freeing it lets the next one in; freeing it twice does nothing. */
export interface Slot {
  free(): void;
}

export interface QueueOptions<Item> {
  readonly limits: (engine: string) => Limits;
  readonly start: (item: Item, slot: Slot) => void;
}

/** First in, first out, without moving the rest at each departure. */
class Line<Item> {
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
}

interface Firm<Item> {
  readonly line: Line<Item>;
  active: number;
}

interface Engine<Item> {
  readonly limits: Limits;
  active: number;
  readonly firms: Map<string, Firm<Item>>;
  /** Firms with something waiting, the one whose turn it is in front. */
  readonly turns: Line<string>;
  waiting: number;
}

/**
 * Bounded and fair: at each engine, firms take turns, so a firm that queues ten thousand delays another's first by no
 * more than one turn. Everything here is memory only; the effects themselves are rows.
 */
export function createQueue<Item>({ limits, start }: QueueOptions<Item>) {
  const engines = new Map<string, Engine<Item>>();
  let closed = false;

  function engineOf(name: string): Engine<Item> {
    let engine = engines.get(name);
    if (!engine) {
      engine = { limits: limits(name), active: 0, firms: new Map(), turns: new Line(), waiting: 0 };
      engines.set(name, engine);
    }
    return engine;
  }

  function firmOf(engine: Engine<Item>, firm_id: string): Firm<Item> {
    let firm = engine.firms.get(firm_id);
    if (!firm) {
      firm = { line: new Line(), active: 0 };
      engine.firms.set(firm_id, firm);
    }
    return firm;
  }

  function take(engine: Engine<Item>, firm_id: string, firm: Firm<Item>): Slot {
    engine.active++;
    firm.active++;
    let held = true;
    return {
      free() {
        if (!held) return;
        held = false;
        engine.active--;
        firm.active--;
        // A firm at its bound had left the turns: now it may join them again.
        if (firm.line.length > 0 && firm.active === engine.limits.perFirm - 1) engine.turns.push(firm_id);
        if (firm.active === 0 && firm.line.length === 0) engine.firms.delete(firm_id);
        pump(engine);
      },
    };
  }

  function pump(engine: Engine<Item>): void {
    while (!closed && engine.active < engine.limits.total && engine.turns.length > 0) {
      const firm_id = engine.turns.shift();
      if (firm_id === undefined) return;
      const firm = firmOf(engine, firm_id);
      if (firm.active >= engine.limits.perFirm) continue;
      const item = firm.line.shift();
      if (item === undefined) continue;
      engine.waiting--;
      const slot = take(engine, firm_id, firm);
      if (firm.line.length > 0 && firm.active < engine.limits.perFirm) engine.turns.push(firm_id);
      start(item, slot);
    }
  }

  return {
    add(name: string, firm_id: string, item: Item): void {
      const engine = engineOf(name);
      const firm = firmOf(engine, firm_id);
      firm.line.push(item);
      engine.waiting++;
      if (firm.line.length === 1 && firm.active < engine.limits.perFirm) engine.turns.push(firm_id);
      pump(engine);
    },
    tryTake(name: string, firm_id: string): Slot | undefined {
      const engine = engineOf(name);
      const firm = firmOf(engine, firm_id);
      if (engine.waiting > 0 || engine.active >= engine.limits.total || firm.active >= engine.limits.perFirm)
        return undefined;
      return take(engine, firm_id, firm);
    },
    waiting: (): number => [...engines.values()].reduce((sum, engine) => sum + engine.waiting, 0),
    /** Starts nothing more; what waits is left to the rows that it came from. */
    close(): void {
      closed = true;
      engines.clear();
    },
  };
}
