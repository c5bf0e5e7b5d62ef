import { afterAll, describe, expect, test } from "bun:test";
import { World } from "../support/harness.ts";

interface Credits {
  readonly balance: { readonly available: number; readonly reserved: number };
  readonly entries: {
    readonly items: readonly { readonly id: string; readonly kind: string; readonly run_id: string | null }[];
    readonly next_cursor: string | null;
  };
}

const world = await World.open();
afterAll(() => world[Symbol.asyncDispose]());
const credits = async (as: string, query = ""): Promise<Credits> =>
  (await (await world.ask(`/v1/credits${query}`, { as })).json()) as Credits;

describe("a key's view of the firm's credits", () => {
  test("has no entry of another workspace's runs, and the firm's balance", async () => {
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

  test("is paged in the same order, each entry once", async () => {
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
