import { afterAll, describe, expect, test } from "bun:test";
import { succeed } from "../support/engines.ts";
import { World } from "../support/harness.ts";

interface Entry {
  readonly id: string;
  readonly kind: string;
  readonly amount: number;
  readonly balance_after: Credits["balance"];
  readonly run_id: string | null;
}

interface Credits {
  readonly balance: { readonly available: number; readonly reserved: number };
  readonly entries: {
    readonly items: readonly Entry[];
    readonly next_cursor: string | null;
  };
}

const world = await World.open();
afterAll(() => world[Symbol.asyncDispose]());
const credits = async (as: string, query = ""): Promise<Credits> =>
  (await (await world.ask(`/v1/credits${query}`, { as })).json()) as Credits;

describe("the firm's credits as seen by a key", () => {
  test("exclude entries of other workspaces' runs, and include the firm's balance", async () => {
    const firm = await world.firm();
    const second = await world.key(firm, ["account:read", "capabilities:run", "runs:read"], {
      workspace: firm.workspaces[1],
    });
    const [mine, theirs] = [await world.settled(firm), await world.accepted(firm, { as: second.secret })];
    await world.idle();
    const [first, other, whole] = [
      await credits(firm.key),
      await credits(second.secret),
      await credits(firm.people.owner.token),
    ];
    const runsIn = ({ entries }: Credits) => new Set(entries.items.flatMap(({ run_id }) => run_id ?? []));
    expect([...runsIn(first)]).toEqual([mine.id]);
    expect([...runsIn(other)]).toEqual([theirs.id]);
    expect(runsIn(whole)).toEqual(new Set([mine.id, theirs.id]));
    for (const { balance, entries } of [first, other, whole]) {
      expect(balance).toEqual({ available: 9_000, reserved: 0 });
      expect(entries.items.filter(({ kind }) => kind === "grant")).toHaveLength(1);
    }
  });

  test("are reconciled per run, and a person's by the balance", async () => {
    const firm = await world.firm();
    const second = await world.key(firm, ["account:read", "capabilities:run"], { workspace: firm.workspaces[1] });
    world.engines.echo.behave = succeed(300);
    const { id, charges } = await world.settled(firm);
    await world.accepted(firm, { as: second.secret });
    await world.idle();
    const sum = ({ entries }: Credits, holds: (entry: Entry) => boolean) =>
      entries.items.filter(holds).reduce((total, { amount }) => total + amount, 0);
    const isSettled = ({ kind }: Entry) => kind === "settle";
    const mine = await credits(firm.key, "?limit=100");
    expect(charges.charged_credits).toBe(300);
    expect(sum(mine, (entry) => entry.run_id === id && isSettled(entry))).toBe(-300);
    expect(sum(mine, (entry) => entry.run_id === id && !isSettled(entry))).toBe(-300);
    const usage = await (await world.ask("/v1/usage/days", { as: firm.key })).json();
    expect(usage).toMatchObject({ credits: -sum(mine, isSettled) });
    const whole = await credits(firm.people.owner.token, "?limit=100");
    expect(whole.balance).toEqual({ available: 9_400, reserved: 0 });
    expect(sum(whole, (entry) => !isSettled(entry))).toBe(9_400);
    expect(whole.entries.items[0]?.balance_after).toEqual(whole.balance);
  });

  test("are paginated in the same order, each entry once", async () => {
    const firm = await world.firm();
    const second = await world.key(firm, ["account:read", "capabilities:run"], { workspace: firm.workspaces[1] });
    for (let n = 0; n < 3; n++) {
      await world.settled(firm);
      await world.accepted(firm, { as: second.secret });
    }
    const all = (await credits(second.secret, "?limit=100")).entries.items.map(({ id }) => id);
    const paged: string[] = [];
    for (let cursor: string | null = ""; cursor !== null; ) {
      const { entries } = await credits(second.secret, `?limit=2${cursor && `&cursor=${encodeURIComponent(cursor)}`}`);
      paged.push(...entries.items.map(({ id }) => id));
      cursor = entries.next_cursor;
    }
    expect(paged).toEqual(all);
    expect(new Set(paged).size).toBe(all.length);
  });
});
