import { afterAll, describe, expect, test } from "bun:test";
import { present } from "../../src/platform/assert.ts";
import { problems } from "../../src/platform/validate.ts";
import { capabilities as sold } from "../../src/products/capabilities/index.ts";
import type { EuCoverage } from "../../src/products/eu-market/schema.ts";
import { useCases } from "../../src/products/use-cases/manifests.ts";
import { freshKey, World } from "../support/harness.ts";
import { callTool, envelope, type Message, modernHeaders, post, toolNames } from "../support/mcp-world.ts";

/** Compares contracts and descriptions of the tools with what the tools do. */

const world = await World.open(undefined, { capabilities: sold, useCases });
await world.openGates(...sold.map(({ slug }) => slug));
const firm = await world.firm();
const contract = (slug: string) => present(world.app.parts.registry.capabilities.get(slug), slug);
afterAll(() => world[Symbol.asyncDispose]());

describe("a contract", () => {
  test("of the insurance assistant has its tool's output schema", async () => {
    const { output_schema, tools } = contract("insurance-assistant");
    const { value } = await callTool(world, firm.key, "ask_insurance", tools[0]?.examples[0]?.input);
    expect(problems(output_schema, value, "")).toEqual([]);
  });

  test("of market data states correctly that the coverage lists the countries of each indicator", async () => {
    const { value } = await callTool(world, firm.key, "eu_coverage");
    const { indicators } = value as unknown as EuCoverage;
    expect(indicators.length).toBeGreaterThan(20);
    for (const { indicator, places, countries } of indicators)
      expect([indicator, countries.length]).toEqual([indicator, places]);
    const size = present(
      indicators.find(({ indicator }) => indicator === "household_size"),
      "the size of households",
    );
    for (const country of ["CZ", "PL", "FR"]) {
      const { value: view } = await callTool(world, firm.key, "eu_market_overview", { country });
      const has = (view.aggregates as { indicator: string; value: number | null }[]).some(
        (one) => one.indicator === "household_size" && one.value !== null,
      );
      expect([country, size.countries.includes(country)]).toEqual([country, has]);
    }
  });

  test("publishes no scope that its tools do not require", async () => {
    for (const [slug, name] of [
      ["company-intelligence", "analyze_company_url"],
      ["market-validator", "run_validation"],
    ] as const) {
      const answer = await world.ask(`/v1/capabilities/${slug}`, { as: firm.key });
      const { mcp } = ((await answer.json()) as { required_scopes: { mcp: string[] } }).required_scopes;
      expect([slug, mcp.includes("account:read")]).toEqual([slug, false]);
      expect(await toolNames(world, (await world.key(firm, mcp)).secret)).toContain(name);
    }
  });
});

describe("an idempotency key", () => {
  test("that the route of company analyses would refuse is refused by the tool, and nothing is started", async () => {
    const sent = { "assay/idempotency-key": "-bad key!!" };
    const given = { company_url: "https://example.com/" };
    const { error } = await callTool(world, firm.key, "analyze_company_url", given, sent);
    expect(error).toMatchObject({ code: "validation_error", details: [{ path: "/_meta/assay/idempotency-key" }] });
    const jobs = (await (await world.ask("/v1/jobs", { as: firm.key })).json()) as { items: object[] };
    expect(jobs.items).toEqual([]);
  });

  test("in the arguments is refused if it differs from the one in _meta, and accepted if equal", async () => {
    await using plain = await World.open();
    const one = await plain.firm();
    const key = freshKey();
    const run = (idempotency_key: string) =>
      callTool(
        plain,
        one.key,
        "run_use_case",
        { slug: "triage", input: { text: "hello" }, idempotency_key },
        { "assay/idempotency-key": key },
      );
    expect((await run(freshKey())).error).toMatchObject({
      code: "validation_error",
      details: [{ path: "/arguments/idempotency_key" }],
    });
    expect((await run(key)).value.status).toBe("awaiting_approval");
  });
});

test("a job is read with jobs:read alone, as over REST, by a key and no other credential", async () => {
  const { secret } = await world.key(firm, ["jobs:read"]);
  expect(await toolNames(world, secret)).toEqual(["get_job"]);
  const job_id = crypto.randomUUID();
  expect((await callTool(world, secret, "get_job", { job_id })).error.code).toBe("not_found");
  const { secret: other } = await world.key(firm, ["company:analyze"]);
  const refused = (await callTool(world, other, "get_job", { job_id })).error;
  expect([refused.code, refused.message]).toEqual([
    "api_key_required",
    "This tool takes an API key that carries jobs:read.",
  ]);
});

describe("an invalid request", () => {
  const sent = async (body: object, headers = {}) => {
    const answer = await post(world, firm.key, body, headers);
    return { status: answer.status, ...((await answer.json()) as Message) };
  };

  test("in its arguments is an error in plain words, with its id", async () => {
    for (const given of [null, [], "text", 5]) {
      const params = { name: "list_docs", arguments: given };
      const { id, error } = await sent({ jsonrpc: "2.0", id: "mine", method: "tools/call", params });
      expect([id, error]).toEqual([
        "mine",
        { code: -32_602, message: "arguments must be an object; omit it if the tool takes none." },
      ]);
    }
  });

  test("for a subscription, of which there are none, is an error with its id", async () => {
    const params = { notifications: {}, _meta: envelope };
    const body = { jsonrpc: "2.0", id: 7, method: "subscriptions/listen", params };
    const { status, id, error } = await sent(body, modernHeaders("subscriptions/listen"));
    expect([status, id, error?.code]).toEqual([404, 7, -32_601]);
  });
});

test("the documentation on credits is among the first three results for common names of it", async () => {
  for (const query of ["cost", "costs", "price", "credits", "charge"]) {
    const { text } = await callTool(world, firm.key, "search_docs", { query, limit: 3 });
    expect([query, text.includes("- credits (guide)")]).toEqual([query, true]);
  }
});
