import { describe, expect, test } from "bun:test";
import { ensureCaughtUp } from "../../db/queries/secondary-indexes.ts";
import type { CreditEntry, UsageSummary } from "../../src/accounts/usage/schema.ts";
import { usageSummary } from "../../src/accounts/usage/service.ts";
import { day } from "../../src/platform/clock.ts";
import { failForGood, hang, succeed } from "../support/engines.ts";
import { type Firm, freshKey, refusal, runIn, until, World } from "../support/harness.ts";
import { type Scenario, scenarios } from "../support/scenario.ts";

interface Saved {
  readonly id: string;
  readonly last_run_at: string | null;
}
const path = "/v1/saved-configurations";
const save = async (world: World, firm: Firm, more: object = {}): Promise<Saved> =>
  (await (
    await world.ask(path, {
      as: firm.key,
      body: { name: "mine", capability: "echo", input: { text: "a" }, ...more },
    })
  ).json()) as Saved;
const runSaved = (world: World, firm: Firm, { id }: Saved, key = freshKey()) =>
  world.ask(`${path}/${id}/runs`, { method: "POST", as: firm.key, headers: { "idempotency-key": key } });

const saving: Scenario[] = [
  {
    name: "a configuration is saved with 201 and costs nothing",
    ask: ({ world, firm }) =>
      world.ask(path, { as: firm.key, body: { name: "mine", capability: "echo", input: { text: "a" } } }),
    status: 201,
    shows: ['"name":"mine"', '"mode":"live"', '"last_run_at":null'],
  },
  {
    name: "a saved configuration's input is validated when it is saved",
    ask: ({ world, firm }) => world.ask(path, { as: firm.key, body: { name: "mine", capability: "echo", input: {} } }),
    status: 422,
    code: "validation_error",
    paths: ["/body/input/text"],
  },
  {
    name: "a configuration of an unknown or private capability is 422",
    ask: ({ world, firm }) =>
      world.ask(path, { as: firm.key, body: { name: "mine", capability: "hidden", input: { text: "a" } } }),
    status: 422,
    code: "validation_error",
    paths: ["/body/capability"],
  },
  {
    name: "running a saved configuration reserves and charges like any run",
    ask: async ({ world, firm }) => runSaved(world, firm, await save(world, firm)),
    status: 202,
    ledger: { available: -500, reserved: 0 },
  },
  {
    name: "running a saved configuration requires an idempotency key",
    ask: async ({ world, firm }) => {
      const { id } = await save(world, firm);
      return world.ask(`${path}/${id}/runs`, { method: "POST", as: firm.key });
    },
    status: 422,
    code: "validation_error",
    paths: ["/header/idempotency-key"],
  },
];
describe("saved configurations", () => {
  scenarios(saving);

  test("are run once per idempotency key, with one charge", async () => {
    await using world = await World.open();
    const firm = await world.firm();
    const saved = await save(world, firm);
    const key = freshKey();
    const answers = await Promise.all(Array.from({ length: 8 }, () => runSaved(world, firm, saved, key)));
    expect(new Set((await Promise.all(answers.map(runIn))).map(({ id }) => id)).size).toBe(1);
    await world.idle();
    expect(await world.balance(firm)).toEqual({ available: 9_500, reserved: 0 });
    const listed = await (await world.ask(path, { as: firm.key })).json();
    expect(listed).toMatchObject({ items: [{ id: saved.id, last_run_at: "2026-03-01T12:00:00.000Z" }] });
  });

  test("are read and renamed by id, in their workspace, with the saved input", async () => {
    await using world = await World.open();
    const [firm, other] = [await world.firm(), await world.firm()];
    const saved = await save(world, firm);
    const one = `${path}/${saved.id}`;
    const rename = (body: unknown, as = firm.key) => world.ask(one, { method: "PATCH", as, body });
    expect(await (await rename({ name: "renamed" })).json()).toMatchObject({ id: saved.id, name: "renamed" });
    expect(await (await world.ask(one, { as: firm.key })).json()).toMatchObject({ name: "renamed", last_run_at: null });
    for (const body of [{}, { name: "  " }, { name: "x".repeat(121) }, { name: "a", input: { text: "b" } }])
      expect(await refusal(await rename(body))).toEqual([422, "validation_error"]);
    const { secret } = await world.key(firm, ["capabilities:run", "runs:read"], { workspace: firm.workspaces[1] });
    for (const as of [secret, other.key]) {
      expect(await refusal(await world.ask(one, { as }))).toEqual([404, "not_found"]);
      expect(await refusal(await rename({ name: "taken" }, as))).toEqual([404, "not_found"]);
    }
    const reader = await world.key(firm, ["runs:read"]);
    expect((await world.ask(one, { as: reader.secret })).status).toBe(200);
    expect(await refusal(await rename({ name: "taken" }, reader.secret))).toEqual([403, "missing_scope"]);
  });

  test("are deleted without their runs", async () => {
    await using world = await World.open();
    const firm = await world.firm();
    const saved = await save(world, firm);
    const { id } = await runIn(await runSaved(world, firm, saved));
    const remove = () => world.ask(`${path}/${saved.id}`, { method: "DELETE", as: firm.key });
    const removed = await remove();
    expect([removed.status, await removed.text()]).toEqual([204, ""]);
    expect(await refusal(await remove())).toEqual([404, "not_found"]);
    expect(await refusal(await runSaved(world, firm, saved))).toEqual([404, "not_found"]);
    await world.idle();
    expect((await world.run(firm, id)).status).toBe("succeeded");
  });
});

