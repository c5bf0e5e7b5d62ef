import { afterAll, expect, test } from "bun:test";
import type { UsageDays } from "../../src/accounts/usage/schema.ts";
import { day } from "../../src/platform/clock.ts";
import { succeed } from "../support/engines.ts";
import { errorIn, World } from "../support/harness.ts";

const world = await World.open();
const firm = await world.firm();
afterAll(() => world[Symbol.asyncDispose]());

const read = async (query = "", as = firm.key): Promise<UsageDays> =>
  (await (await world.ask(`/v1/usage/days${query}`, { as })).json()) as UsageDays;
const today = () => new Date(world.clock.now()).toISOString().slice(0, 10);

test("usage is counted by day, by capability or use case, and by key", async () => {
  const first = today();
  const { key, secret } = await world.key(firm, ["capabilities:run", "runs:read"]);
  world.engines.echo.behave = succeed(30);
  await world.settled(firm);
  await world.settled(firm, { as: secret });
  await world.settled(firm, { as: firm.people.member.token });
  world.clock.advance(2 * day);
  const last = today();
  const token = world.tokenOf(firm.people.owner.id);
  await world.settled(firm, { as: secret });
  const usage = await read(`?from=${first}&to=${last}`, token);
  expect(usage).toMatchObject({ from: first, to: last, runs: 4, succeeded: 4, credits: 120 });
  expect(usage.days.map(({ runs, credits }) => [runs, credits])).toEqual([
    [3, 90],
    [0, 0],
    [1, 30],
  ]);
  expect(usage.by_capability).toMatchObject([{ capability: "echo", runs: 4, days: [{ date: first }, { date: last }] }]);
  expect(usage.by_use_case).toEqual([]);
  expect(usage.by_key.map(({ key_id, name, runs, credits }) => [key_id, name, runs, credits])).toEqual([
    [key.id, "further", 2, 60],
    [null, null, 1, 30],
    [expect.any(String), "all", 1, 30],
  ]);
  const sum = (rows: readonly { credits: number }[]) => rows.reduce((total, { credits }) => total + credits, 0);
  const { balance } = (await (await world.ask("/v1/credits", { as: token })).json()) as {
    balance: { available: number };
  };
  expect([sum(usage.days), sum(usage.by_key), 10_000 - balance.available]).toEqual([120, 120, 120]);
});

test("a key sees its own workspace only, and another firm nothing", async () => {
  const elsewhere = await world.key(firm, ["account:read"], { workspace: firm.workspaces[1] });
  expect(await read("", elsewhere.secret)).toMatchObject({ runs: 0, by_capability: [], by_key: [] });
  expect(await read("", (await world.firm()).key)).toMatchObject({ runs: 0, by_key: [] });
});

test("the default is the last thirty days; reversed or too many days are 422", async () => {
  expect((await read()).days).toHaveLength(30);
  expect((await read("?from=2025-01-01&to=2026-01-01")).days).toHaveLength(366);
  expect(await read("?to=0000-01-29")).toMatchObject({ from: "0000-01-01", to: "0000-01-29", runs: 0 });
  for (const query of ["?from=2026-02-02&to=2026-02-01", "?from=2025-01-01&to=2026-01-02", "?from=yesterday"]) {
    const answer = await world.ask(`/v1/usage/days${query}`, { as: firm.key });
    expect([query, answer.status]).toEqual([query, 422]);
    expect((await errorIn(answer)).details?.[0]?.path).toBe("/query/from");
  }
});

test("without `to`, an error states the day assumed", async () => {
  const taken = `${today()}, which is today in UTC, because to is absent`;
  const told = async (query: string) =>
    (await errorIn(await world.ask(`/v1/usage/days${query}`, { as: firm.key }))).details;
  expect(await told("?from=9999-12-31")).toEqual([{ path: "/query/from", message: `must not be after ${taken}` }]);
  expect(await told("?from=2020-01-01")).toEqual([
    { path: "/query/from", message: `must be less than 366 days before ${taken}` },
  ]);
});
