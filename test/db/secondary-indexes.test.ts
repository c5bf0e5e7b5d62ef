import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { firmAccount } from "../../db/accounts.ts";
import { addCredits } from "../../db/queries/ledger.ts";
import { ensureCaughtUp } from "../../db/queries/secondary-indexes.ts";
import { openStore, openThreadedStore } from "../../db/sqlite/connection.ts";
import { migrate } from "../../db/sqlite/migrate.ts";
import type { Store } from "../../db/store.ts";
import { unscoped } from "../../db/tenancy.ts";
import { type Movement, transfersOf } from "../../src/execution/credits/ledger.ts";
import { transitionOf } from "../../src/execution/transition.ts";
import { newId } from "../../src/platform/ids.ts";
import { systemRuntime } from "../../src/platform/runtime.ts";

const writers = [
  { name: "in the event loop", open: (file: string): Store => openStore(file) },
  {
    name: "in a separate thread",
    open: (file: string): Store => openThreadedStore(file, { runtime: systemRuntime, onFailure: () => undefined }),
  },
];

const firms = ["f", "g"];
const runs = 1_500;
const movements: readonly Movement[] = [
  { type: "reserve", credits: 5 },
  { type: "settle", step: "a", credits: 3 },
  { type: "release", step: null, credits: 2 },
];

interface Held {
  readonly firm: string;
  readonly seq: number;
  readonly available: number;
  readonly reserved: number;
}

/** Returns what each firm held after each transfer, according to the index and to the ledger itself. */
async function heldAfter(store: Store) {
  const { rows: indexed } = await sql<Held>`select cast(firm_id as text) as firm, seq, available_after as available,
    reserved_after as reserved from firm_transfers order by seq`.execute(unscoped(store.read));
  const { rows: transfers } = await sql<{ firm: string; seq: number; kind: string; amount: number }>`
    select firm_id as firm, seq, kind, amount from transfers order by seq`.execute(unscoped(store.read));
  const now = new Map(firms.map((firm) => [firm, { available: 0, reserved: 0 }]));
  const added = transfers.map(({ firm, seq, kind, amount }) => {
    const held = now.get(firm) ?? { available: 0, reserved: 0 };
    if (kind === "reserve") held.available -= amount;
    if (kind === "release") held.available += amount;
    held.reserved += kind === "reserve" ? amount : -amount;
    return { firm, seq, ...held };
  });
  return { indexed, added };
}

describe.each(writers)("indexes filled by a writer $name", ({ open }) => {
  let folder: string;
  let store: Store;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), "assay-indexes-"));
    store = open(join(folder, "assay.db"));
    await migrate(store);
    await store.write(async (tx) => {
      for (const id of firms) await addCredits.run(tx, { account: firmAccount(id), amount: 1_000_000 });
    });
  });

  afterEach(async () => {
    await store.close();
    rmSync(folder, { recursive: true });
  });

  const spend = (firm_id: string, run_id: string) =>
    store.commit(transitionOf({ transfers: transfersOf({ firm_id, run_id, at: 1, id: newId }, movements) }));

  test("are filled while runs are committed, and completed by a reader", async () => {
    await Promise.all(Array.from({ length: runs }, (_, i) => spend(firms[i % 2] ?? "", `run ${i}`)));
    const filled = await heldAfter(store);
    expect(filled.indexed.length).toBeGreaterThanOrEqual(4_096);
    expect(filled.indexed).toEqual(filled.added.slice(0, filled.indexed.length));
    // Indexed by two firms and in two batches; the second continues from the first.
    await ensureCaughtUp(store, "firm_transfers");
    await spend("f", "one more");
    await ensureCaughtUp(store, "firm_transfers");
    const { indexed, added } = await heldAfter(store);
    expect(indexed).toHaveLength(3 * (runs + 1));
    expect(indexed).toEqual(added);
  });
});