describe("usage", () => {
  test("summarises finished runs by status, capability and day, and states the reserved credits", async () => {
    await using world = await World.open();
    const firm = await world.firm();
    const { echo } = world.engines;
    echo.behave = succeed(300);
    await world.settled(firm);
    world.clock.advance(day);
    await world.settled(firm);
    echo.behave = failForGood;
    await world.settled(firm);
    echo.behave = hang;
    await world.accepted(firm);
    await until(() => echo.calls.length === 4, "one is at work");
    const summary = (await (await world.ask("/v1/usage/summary?days=2", { as: firm.key })).json()) as UsageSummary;
    expect(summary).toEqual({
      days: 2,
      credits: { charged: 600, reserved_now: 500, available: 8_900 },
      runs: { succeeded: 2, failed: 1 },
      by_capability: [{ capability: "echo", runs: 3, succeeded: 2, credits: 600 }],
      by_use_case: [],
      by_day: [
        { date: "2026-03-01", runs: 1, credits: 300 },
        { date: "2026-03-02", runs: 2, credits: 300 },
      ],
    });
    const today = (await (await world.ask("/v1/usage/summary?days=1", { as: firm.key })).json()) as UsageSummary;
    expect(today.credits.charged).toBe(300);
  });

  test("finished on later days, because the clock was set back, is in no total up to today", async () => {
    await using world = await World.open();
    const firm = await world.firm();
    await world.settled(firm);
    world.clock.advance(40 * day);
    await world.settled(firm);
    await ensureCaughtUp(world.store, "run_days");
    const setBack = world.clock.now() - 40 * day;
    const summary = await usageSummary(world.store.read, new Map(), firm.id, firm.workspaces, 2, setBack);
    expect(summary.by_day.reduce((sum, { credits }) => sum + credits, 0)).toBe(summary.credits.charged);
    expect(summary).toMatchObject({ credits: { charged: 500 }, runs: { succeeded: 1 } });
  });

  test("shows a provider nothing of the platform or of other firms, however many use it", async () => {
    await using world = await World.open();
    for (let tenants = 1; tenants <= 5; tenants++) {
      const firm = await world.firm();
      await world.settled(firm, { slug: "solo" });
      const answer = await world.ask("/v1/provider/overview", { as: firm.key });
      expect(await answer.json()).toEqual({ days: 30, provider: expect.any(String), capabilities: [] });
    }
  });

  test("a settlement names the provider whose share it is, or none if it is the platform's", async () => {
    await using world = await World.open();
    const firm = await world.firm();
    await world.settled(firm);
    const answer = await world.ask("/v1/credits", { as: firm.people.owner.token });
    const { items } = ((await answer.json()) as { entries: { items: CreditEntry[] } }).entries;
    const settled = items.filter(({ kind }) => kind === "settle").map(({ amount, provider }) => [amount, provider]);
    expect(settled).toEqual([
      [-100, "partner"],
      [-400, null],
    ]);
    expect(items.filter(({ kind, provider }) => kind !== "settle" && provider !== null)).toEqual([]);
  });

  test("the ledger's entries are paginated, and add up to the balance", async () => {
    await using world = await World.open();
    const firm = await world.firm({ credits: 2_000 });
    world.engines.echo.behave = succeed(350);
    for (let i = 0; i < 3; i++) await world.settled(firm);
    const entries: CreditEntry[] = [];
    let cursor: string | null = "";
    while (cursor !== null) {
      const query: string = cursor === "" ? "" : `&cursor=${cursor}`;
      const answer = await world.ask(`/v1/credits?limit=4${query}`, { as: firm.key });
      const page = (await answer.json()) as {
        balance: object;
        entries: { items: CreditEntry[]; next_cursor: string | null };
      };
      expect(page.balance).toEqual({ available: 950, reserved: 0 });
      entries.push(...page.entries.items);
      cursor = page.entries.next_cursor;
    }
    const kinds = Object.fromEntries(
      [...Map.groupBy(entries, ({ kind }) => kind)].map(([kind, of]) => [
        kind,
        of.reduce((sum, e) => sum + e.amount, 0),
      ]),
    );
    expect(kinds).toMatchObject({ grant: 2_000, settle: -1_050, reserve: -1_500, release: 450 });
    expect(entries.at(-1)).toMatchObject({ kind: "grant", reason: "test", run_id: null });
    expect(new Set(entries.map(({ id }) => id)).size).toBe(13);
    const sumOf = (...names: readonly string[]) => names.reduce((sum, name) => sum + (kinds[name] ?? 0), 0);
    expect([sumOf("grant", "reserve", "release"), sumOf("settle") - sumOf("reserve", "release")]).toEqual([950, 0]);
  });

  test("each ledger entry states the balance after it, across pages and after a backfill", async () => {
    await using world = await World.open();
    const firm = await world.firm({ credits: 2_000 });
    const other = await world.firm();
    world.engines.echo.behave = succeed(350);
    const entriesOf = async (query = "") => {
      const answer = await world.ask(`/v1/credits${query}`, { as: firm.key });
      return ((await answer.json()) as { entries: { items: CreditEntry[] } }).entries.items;
    };
    for (let i = 0; i < 3; i++) {
      await world.settled(firm);
      await world.settled(other);
      // The newest entry has the balance, however many entries were already indexed.
      expect((await entriesOf("?limit=1"))[0]?.balance_after).toEqual(await world.balance(firm));
    }
    const entries = (await entriesOf()).reverse();
    let [available, reserved] = [0, 0];
    for (const { kind, amount, balance_after } of entries) {
      if (kind === "settle") reserved += amount;
      else available += amount;
      if (kind === "reserve" || kind === "release") reserved -= amount;
      expect(balance_after).toEqual({ available, reserved });
    }
    expect({ available, reserved }).toEqual({ available: 950, reserved: 0 });
  });

  test("the summary separates use cases from capabilities, and together they are complete", async () => {
    await using world = await World.open();
    const firm = await world.firm();
    await world.settled(firm);
    const { id } = await world.settled(firm, { useCase: "triage" });
    await world.ask(`/v1/runs/${id}/approval`, { as: firm.people.owner.token, body: { decision: "approve" } });
    await world.idle();
    const answer = await world.ask("/v1/usage/summary", { as: firm.key });
    const { by_capability, by_use_case, credits } = (await answer.json()) as UsageSummary;
    expect(by_capability).toEqual([{ capability: "echo", runs: 1, succeeded: 1, credits: 500 }]);
    expect(by_use_case).toEqual([{ use_case: "triage", runs: 1, succeeded: 1, credits: 1_500 }]);
    expect(credits.charged).toBe(2_000);
  });

  test("the ledger's entries of another firm are not shown", async () => {
    await using world = await World.open();
    const [firm, other] = [await world.firm(), await world.firm({ credits: 7 })];
    const { id } = await world.settled(firm);
    const answer = await (await world.ask("/v1/credits", { as: other.key })).text();
    expect(answer).not.toContain(id);
    expect(answer).toContain('"available":7');
  });
});
