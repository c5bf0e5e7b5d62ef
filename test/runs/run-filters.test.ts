import { describe, expect, test } from "bun:test";
import { day } from "../../src/platform/clock.ts";
import type { Run } from "../../src/runs/schema.ts";
import { errorIn, type Firm, World } from "../support/harness.ts";

const listed = async (world: World, as: string, query: string): Promise<string[]> => {
  const answer = await world.ask(`/v1/runs?${query}`, { as });
  return ((await answer.json()) as { items: Run[] }).items.map(({ id }) => id);
};
/** The tests' clock starts on 2026-03-01 at noon UTC. */
async function threeDays(world: World, firm: Firm): Promise<string[]> {
  const ids: string[] = [];
  for (let i = 0; i < 3; i++) {
    ids.push((await world.settled(firm)).id);
    world.clock.advance(day);
  }
  return ids;
}

describe("filtering runs", () => {
  test("by first and last day includes both days", async () => {
    await using world = await World.open();
    const firm = await world.firm();
    const [first, second, third] = await threeDays(world, firm);
    const of = (query: string) => listed(world, world.tokenOf(firm.people.owner.id), query);
    expect(await of("from=2026-03-02")).toEqual([third ?? "", second ?? ""]);
    expect(await of("to=2026-03-02")).toEqual([second ?? "", first ?? ""]);
    expect(await of("from=2026-03-02&to=2026-03-02")).toEqual([second ?? ""]);
    expect(await of("from=2026-03-02&to=2026-03-02&status=succeeded&capability=echo")).toEqual([second ?? ""]);
    expect(await of("to=2026-02-28")).toEqual([]);
    expect(await of("from=2027-01-01")).toEqual([]);
  });

  test("by use case and by workspace works alone and combined", async () => {
    await using world = await World.open();
    const firm = await world.firm();
    const other = await world.firm();
    const plain = await world.settled(firm);
    const solo = await world.settled(firm, { useCase: "triage" });
    const { secret } = await world.key(firm, ["capabilities:run", "runs:read"], { workspace: firm.workspaces[1] });
    const second = await world.accepted(firm, { as: secret });
    await world.idle();
    const of = (query: string) => listed(world, firm.people.owner.token, query);
    expect(await of("use_case=triage")).toEqual([solo.id]);
    expect(await of("use_case=commercial")).toEqual([]);
    expect(await of(`workspace_id=${firm.workspaces[1]}`)).toEqual([second.id]);
    expect(await of(`workspace_id=${firm.workspaces[0]}`)).toEqual([solo.id, plain.id]);
    expect(await of(`workspace_id=${firm.workspaces[1]}&use_case=triage`)).toEqual([]);
    for (const [as, workspace] of [
      [secret, firm.workspaces[0]],
      [firm.key, other.workspaces[0]],
    ])
      expect(await errorIn(await world.ask(`/v1/runs?workspace_id=${workspace}`, { as }))).toMatchObject({
        code: "not_found",
        details: [{ path: "/query/workspace_id" }],
      });
  });

  test("by days applies to all pages", async () => {
    await using world = await World.open();
    const firm = await world.firm();
    const [first, second] = await threeDays(world, firm);
    const page = async (more = "") =>
      (await (await world.ask(`/v1/runs?to=2026-03-02&limit=1${more}`, { as: firm.key })).json()) as {
        items: Run[];
        next_cursor: string | null;
      };
    const one = await page();
    const two = await page(`&cursor=${one.next_cursor}`);
    expect([one.items[0]?.id, two.items[0]?.id, two.next_cursor]).toEqual([second, first, null]);
  });

  test("by days in reverse order is refused", async () => {
    await using world = await World.open();
    const firm = await world.firm();
    const answer = await world.ask("/v1/runs?from=2026-03-02&to=2026-03-01", { as: firm.key });
    expect((await errorIn(answer)).details).toEqual([{ path: "/query/from", message: "must not be after to" }]);
  });
});
