import { describe, expect, test } from "bun:test";
import { FormatRegistry, TypeGuard } from "@sinclair/typebox";
import { migrate } from "../../db/sqlite/migrate.ts";
import type { EngineContext } from "../../src/contracts/engine.ts";
import { isScope } from "../../src/contracts/scopes.ts";
import { unhostedContext } from "../../src/execution/attempt.ts";
import { checker, isHttpUrl, problems } from "../../src/platform/validate.ts";
import { capabilities } from "../../src/products/capabilities/index.ts";
import { stepEngines } from "../../src/products/capabilities/steps.ts";
import { capabilityRecord } from "../../src/products/catalogue/service.ts";
import { useCases } from "../../src/products/use-cases/manifests.ts";
import { Capability, type CapabilityDefinition, type UseCaseManifest } from "../../src/registry/contract.ts";
import { withEngine } from "../../src/registry/registry.ts";
import { engineFrom } from "../../src/registry/services.ts";
import {
  type CapabilityRow,
  capabilityTable,
  type Fields,
  useCaseTable,
  validatorTable,
} from "../support/catalogue-tables.ts";
import { scratchStore, testServices } from "../support/services.ts";

function found<V>(items: Iterable<V>, holds: (item: V) => boolean): V {
  for (const item of items) if (holds(item)) return item;
  throw new Error("the catalogue lacks it");
}
const capability = (slug: string): CapabilityDefinition => found(capabilities, (item) => item.slug === slug);
const useCase = (slug: string): UseCaseManifest => found(useCases, (item) => item.slug === slug);
const tools = capabilities.flatMap((item) => item.tools);
const outputNames = (row: CapabilityRow) => row.output.map((name) => name.replace("?", "")).sort();

/** A published schema, as plain JSON. */
interface Published {
  readonly additionalProperties?: boolean;
  readonly properties: Record<string, Record<string, unknown>>;
  readonly required?: readonly string[];
}
const published = (schema: unknown): Published => JSON.parse(JSON.stringify(schema));

function expectFields(schema: unknown, fields: Fields): void {
  const { additionalProperties, properties, required = [] } = published(schema);
  expect(additionalProperties).toBe(false);
  expect(Object.keys(properties).sort()).toEqual(Object.keys(fields).sort());
  for (const [name, { required: asterisk = false, ...keywords }] of Object.entries(fields)) {
    expect(properties[name]).toMatchObject(keywords);
    expect([name, required.includes(name)]).toEqual([name, asterisk]);
  }
}

test("the catalogue has exactly the capabilities and use cases of the specification, once each", () => {
  expect(capabilities.map(({ slug }) => slug)).toEqual(Object.keys(capabilityTable));
  expect(useCases.map(({ slug }) => slug)).toEqual(Object.keys(useCaseTable));
});

