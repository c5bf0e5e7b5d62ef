import { afterAll, describe, expect, test } from "bun:test";
import { Value } from "@sinclair/typebox/value";
import { problems } from "../../src/platform/validate.ts";
import { capabilities } from "../../src/products/capabilities/index.ts";
import { EuCoverage, EuMarketView, EuOverview } from "../../src/products/eu-market/schema.ts";
import { useCases } from "../../src/products/use-cases/manifests.ts";
import { World } from "../support/harness.ts";
import { callTool, toolNames } from "../support/mcp-world.ts";

const world = await World.open(undefined, { capabilities, useCases });
await world.openGates("eu-market-data", "eu-market-snapshot");
const firm = await world.firm();
afterAll(() => world[Symbol.asyncDispose]());

const tools = capabilities.find(({ slug }) => slug === "eu-market-data")?.tools ?? [];

describe("the tools of market data", () => {
  test("are listed only for a key with their scopes", async () => {
    const names = tools.map(({ name }) => name);
    const { secret } = await world.key(firm, ["account:read", "eu-data:aggregate"]);
    expect(await toolNames(world, secret)).toEqual(expect.arrayContaining(names));
    const { secret: docsOnly } = await world.key(firm, ["docs:read"]);
    for (const name of names) expect(await toolNames(world, docsOnly)).not.toContain(name);
  });

  for (const { name, examples } of tools)
    for (const { title, input, output_excerpt } of examples)
      test(`${name} returns its published example: ${title}`, async () => {
        const { value: answered } = await callTool(world, firm.key, name, input);
        const value = name === "query_eu_market" ? answered.result : answered;
        expect({ value }).toMatchObject({ value: firstOf(output_excerpt, value) });
      });

  test("match their schemas, and refuse an unknown indicator", async () => {
    const coverage = await callTool(world, firm.key, "eu_coverage", {});
    expect(problems(EuCoverage, coverage.value, "")).toEqual([]);
    const compared = await callTool(world, firm.key, "eu_compare_markets", { countries: ["CZ", "DE"] });
    expect(problems(EuMarketView, compared.value, "")).toEqual([]);
    const unknown = await callTool(world, firm.key, "eu_compare_markets", {
      countries: ["CZ", "DE"],
      indicator: "luck",
    });
    expect([unknown.isError, JSON.stringify(unknown).includes("eu_coverage")]).toEqual([true, true]);
  });

  test("refuse to compare a country with itself, in any spelling", async () => {
    for (const countries of [
      ["CZ", "CZ"],
      ["GR", "el"],
    ]) {
      const refused = await callTool(world, firm.key, "eu_compare_markets", { countries, indicator: "population" });
      expect([refused.isError, JSON.stringify(refused).includes("/arguments/countries")]).toEqual([true, true]);
    }
    const twice = await callTool(world, firm.key, "eu_compare_markets", { countries: ["CZ", "cz", "SK"] });
    expect(twice.isError).not.toBe(true);
  });

  test("have all of their figures and sources in their text too", async () => {
    for (const [name, input] of [
      ["eu_market_overview", { country: "DE" }],
      ["eu_compare_markets", { countries: ["CZ", "DE"] }],
    ] as const) {
      const { value, text } = await callTool(world, firm.key, name, input);
      const { aggregates, sources } = Value.Parse(EuMarketView, value);
      expect(aggregates.length).toBeGreaterThan(10);
      for (const { country, indicator, value: figure, source, reliability, flags, rank } of aggregates) {
        const line = text.split("\n").find((one) => one.startsWith(`- ${country} ${indicator}: ${figure}, `)) ?? "";
        const said = [source.publisher, `reliability ${reliability}`, ...(flags.length > 0 ? ["flags "] : [])];
        for (const one of [...said, ...(rank === null ? [] : [`rank ${rank}`])]) expect(line).toContain(one);
      }
      for (const { title, licence } of sources)
        expect(text.split("\n").some((one) => one.startsWith(`- ${title}, `) && one.includes(licence ?? ""))).toBe(
          true,
        );
      expect(text).toContain("flags e");
    }
  });

  test("refuse while their gate is closed", async () => {
    await world.closeGate("eu-market-data");
    const refused = await callTool(world, firm.key, "eu_market_overview", { country: "CZ" });
    expect([refused.isError, JSON.stringify(refused).includes("capability_runs_disabled")]).toEqual([true, true]);
    await world.openGates("eu-market-data");
  });
});

/** Extends an example's lists, which have only their first items, with the rest of the result's. */
function firstOf(excerpt: unknown, value: unknown): unknown {
  if (Array.isArray(excerpt) && Array.isArray(value)) return [...excerpt, ...value.slice(excerpt.length)];
  if (typeof excerpt !== "object" || excerpt === null || typeof value !== "object" || value === null) return excerpt;
  return Object.fromEntries(
    Object.entries(excerpt).map(([name, one]) => [
      name,
      firstOf(one, Object.getOwnPropertyDescriptor(value, name)?.value),
    ]),
  );
}

test("the EU Market Snapshot succeeds free of charge, with figures, sources and a chart", async () => {
  const input = { question: "Compare the population", countries: ["CZ", "DE", "AT"] };
  const run = await world.settled(firm, { useCase: "eu-market-snapshot", input });
  expect([run.status, run.charges.charged_credits]).toEqual(["succeeded", 0]);
  expect(JSON.stringify(run.result)).toContain("image/svg+xml");
});

test("the public overview needs no credential, has every country, and has the same bytes until an import", async () => {
  const [one, two] = [await world.ask("/v1/public/eu-overview"), await world.ask("/v1/public/eu-overview")];
  const [first, second] = [await one.text(), await two.text()];
  expect([one.status, first === second, problems(EuOverview, JSON.parse(first), "")]).toEqual([200, true, []]);
  expect(JSON.parse(first).countries.length).toBe(33);
  const etag = one.headers.get("etag") ?? "";
  expect((await world.ask("/v1/public/eu-overview", { headers: { "if-none-match": etag } })).status).toBe(304);
});

test("a run names the words of its question that the figures do not reflect", async () => {
  const run = await world.settled(firm, {
    slug: "eu-market-data",
    input: { question: "motor insurance premiums", countries: ["CZ"] },
  });
  expect(JSON.stringify(run.result)).toContain("The figures take no account of these words of the question: motor.");
});

test("a question about a country in lower case, or without figures, is not an error", async () => {
  const { secret } = await world.key(firm, ["capabilities:run", "runs:read"]);
  for (const input of [
    { question: "population", countries: ["cz"] },
    { question: "???", countries: ["DE"] },
  ]) {
    const run = await world.settled(firm, { slug: "eu-market-data", input, as: secret });
    expect(run.status).toBe("succeeded");
  }
});
