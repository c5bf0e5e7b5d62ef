import { describe, expect, test } from "bun:test";
import { minute } from "../../src/platform/clock.ts";
import type { CapabilityDetail, CapabilityList } from "../../src/products/catalogue/schema.ts";
import type { Capability } from "../../src/registry/contract.ts";
import { World } from "../support/harness.ts";

const list = async (world: World, query = "") =>
  (await (await world.ask(`/v1/capabilities${query}`)).json()) as CapabilityList;
const detail = async (world: World, slug: string, as?: string) =>
  (await (await world.ask(`/v1/capabilities/${slug}`, { as })).json()) as CapabilityDetail;

describe("the list of capabilities", () => {
  test("has the public capabilities with the values to filter by, and never the private ones", async () => {
    await using world = await World.open();
    const { items, filters } = await list(world);
    expect(items.map(({ slug }) => slug)).toEqual(["echo", "solo", "brief", "entitled"]);
    expect(filters).toEqual({
      outcomes: ["Something known"],
      countries: ["CZ"],
      providers: ["partner", "assay"],
      statuses: ["live"],
      access: ["read"],
      pricing_models: ["per_run"],
    });
  });

  test("filters by each of its parameters", async () => {
    await using world = await World.open();
    for (const [query, wanted] of [
      ["?q=ECHO", 1],
      ["?q=capability%20tests", 4],
      ["?outcome=something%20known", 4],
      ["?country=cz", 4],
      ["?country=DE", 0],
      ["?provider=partner", 3],
      ["?status=pilot", 0],
      ["?access=write", 0],
      ["?pricing_model=per_run", 4],
      ["?pricing_model=contract", 0],
    ] as const)
      expect([query, (await list(world, query)).items.length]).toEqual([query, wanted]);
  });

  test("states `runnable` exactly while a run would be accepted", async () => {
    await using world = await World.open();
    const runnable = async () => (await list(world)).items.find(({ slug }) => slug === "echo")?.runnable;
    expect(await runnable()).toBe(true);
    world.engines.echo.unready = "no data";
    expect(await runnable()).toBe(false);
    world.engines.echo.unready = null;
    for (const gate of ["echo", "platform"]) {
      await world.closeGate(gate);
      expect(await runnable()).toBe(false);
      await world.openGates(gate);
      expect(await runnable()).toBe(true);
    }
  });
});

describe("a capability's detail", () => {
  test("shows a private capability only to its own firm", async () => {
    await using world = await World.open();
    const [mine, other] = [await world.firm({ entitlements: ["capability:hidden"] }), await world.firm()];
    expect((await detail(world, "hidden", mine.key)).slug).toBe("hidden");
    const missing = await (await world.ask("/v1/capabilities/none")).text();
    for (const as of [undefined, other.key, other.people.owner.token]) {
      const answer = await world.ask("/v1/capabilities/hidden", { as });
      expect([answer.status, await answer.text()]).toEqual([404, missing]);
    }
  });

  test("states what a caller needs for each interface, and the server requires just that", async () => {
    await using world = await World.open();
    const firm = await world.firm({ entitlements: ["distribution:read"] });
    for (const slug of ["echo", "entitled"]) {
      const { permissions, required_scopes, required_entitlements } = await detail(world, slug);
      expect(required_scopes).toEqual({ mcp: permissions, rest: ["capabilities:run"] });
      expect(required_entitlements).toEqual(slug === "echo" ? [] : ["distribution:read"]);
      const enough = await world.key(firm, required_scopes.rest);
      expect((await world.start(firm, { slug, as: enough.secret })).status).toBe(202);
      const short = await world.key(firm, permissions);
      expect((await world.start(firm, { slug, as: short.secret })).status).toBe(403);
    }
    await world.idle();
  });

  test("withholds statistics while fewer than five tenants have used it", async () => {
    await using world = await World.open();
    for (let tenants = 1; tenants <= 5; tenants++) {
      await world.settled(await world.firm());
      world.clock.advance(minute + 1);
      const { statistics } = await detail(world, "echo");
      if (tenants < 5) expect(statistics).toBeNull();
      else expect(statistics).toMatchObject({ runs_30d: 5, success_rate: 1, tenants: 5 });
    }
  });
});

test("an account's own list has the public capabilities and those private to its firm", async () => {
  await using world = await World.open();
  const [mine, other] = [await world.firm({ entitlements: ["capability:hidden"] }), await world.firm()];
  const own = async (as: string) => {
    const body = (await (await world.ask("/v1/me/capabilities", { as })).json()) as { items: Capability[] };
    return body.items.map(({ slug }) => slug);
  };
  expect(await own(mine.key)).toContain("hidden");
  expect(await own(other.key)).toEqual(["echo", "solo", "brief", "entitled"]);
});

test("a firm runs a private capability until its entitlement is withdrawn", async () => {
  await using world = await World.open();
  const firm = await world.firm({ entitlements: ["capability:hidden"] });
  expect((await world.settled(firm, { slug: "hidden" })).status).toBe("succeeded");
  await world.store.write((tx) => tx.deleteFrom("entitlements").where("firm_id", "=", firm.id).execute());
  expect((await world.start(firm, { slug: "hidden" })).status).toBe(404);
});

describe("health and readiness", () => {
  test("health is static, and ready queries the database", async () => {
    await using world = await World.open();
    expect(await (await world.ask("/health")).json()).toEqual({ status: "ok" });
    expect(await (await world.ask("/ready")).json()).toEqual({ status: "ready" });
  });

  test("without a database health returns 200, and ready 503 database_unavailable without a cause", async () => {
    await using world = await World.open();
    await world.store.close();
    expect((await world.ask("/health")).status).toBe(200);
    const ready = await world.ask("/ready");
    expect([ready.status, ready.headers.get("retry-after")]).toEqual([503, "5"]);
    expect(await ready.text()).not.toMatch(/sqlite|closed|\.db/i);
  });
});
