import { afterAll, describe, expect, test } from "bun:test";
import { errorCodes, failure } from "../../src/platform/errors.ts";
import { capabilities as sold } from "../../src/products/capabilities/index.ts";
import type { CapabilityDetail } from "../../src/products/catalogue/schema.ts";
import { useCases } from "../../src/products/use-cases/manifests.ts";
import { toolErrorOf } from "../../src/surfaces/mcp/tool.ts";
import { freshKey, World } from "../support/harness.ts";
import { callTool, toolNames, toolsOf } from "../support/mcp-world.ts";

const world = await World.open(undefined, { capabilities: sold, useCases });
await world.openGates(...sold.map(({ slug }) => slug));
const everything = ["market-intelligence:read", "distribution:read", "verified_workspace"];
const firm = await world.firm({ entitlements: everything });
/** The harness's catalogue: a use case that requires approval, and scripted engines. */
const plain = await World.open();
const small = await plain.firm();
afterAll(async () => {
  await world[Symbol.asyncDispose]();
  await plain[Symbol.asyncDispose]();
});

interface Schema {
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
}

/** Returns the paths of parameters without a description. */
const undescribed = ({ properties = {}, items }: Schema, at: string): string[] => [
  ...Object.entries(properties).flatMap(([name, schema]) => [
    ...(schema.description ? [] : [`${at}/${name}`]),
    ...undescribed(schema, `${at}/${name}`),
  ]),
  ...(items ? undescribed(items, `${at}[]`) : []),
];

describe("every parameter", () => {
  test("of every tool is described", async () => {
    const tools = await toolsOf(world, firm.key);
    expect(tools.length).toBeGreaterThan(10);
    expect(tools.flatMap(({ name, inputSchema }) => undescribed(inputSchema as Schema, name))).toEqual([]);
  });

  test("of every tool in the catalogue is described, whether or not it has an engine", () => {
    const tools = sold.flatMap((manifest) => manifest.tools);
    expect(tools.flatMap(({ name, input_schema }) => undescribed((input_schema ?? {}) as Schema, name))).toEqual([]);
  });
});

test("no contract, tool or OpenAPI document has a line separator that readers of event streams treat as a line end", async () => {
  const contracts = [
    ...sold.map(({ slug }) => `capabilities/${slug}`),
    ...useCases.map(({ slug }) => `use-cases/${slug}`),
  ];
  const texts = new Map([["tools", JSON.stringify(await toolsOf(world, firm.key))]]);
  for (const path of ["/openapi-public.json", ...contracts.map((contract) => `/v1/${contract}`)])
    texts.set(path, await (await world.ask(path, { as: firm.key })).text());
  for (const [of, text] of texts) expect([of, /[\u0085\u2028\u2029]/.exec(text)?.index]).toEqual([of, undefined]);
  expect([texts.size, texts.get("/v1/capabilities/exa-filter")]).toEqual([
    sold.length + useCases.length + 2,
    expect.stringContaining('"pattern"'),
  ]);
});

test("the scopes that a contract publishes for its tools are those that the tools require", async () => {
  const all = await toolNames(world, firm.key);
  for (const { slug, tools } of sold) {
    const answer = await world.ask(`/v1/capabilities/${slug}`, { as: firm.key });
    const { required_scopes } = (await answer.json()) as CapabilityDetail;
    const mine = tools.map(({ name }) => name).filter((name) => all.includes(name));
    const { secret } = await world.key(firm, required_scopes.mcp);
    expect([slug, (await toolNames(world, secret)).filter((name) => mine.includes(name)).sort()]).toEqual([
      slug,
      mine.sort(),
    ]);
    const { value } = await callTool(world, firm.key, "list_capabilities", { q: slug });
    const listed = (value.capabilities as { slug: string; scopes: string[] }[]).find((item) => item.slug === slug);
    expect(listed?.scopes).toEqual(expect.arrayContaining(required_scopes.mcp));
  }
});

