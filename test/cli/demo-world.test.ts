import { afterAll, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { CreditEntry, UsageDays } from "../../src/accounts/usage/schema.ts";
import type { DemoWorld } from "../../src/demo/world.ts";
import { present } from "../../src/platform/assert.ts";
import type { Run } from "../../src/runs/schema.ts";
import { until } from "../support/harness.ts";
import { Installation } from "../support/operator.ts";

const installation = new Installation();
afterAll(() => installation[Symbol.asyncDispose]());

test("the demo shows a month of every capability, pending and failed runs, and no key needed only by tests", async () => {
  const server = await installation.serve("--demo");
  const told = JSON.parse(readFileSync(join(installation.data, "demo-credentials.json"), "utf8")) as DemoWorld;
  const firm = present(told.firms[0], "the first firm");
  const owner = present(firm.users[0], "its owner");
  const sent = await fetch(`${server.url}/auth/v1/token?grant_type=password`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ email: owner.email, password: owner.password }),
  });
  const { access_token } = (await sent.json()) as { access_token: string };
  const ask = (path: string, as = access_token) =>
    fetch(server.url + path, { headers: { authorization: `Bearer ${as}` } });
  const read = async <T>(path: string): Promise<T> => (await (await ask(path)).json()) as T;
  const runs = async (query: string) => (await read<{ items: Run[] }>(`/v1/runs?${query}`)).items;

  await until(async () => (await runs("status=awaiting_approval")).length === 1, "what waits for a person");
  const [waiting] = await runs("status=awaiting_approval");
  expect(waiting).toMatchObject({ use_case: "european-market-entry-pack", charges: { charged_credits: 18_000 } });
  expect(waiting?.approval?.items).toHaveLength(10);
  expect(await runs("status=failed")).toMatchObject([{ status_reason: { code: "site_unreachable" } }]);
  await until(async () => (await runs("capability=insurance-assistant&status=succeeded")).length === 1, "an answer");

  const { entries } = await read<{ entries: { items: CreditEntry[] } }>("/v1/credits?limit=100");
  for (const listed of [await runs("limit=100"), entries.items]) {
    const times = listed.map(({ created_at }) => created_at);
    expect(times.length).toBeGreaterThan(8);
    expect(times).toEqual(times.toSorted().toReversed());
  }

  const usage = await read<UsageDays>("/v1/usage/days");
  expect(usage.by_capability.map(({ capability }) => capability).sort()).toEqual([
    "afa-assurance",
    "company-intelligence",
    "distribution-intelligence",
    "eu-market-data",
    "exa-filter",
    "germany-market-intelligence",
    "insurance-assistant",
    "market-validator",
  ]);
  expect(usage.days.filter((day) => day.runs > 0).length).toBeGreaterThan(25);
  expect(usage.days.filter((day) => day.credits > 0).length).toBe(2);
  expect(usage.by_key.map(({ name }) => name).sort()).toEqual(["Back office", null].sort());

  const names = async (path: string) => (await read<{ name: string }[]>(path)).map(({ name }) => name);
  expect(await names("/v1/developer/api-keys")).toEqual(["Back office"]);
  expect((await names("/v1/developer/api-keys?include=test")).length).toBeGreaterThan(18);
  const { by_scope, all } = firm.keys;
  expect((await ask("/v1/runs", all)).status).toBe(200);
  expect((await ask("/v1/runs", by_scope["runs:read"])).status).toBe(200);
  expect(await server.end()).toBe(0);
});
