import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { Store } from "../../db/store.ts";
import { unscoped } from "../../db/tenancy.ts";
import { creditBalance } from "../../src/accounts/usage/service.ts";
import { type Charge, deduct, grant, type Movement, transfersOf } from "../../src/execution/credits/ledger.ts";
import { transitionOf } from "../../src/execution/transition.ts";
import { newId } from "../../src/platform/ids.ts";
import { World } from "../support/harness.ts";
import { expectSoundLedger } from "../support/invariants.ts";

/** The ledger identifies a firm by its id only. */
const firms = [newId(), newId()] as const;
const provider = { name: "partner", credits: 30 };

interface Operation {
  readonly kind: "grant" | "reserve" | "settle" | "release" | "deduct";
  readonly firm: 0 | 1;
  readonly run: number;
  readonly step: number;
  readonly credits: number;
}

const operations = fc.array(
  fc.record<Operation>({
    kind: fc.constantFrom("grant", "reserve", "reserve", "settle", "settle", "release", "deduct"),
    firm: fc.constantFrom<0 | 1>(0, 1),
    run: fc.nat(3),
    step: fc.nat(2),
    credits: fc.nat(120),
  }),
  { minLength: 1, maxLength: 60 },
);

/** The expected balances of the two firms, computed independently of the ledger's code. */
class Model {
  readonly available = [0, 0];
  readonly reserved = [0, 0];
  private readonly settled = new Set<string>();

  /** Applies an operation; returns whether the ledger should accept it. */
  take({ kind, firm, run, step, credits }: Operation): boolean {
    const available = this.available[firm] ?? 0;
    const reserved = this.reserved[firm] ?? 0;
    const move = (a: number, r: number): true => {
      this.available[firm] = available + a;
      this.reserved[firm] = reserved + r;
      return true;
    };
    if (kind === "grant") return credits > 0 && move(credits, 0);
    if (kind === "deduct") return credits > 0 && credits <= available && move(-credits, 0);
    if (kind === "reserve") return credits <= available && move(-credits, credits);
    if (kind === "release") return credits <= reserved && move(credits, -credits);
    const key = `${firm}/${run}/${step}`;
    if (credits === 0) return true;
    if (credits > reserved || this.settled.has(key)) return false;
    this.settled.add(key);
    return move(0, -credits);
  }
}

/** Commits movements on their own. Returns false if the firm has too few available credits. */
async function move(store: Store, charge: Charge, ...movements: Movement[]): Promise<boolean> {
  const outcome = await store.commit(transitionOf({ transfers: transfersOf(charge, movements) }));
  return outcome.refused === undefined;
}

/** Applies an operation to the ledger. Returns false or throws if it is refused. */
async function carryOut(store: Store, { kind, firm, run, step, credits }: Operation, salt: string): Promise<boolean> {
  const firm_id = firms[firm] + salt;
  const charge: Charge = { firm_id, run_id: `${salt}/${firm}/${run}`, at: 1, id: newId };
  const given = { id: newId(), firm_id, credits, reason: "test", at: 1 };
  if (kind === "grant") return store.write((tx) => grant(tx, "grant", given)).then(() => true);
  if (kind === "deduct") return store.write((tx) => deduct(tx, given));
  if (kind === "reserve") return move(store, charge, { type: "reserve", credits });
  if (kind === "release") return move(store, charge, { type: "release", step: null, credits });
  return move(store, charge, { type: "settle", step: `s${step}`, credits, provider });
}

const isTransaction = ({ kind }: Operation): boolean => kind === "grant" || kind === "deduct";

/**
 * Groups consecutive operations of the same kind: transitions share a group commit, transactions run between groups.
 */
function consecutive(list: readonly Operation[]): Operation[][] {
  const runs: Operation[][] = [];
  for (const operation of list) {
    const last = runs.at(-1);
    if (last?.[0] && isTransaction(last[0]) === isTransaction(operation)) last.push(operation);
    else runs.push([operation]);
  }
  return runs;
}

describe("any interleaving of grants, reservations, settlements, releases and deductions", () => {
  test("sums to zero, leaves no account below zero, and is provable from its transfers", async () => {
    await using world = await World.open();
    let salt = 0;
    await fc.assert(
      fc.asyncProperty(operations, async (list) => {
        const own = `-${salt++}`;
        const model = new Model();
        for (const run of consecutive(list)) {
          const answers = run.map((operation) => carryOut(world.store, operation, own).catch(() => false));
          // All of them are queued together, and run in the order in which they were submitted.
          expect(await Promise.all(answers)).toEqual(run.map((operation) => model.take(operation)));
        }
        for (const firm of [0, 1] as const)
          expect(await creditBalance(world.store.read, firms[firm] + own)).toEqual({
            available: model.available[firm] ?? 0,
            reserved: model.reserved[firm] ?? 0,
          });
      }),
      { numRuns: 60 },
    );
    await expectSoundLedger(world.store);
  });
});