describe.each(Object.entries(capabilityTable))("%s", (slug, row) => {
  const manifest = capability(slug);

  test("matches the table", () => {
    expect(manifest).toMatchObject({
      semantic_version: "1.0.0",
      status: row.status,
      exposure: row.exposure,
      access: row.access,
      countries: row.countries,
      permissions: row.scopes,
      private: false,
    });
    expect(manifest.pricing).toMatchObject({
      model: row.model,
      currency: "credits",
      live_credits: row.live_credits,
      trial_credits: 0,
      hard_cost_limit_credits: row.live_credits,
    });
  });

  test("offers the table's trial, with a login and without a card", () => {
    const [max_runs, ...restrictions] = row.trial;
    expect(manifest.trial).toMatchObject({ enabled: max_runs > 0, max_runs, restrictions });
    expect(manifest.trial).toMatchObject({ requires_login: true, requires_card: false });
  });

  test("accepts only the table's input", () => expectFields(manifest.input_schema, row.input));

  test("returns the table's output", () => {
    const { properties, required = [] } = published(manifest.output_schema);
    expect(Object.keys(properties).sort()).toEqual(outputNames(row));
    expect([...required].sort()).toEqual(row.output.filter((name) => !name.endsWith("?")).toSorted());
  });

  test("has the table's tools", () => expect(manifest.tools.map(({ name }) => name)).toEqual([...row.tools]));

  test("is a capability of the API's schema after serialisation as JSON", () => {
    const records = sold.filter(({ slug }) => slug === manifest.slug).map((one) => capabilityRecord(one, new Set()));
    const [shown]: unknown[] = JSON.parse(JSON.stringify(records));
    expect([...checker(Capability).Errors(shown)]).toEqual([]);
  });

  test("has text in every descriptive member", () => {
    const { name, outcome, description, evidence_freshness, sources, limitations } = manifest;
    for (const member of [name, outcome, description, evidence_freshness, ...sources, ...limitations])
      expect(member.trim().length).toBeGreaterThan(5);
    for (const list of [sources, limitations, manifest.supported_execution_surfaces])
      expect(list.length).toBeGreaterThan(0);
    expect(outcome.length).toBeLessThanOrEqual(120);
    expect(manifest.deadline_ms).toBeGreaterThan(0);
  });

  test("requires scopes that exist, and an entitlement if it is gated", () => {
    for (const scope of row.scopes) expect(isScope(scope) || scope === "verified_workspace").toBe(true);
    expect([...manifest.entitlements]).toEqual(row.exposure === "gated" ? [...row.scopes] : []);
  });
});

describe.each(tools.map((tool) => [tool.name, tool] as const))("%s", (name, tool) => {
  const owner = found(capabilities, (item) => item.tools.includes(tool));

  test("takes its capability's input, or the one in the specification", () => {
    const own = validatorTable[name];
    if (own) expectFields(tool.input_schema, own);
    else if (name === "germany_market_overview") expect(tool.input_schema).toBeNull();
    else if (name.startsWith("eu_")) expect(published(tool.input_schema).additionalProperties).toBe(false);
    else expect(tool.input_schema).toBe(owner.input_schema);
  });

  test("has examples that match its input", () => {
    expect(tool.examples.length).toBeGreaterThan(0);
    // A tool without an input schema takes its capability's input: the empty object.
    const schema: unknown = tool.input_schema ?? owner.input_schema;
    if (!TypeGuard.IsSchema(schema)) throw new Error("its input schema is none");
    for (const { input } of tool.examples) expect(problems(schema, input, "")).toEqual([]);
  });

  test("tells callers when to use it, when not to, and what to do about each error", () => {
    const { title, summary, returns, agent_description, human_summary, use_when, do_not_use_when, related } = tool;
    for (const said of [title, summary, returns, agent_description ?? "", human_summary ?? ""])
      expect(said.length).toBeGreaterThan(5);
    for (const list of [use_when, do_not_use_when, related]) expect(list.length).toBeGreaterThan(0);
    const codes = ["invalid_api_key", "missing_scope", "422", "capability_runs_disabled"];
    if (name === "analyze_company_url") codes.push("api_key_required");
    expect(tool.errors.map(({ code }) => code)).toEqual(codes);
    for (const { meaning, caller_action } of tool.errors) expect(meaning && caller_action).toBeTruthy();
  });

  test("is related only to other tools of the catalogue", () => {
    for (const other of tool.related) expect(tools.map((t) => t.name).filter((n) => n !== name)).toContain(other);
  });
});

test("every tool has a unique name", () => {
  expect(new Set(tools.map(({ name }) => name)).size).toBe(tools.length);
});

describe.each(Object.entries(useCaseTable))("%s", (slug, row) => {
  const manifest = useCase(slug);

  test("matches the table", () => {
    expect(manifest).toMatchObject({ name: row.name, status: row.status, semantic_version: "1.0.0" });
  });

  test("has the table's steps, which add up to its maximum", () => {
    const steps = manifest.steps.map((step) => [step.key, step.capability, step.maximum_credits] as const);
    expect(steps).toEqual([...row.steps]);
    expect(steps.reduce((sum, [, , maximum]) => sum + maximum, 0)).toBe(row.maximum);
  });

  test("accepts only the table's input", () => expectFields(manifest.input_schema, row.input));

  test("has text in every descriptive member", () => {
    const { outcome, category, description, evidence_freshness, delivered_results, limitations } = manifest;
    for (const said of [outcome, category, description, evidence_freshness, ...delivered_results, ...limitations])
      expect(said.trim().length).toBeGreaterThan(5);
    for (const list of [delivered_results, limitations, manifest.countries]) expect(list.length).toBeGreaterThan(0);
    expect(outcome.length).toBeLessThanOrEqual(160);
  });
});