describe("lists of the catalogue", () => {
  const slugs = async (filter: object) => {
    const { value } = await callTool(world, firm.key, "list_capabilities", filter);
    return (value.capabilities as { slug: string }[]).map(({ slug }) => slug);
  };

  test("find what serves a country, also through EU and GLOBAL, by its name or code", async () => {
    const forCzechia = await slugs({ country: "CZ" });
    for (const slug of ["exa-filter", "insurance-assistant", "company-intelligence"])
      expect(forCzechia).toContain(slug);
    expect(forCzechia).not.toContain("germany-market-intelligence");
    for (const country of ["Czechia", "Česko", "cesko", "Czech Republic", "cze", "Tschechien"])
      expect(await slugs({ country })).toEqual(forCzechia);
    const forUsa = await slugs({ country: "United States" });
    expect(forUsa).toContain("company-intelligence");
    expect(forUsa).not.toContain("insurance-assistant");
  });

  test("are the same over REST, for use cases too", async () => {
    const listed = async (path: string) =>
      ((await (await world.ask(path)).json()) as { items: { slug: string }[] }).items.map(({ slug }) => slug);
    expect(await listed("/v1/capabilities?country=Czechia")).toEqual(await slugs({ country: "CZ" }));
    expect(await listed("/v1/use-cases?country=Slovensko")).toEqual(await listed("/v1/use-cases?country=EU"));
    expect((await listed("/v1/use-cases?country=Slovensko")).length).toBeGreaterThan(0);
    expect(await listed("/v1/capabilities?country=Atlantis")).toEqual([]);
  });

  test("find an outcome by some of its words", async () => {
    expect(await slugs({ outcome: "answer" })).toContain("exa-filter");
    expect(await slugs({ outcome: "SOURCES claims" })).toEqual(["exa-filter"]);
  });

  test("state the possible values, as does an empty result", async () => {
    const { value } = await callTool(world, firm.key, "list_capabilities", { country: "DE" });
    expect(value.filters).toMatchObject({ countries: expect.arrayContaining(["CZ", "EU", "GLOBAL"]) });
    for (const name of ["list_capabilities", "list_use_cases"]) {
      const { text } = await callTool(world, firm.key, name, { country: "Atlantis" });
      expect(text).toContain("ISO code");
      expect(text).toContain("countries: ");
    }
  });
});

describe("an unknown slug", () => {
  test("is refused with suggestions, here and over REST", async () => {
    const wrong = await callTool(world, firm.key, "get_capability", { slug: "exafilter" });
    expect(wrong.error).toMatchObject({ code: "not_found" });
    expect(wrong.error.details).toEqual([{ path: "/arguments/slug", message: "is unknown. Did you mean exa-filter?" }]);
    expect(wrong.error.next).toContain("list_capabilities");
    const page = await callTool(world, firm.key, "get_doc", { slug: "idempotence" });
    expect(JSON.stringify(page.error.details)).toContain("idempotency");
    for (const [method, path] of [
      ["GET", "/v1/capabilities/exa_filter"],
      ["GET", "/v1/use-cases/market-entry-pack"],
      ["GET", "/v1/docs/webhook-quickstart-idempotency"],
      ["POST", "/v1/capabilities/insurance/runs"],
    ] as const) {
      const headers = { "idempotency-key": freshKey() };
      const body = method === "POST" ? { body: { input: {} } } : {};
      const answer = await world.ask(path, { as: firm.key, headers, ...body });
      const { error } = (await answer.json()) as { error: { code: string; details?: { message: string }[] } };
      const said = error.details?.map(({ message }) => message).join() ?? "";
      expect([path, answer.status, error.code]).toEqual([path, 404, "not_found"]);
      expect([path, said.includes("Did you mean")]).toEqual([path, !path.includes("webhook")]);
    }
  });

  test("never suggests another firm's private capability", async () => {
    const mine = await plain.firm({ entitlements: ["capability:hidden"] });
    const asked = async (as: string) => (await callTool(plain, as, "get_capability", { slug: "hiden" })).error.details;
    expect(JSON.stringify(await asked(mine.key))).toContain("hidden");
    expect(await asked(small.key)).toBeUndefined();
  });
});