test("1,000 concurrent reservations on one balance succeed exactly as often as it allows", async () => {
  await using world = await World.open();
  const firm = await world.firm({ credits: 333 * 7 + 6 });
  const charge = (run_id: string): Charge => ({ firm_id: firm.id, run_id, at: 1, id: newId });
  const granted = await Promise.all(
    Array.from({ length: 1_000 }, (_, i) => move(world.store, charge(`run-${i}`), { type: "reserve", credits: 7 })),
  );
  expect(granted.filter(Boolean)).toHaveLength(333);
  expect(await world.balance(firm)).toEqual({ available: 6, reserved: 333 * 7 });
  await expectSoundLedger(world.store);
});

describe("the ledger refuses", () => {
  const run = newId();
  interface Rejection {
    readonly name: string;
    readonly work: (store: Store, charge: Charge) => Promise<unknown>;
    /** The expected result, or the message of the error thrown. */
    readonly refusal: false | string;
  }
  const given = (firm_id: string, credits: number) => ({ id: newId(), firm_id, credits, reason: "test", at: 1 });
  const reserve = (credits: number): Movement => ({ type: "reserve", credits });
  const settle = (step: string, credits: number, provider?: { name: string; credits: number }): Movement => ({
    type: "settle",
    step,
    credits,
    provider,
  });
  const table: Rejection[] = [
    { name: "a reservation above the available credits", work: (s, c) => move(s, c, reserve(901)), refusal: false },
    {
      name: "a reservation of a fraction of a credit",
      work: async (s, c) => move(s, c, reserve(0.5)),
      refusal: "credits are whole",
    },
    { name: "a negative reservation", work: async (s, c) => move(s, c, reserve(-1)), refusal: "credits are whole" },
    {
      name: "a reservation of a firm without an account",
      work: (s, c) => move(s, { ...c, firm_id: "nobody" }, reserve(1)),
      refusal: false,
    },
    {
      name: "a settlement above the reserved credits",
      work: (s, c) => move(s, c, settle("b", 101)),
      refusal: "not covered by a reservation",
    },
    {
      name: "a second settlement of a step",
      work: (s, c) => move(s, c, settle("a", 1)),
      refusal: "UNIQUE constraint failed",
    },
    {
      name: "a second settlement of a step with another provider's share",
      work: (s, c) => move(s, c, settle("a", 2, { name: "other", credits: 1 })),
      refusal: "UNIQUE constraint failed",
    },
    {
      name: "a settlement of a non-finite number",
      work: async (s, c) => move(s, c, settle("b", Number.NaN)),
      refusal: "credits are whole",
    },
    {
      name: "a release above the reserved credits",
      work: (s, c) => move(s, c, { type: "release", step: null, credits: 101 }),
      refusal: "not covered by a reservation",
    },
    {
      name: "a deduction above the available credits",
      work: (s, c) => s.write((tx) => deduct(tx, given(c.firm_id, 901))),
      refusal: false,
    },
    {
      name: "a grant of zero",
      work: (s, c) => s.write((tx) => grant(tx, "grant", given(c.firm_id, 0))),
      refusal: "a grant is a positive whole number",
    },
    {
      name: "a negative grant",
      work: (s, c) => s.write((tx) => grant(tx, "adjust", given(c.firm_id, -5))),
      refusal: "a grant is a positive whole number",
    },
    {
      name: "a changed entry",
      work: (s) => s.write((tx) => unscoped(tx).updateTable("transfers").set({ amount: 1 }).execute()),
      refusal: "the ledger is append-only",
    },
    {
      name: "a deleted entry",
      work: (s) => s.write((tx) => unscoped(tx).deleteFrom("transfers").execute()),
      refusal: "the ledger is append-only",
    },
  ];

  for (const { name, work, refusal } of table)
    test(name, async () => {
      await using world = await World.open();
      const firm = await world.firm({ credits: 1_050 });
      const charge: Charge = { firm_id: firm.id, run_id: run, at: 1, id: newId };
      expect(await move(world.store, charge, reserve(150), settle("a", 50))).toBe(true);
      const before = [await world.balance(firm), await world.count("transfers")];
      expect(before).toEqual([{ available: 900, reserved: 100 }, 3]);
      const done = work(world.store, charge);
      if (refusal === false) expect(await done).toBe(false);
      else await expect(done).rejects.toThrow(refusal);
      expect([await world.balance(firm), await world.count("transfers")]).toEqual(before);
      await expectSoundLedger(world.store);
    });
});

test("a provider's share is part of the charge, never more, and the platform gets the rest", async () => {
  await using world = await World.open();
  const firm = await world.firm({ credits: 100 });
  const charge: Charge = { firm_id: firm.id, run_id: newId(), at: 1, id: newId };
  await move(
    world.store,
    charge,
    { type: "reserve", credits: 100 },
    { type: "settle", step: "dear", credits: 80, provider },
    { type: "settle", step: "cheap", credits: 20, provider },
  );
  const rows = await unscoped(world.store.read).selectFrom("balances").select(["account", "available"]).execute();
  expect(rows).toContainEqual({ account: "provider:partner", available: 50 });
  expect(rows).toContainEqual({ account: "platform", available: 50 });
  await expectSoundLedger(world.store);
});
