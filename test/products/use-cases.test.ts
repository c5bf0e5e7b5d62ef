import { describe, expect, test } from "bun:test";
import { hour } from "../../src/platform/clock.ts";
import type { Quote, UseCase } from "../../src/products/use-cases/schema.ts";
import { refusal, World } from "../support/harness.ts";
import { type Scenario, type Scene, scenarios } from "../support/scenario.ts";

const input = { text: "hello" };
const quote = async ({ world }: Pick<Scene, "world">, slug = "triage", given: unknown = input): Promise<Quote> =>
  (await (await world.ask(`/v1/use-cases/${slug}/quote`, { body: { input: given } })).json()) as Quote;
const get =
  (path: string) =>
  ({ world }: Scene) =>
    world.ask(path);
const slugs = (answer: string) => (JSON.parse(answer) as { items: { slug: string }[] }).items.map(({ slug }) => slug);
const lists = (path: string, ...wanted: string[]): Scenario => ({
  name: `the list for ${path} shows ${wanted.join(", ") || "nothing"}`,
  ask: get(`/v1/use-cases${path}`),
  status: 200,
  afterwards: async (_, answer) => expect(slugs(answer)).toEqual(wanted),
});

describe("the list of use cases", () => {
  scenarios([
    lists("", "triage", "commercial"),
    lists("?status=available", "triage"),
    lists("?access=gated", "commercial"),
    lists("?access=public&country=sk", "triage"),
    lists("?q=REPÓRT%20names", "triage", "commercial"),
    lists("?q=nothing", ...[]),
    lists("?max_price=1499", ...[]),
    lists("?max_price=1500&category=tests&provider=ASSAY", "triage", "commercial"),
    {
      name: "a filter out of its bounds is 422",
      ask: get("/v1/use-cases?max_price=100001"),
      status: 422,
      code: "validation_error",
      paths: ["/query/max_price"],
    },
  ]);
});

describe("a use case's detail", () => {
  test("shows its steps, prices, input, limits and what currently prevents a run", async () => {
    await using world = await World.open();
    const read = async (slug: string) => (await (await world.ask(`/v1/use-cases/${slug}`)).json()) as UseCase;
    expect(await read("triage")).toMatchObject({
      maximum_credits: 1_500,
      dependencies: ["echo", "names", "report"],
      limitations: ["no outreach"],
      execution_blocker: null,
      runnable: true,
      steps: [
        { key: "company", maximum_credits: 500, requires_approval: false },
        { key: "names", maximum_credits: 700, requires_approval: true },
        { key: "report", maximum_credits: 300, requires_approval: false },
      ],
    });
    expect((await read("commercial")).execution_blocker?.code).toBe("commercial_validation_required");
    world.engines.report.unready = "no data";
    expect(await read("triage")).toMatchObject({
      runnable: false,
      execution_blocker: { code: "capability_runs_disabled" },
    });
  });

  scenarios([{ name: "an unknown use case is 404", ask: get("/v1/use-cases/none"), status: 404, code: "not_found" }]);
});

const quoting: Scenario[] = [
  {
    name: "a quote is free: it reserves nothing and needs no credential",
    ask: ({ world }) => world.ask("/v1/use-cases/triage/quote", { body: { input } }),
    status: 200,
    shows: ['"maximum_credits":1500', '"reserved_credits":0', '"approval_required":true'],
    afterwards: async ({ world }) => expect(await world.count("runs")).toBe(0),
  },
  {
    name: "a quote of a gated use case says which gate is closed",
    ask: ({ world }) => world.ask("/v1/use-cases/commercial/quote", { body: { input } }),
    status: 200,
    shows: ['"open":false', '"code":"commercial_validation_required"'],
  },
  {
    name: "a quote's input is validated against the use case",
    ask: ({ world }) => world.ask("/v1/use-cases/triage/quote", { body: { input: { more: 1 } } }),
    status: 422,
    code: "validation_error",
    paths: ["/body/input/text", "/body/input/more"],
  },
  {
    name: "a run by its quote is accepted and bound by the quoted maximum",
    ask: async (scene) => {
      const { id } = await quote(scene);
      return scene.world.start(scene.firm, { useCase: "triage", with: { quote_id: id } });
    },
    status: 202,
    shows: ['"maximum_credits":1500', '"kind":"use_case"'],
    ledger: { available: -1_500, reserved: 1_000 },
  },
  {
    name: "a quote for another input is refused with quote_invalid",
    ask: async (scene) => {
      const { id } = await quote(scene, "triage", { text: "other" });
      return scene.world.start(scene.firm, { useCase: "triage", with: { quote_id: id } });
    },
    status: 409,
    code: "quote_invalid",
  },
  {
    name: "a quote for another use case is refused with quote_invalid",
    ask: async (scene) => {
      const { id } = await quote(scene, "commercial");
      return scene.world.start(scene.firm, { useCase: "triage", with: { quote_id: id } });
    },
    status: 409,
    code: "quote_invalid",
  },
  {
    name: "a use case runs without an idempotency key too",
    ask: ({ world, firm }) => world.ask("/v1/use-cases/triage/runs", { as: firm.key, body: { input } }),
    status: 202,
    ledger: { available: -1_500, reserved: 1_000 },
  },
];
describe("quotes and runs", () => {
  scenarios(quoting);

  test("a quote is valid for one hour, and for the same input with its properties in any order", async () => {
    await using world = await World.open();
    const firm = await world.firm();
    const { id, created_at, expires_at } = await quote({ world }, "triage", { text: "a", note: "b" });
    expect(Date.parse(expires_at) - Date.parse(created_at)).toBe(hour);
    const start = () =>
      world.start(firm, { useCase: "triage", input: { note: "b", text: "a" }, with: { quote_id: id } });
    world.clock.advance(hour - 1);
    expect((await start()).status).toBe(202);
    world.clock.advance(1);
    expect(await refusal(await start())).toEqual([409, "quote_invalid"]);
  });

  test("opening the commercial gate opens the use case", async () => {
    await using world = await World.open();
    const firm = await world.firm();
    await world.openGates("commercial");
    expect((await world.settled(firm, { useCase: "commercial" })).status).toBe("awaiting_approval");
  });

  test("a step that fails permanently ends the run, keeps the earlier charge and skips the rest", async () => {
    await using world = await World.open();
    const firm = await world.firm();
    world.engines.names.behave = async () => {
      throw new Error("broken");
    };
    const run = await world.settled(firm, { useCase: "triage" });
    expect(run).toMatchObject({ status: "failed", result: null, charges: { charged_credits: 500 } });
    expect(run.steps.map(({ status }) => status)).toEqual(["succeeded", "failed", "skipped"]);
    expect(await world.balance(firm)).toEqual({ available: 9_500, reserved: 0 });
  });
});