describe("a use case", () => {
  const input = { text: "hello" };

  test("is run with the quote that the person agreed to, once per key, and never approved here", async () => {
    const quote = await callTool(plain, small.key, "quote_use_case", { slug: "triage", input });
    const given = { slug: "triage", input, quote_id: quote.value.id, idempotency_key: freshKey() };
    const { value, text } = await callTool(plain, small.key, "run_use_case", given);
    expect(value).toMatchObject({ status: "awaiting_approval", maximum_credits: 1500, result: null });
    expect(text).toContain(`Run ${value.run_id}: awaiting_approval, `);
    expect(text).toContain("of at most 1500 credits charged");
    expect(text).toContain("can't be given here");
    expect((await callTool(plain, small.key, "run_use_case", given)).value.run_id).toBe(value.run_id);
    const second = { ...given, input: { text: "two" } };
    expect((await callTool(plain, small.key, "run_use_case", second)).error.code).toBe("idempotency_conflict");
    const other = await callTool(plain, small.key, "run_use_case", { ...second, idempotency_key: freshKey() });
    expect(other.error.code).toBe("quote_invalid");
    expect(other.error.next).toContain("quote_use_case");
    expect((await plain.run(small, String(value.run_id))).surface).toBe("mcp");
    const names = await toolNames(plain, small.key);
    expect(names.filter((name) => /approv|decide/.test(name))).toEqual([]);
  });

  test("requires the scope that REST requires", async () => {
    const { secret } = await plain.key(small, ["docs:read", "runs:read"]);
    expect(await toolNames(plain, secret)).not.toContain("run_use_case");
    const { secret: right } = await plain.key(small, ["use-cases:run"]);
    expect(await toolNames(plain, right)).toEqual(["run_use_case"]);
  });

  test("with an invalid input, or an unknown slug, reserves nothing", async () => {
    const before = await plain.balance(small);
    const wrong = await callTool(plain, small.key, "run_use_case", { slug: "triage", input: {} });
    expect(wrong.error).toMatchObject({ code: "validation_error", details: [{ path: "/arguments/input/text" }] });
    const unknown = await callTool(plain, small.key, "run_use_case", { slug: "triag", input });
    expect(JSON.stringify(unknown.error.details)).toContain("triage");
    expect(await plain.balance(small)).toEqual(before);
  });
});

describe("the history of runs and charges", () => {
  test("is listed newest first, for the caller's workspace only", async () => {
    const { firm: one, other } = { firm: await plain.firm(), other: await plain.firm() };
    const ids = [];
    for (const text of ["a", "b", "c"]) ids.push((await plain.settled(one, { input: { text } })).id);
    const { value, text } = await callTool(plain, one.key, "list_runs", { limit: 2 });
    expect((value.runs as { run_id: string }[]).map(({ run_id }) => run_id)).toEqual([ids[2] ?? "", ids[1] ?? ""]);
    expect(value.next_cursor).toBeString();
    expect(text).toContain("There are more");
    const none = await callTool(plain, one.key, "list_runs", { status: "failed" });
    expect(none.value).toEqual({ runs: [], next_cursor: null });
    expect((await callTool(plain, other.key, "list_runs")).value.runs).toEqual([]);
  });

  test("is summed up next to the balance", async () => {
    const one = await plain.firm({ credits: 10_000 });
    await plain.settled(one, { input: { text: "a" } });
    const { value, text } = await callTool(plain, one.key, "get_credits");
    const balance = await plain.balance(one);
    expect(value).toEqual({ ...balance, charged_30d: 10_000 - balance.available });
    expect(text).toContain(`${balance.available} credits available`);
    const { secret } = await plain.key(one, ["docs:read"]);
    expect(await toolNames(plain, secret)).not.toContain("get_credits");
  });
});

describe("advice", () => {
  test("never mentions what a tool does not have: modes, headers, bodies, endpoints", () => {
    // Methods, trials and sign-ins belong to routes: no tool throws these errors.
    for (const code of errorCodes.filter(
      (code) => !/^(method_not_allowed|trial_not_available|sign_in_unavailable)$/.test(code),
    )) {
      const next = toolErrorOf(failure(code))?.next ?? "";
      expect([code, next.length > 10]).toEqual([code, true]);
      expect([code, /mode:|trial|header|Retry-After|X-Request-Id|endpoint|the body|`Allow`/i.exec(next)?.[0]]).toEqual([
        code,
        undefined,
      ]);
    }
  });

  test("is the tool's own if that is more specific", async () => {
    const { error } = await callTool(world, firm.key, "get_run", { run_id: crypto.randomUUID() });
    expect(error.next).toContain("list_runs");
  });
});