test("a use case with one capability has that capability's input schema", () => {
  for (const { steps, input_schema } of useCases) {
    const [only, ...others] = steps;
    const sold = capabilities.find(({ slug }) => slug === only?.capability);
    if (sold && others.length === 0) expect(input_schema).toBe(sold.input_schema);
  }
});

test("only the Market-Entry Pack is gated, and only its targets require approval", () => {
  for (const { slug, access, steps } of useCases) {
    const pack = slug === "european-market-entry-pack";
    expect([slug, access]).toEqual([slug, pack ? "gated" : "public"]);
    expect(steps.filter((step) => step.requires_approval).map((step) => step.key)).toEqual(pack ? ["targets"] : []);
  }
});

test("the Market-Entry Pack promises no outcome and contacts no one", () => {
  const { limitations, supported_execution_surfaces } = useCase("european-market-entry-pack");
  for (const said of [/guarantee/, /outside the ICP/, /outreach/, /human approval/])
    expect(limitations.some((limitation) => said.test(limitation))).toBe(true);
  expect([...supported_execution_surfaces]).toEqual(["web", "rest", "cli", "mcp"]);
});

test("a company's address must be absolute, HTTP or HTTPS, and at most 2048 characters", () => {
  const schema = capability("company-intelligence").input_schema;
  const accepts = (company_url: string) => checker(schema).Check({ company_url });
  expect(FormatRegistry.Get("uri")).toBe(isHttpUrl);
  expect(["https://example.com/", "http://example.com/".padEnd(2048, "a")].map(accepts)).toEqual([true, true]);
  const refused = ["no url", "/relative", "ftp://example.com/", "http://example.com/".padEnd(2049, "a")];
  expect(refused.filter(accepts)).toEqual([]);
});

const context: EngineContext = unhostedContext({
  signal: AbortSignal.timeout(60_000),
  stepKey: "manifests",
  firm: "test",
  now: () => new Date(0),
  random: () => 0,
  earlier: {},
});
const store = scratchStore();
await migrate(store);
const sold = capabilities.map((definition) => withEngine(definition, testServices({}, store)));

test("every step of a use case has an engine that can run it", () => {
  const services = testServices({}, store);
  const steps = useCases.flatMap((useCase) => useCase.steps.map(({ capability: name }) => name));
  for (const name of new Set(steps)) {
    const source = stepEngines[name];
    const engine = sold.find(({ slug }) => slug === name)?.engine ?? (source && engineFrom(source, services));
    expect([name, engine?.ready()]).toEqual([name, null]);
  }
});

test("a capability returns the published results for its tools' examples", async () => {
  for (const { slug, engine, input_schema, output_schema, tools } of sold) {
    expect([slug, engine.ready()]).toEqual([slug, null]);
    // Its example is a third party's site: test/products/company-intelligence.test.ts serves one like it.
    if (slug === "company-intelligence") continue;
    // Its examples are about documents, and are tested in test/products/insurance.test.ts.
    if (slug === "insurance-assistant") continue;
    // Its tools have inputs of their own, and a study needs the host: tested in test/products/validator.
    if (slug === "market-validator") continue;
    // A tool with another input is not a run: test/surfaces/mcp-market.test.ts calls the market data tools.
    const own = tools.filter((tool) => Bun.deepEquals(tool.input_schema, input_schema));
    for (const { input, output_excerpt } of own.flatMap((tool) => tool.examples)) {
      const { result } = await engine.run(input, context);
      expect(problems(output_schema, result, "")).toEqual([]);
      expect({ result }).toMatchObject({ result: output_excerpt });
    }
  }
});
