import { afterAll, describe, expect, test } from "bun:test";
import { present } from "../../src/platform/assert.ts";
import { problems } from "../../src/platform/validate.ts";
import { capabilities as sold } from "../../src/products/capabilities/index.ts";
import { failForGood, held } from "../support/engines.ts";
import { freshKey, until, World } from "../support/harness.ts";
import { callTool, mcpCatalogue, messagesIn, post, rpc, toolNames, toolsOf } from "../support/mcp-world.ts";

const { engines, capabilities } = mcpCatalogue();
const world = await World.open(undefined, { capabilities });
await world.openGates("exa-filter", "company-intelligence");
const firm = await world.firm({ entitlements: ["distribution:read", "capability:hidden"] });
const other = await world.firm();
afterAll(() => world[Symbol.asyncDispose]());

const docsNames = [
  "list_docs",
  "search_docs",
  "get_doc",
  "list_capabilities",
  "get_capability",
  "list_use_cases",
  "quote_use_case",
];
const runsNames = ["run_use_case", "get_run", "list_runs", "get_credits"];
const keyWith = async (...scopes: string[]) => (await world.key(firm, scopes)).secret;
const docsOnly = await keyWith("docs:read");
const checked = {
  question: "What is the limit?",
  answer: "The limit is 500 CZK.",
  sources: ["The limit is 500 CZK."],
  country: "CZ",
};

describe("tools are listed", () => {
  test("in a fixed order, the documentation's first, for a key with every scope", async () => {
    const names = [...docsNames, "analyze_company_url", "get_job", "echo_text", "hidden_text", "entitled_text"];
    expect(await toolNames(world, firm.key)).toEqual([
      ...names,
      "check_answer",
      ...runsNames,
      "start_solution",
      "get_solution",
    ]);
    expect(await toolNames(world, firm.key)).toEqual(await toolNames(world, firm.key));
  });

  test("only within the caller's scopes and the firm's entitlements", async () => {
    expect(await toolNames(world, docsOnly)).toEqual(docsNames);
    expect(await toolNames(world, await keyWith("account:read", "exa:validate"))).toEqual([
      "check_answer",
      "get_credits",
      "start_solution",
      "get_solution",
    ]);
    expect(await toolNames(world, await keyWith("account:read", "exa:validate", "capabilities:run"))).toEqual([
      "echo_text",
      "hidden_text",
      "entitled_text",
      "check_answer",
      "get_credits",
      "start_solution",
      "get_solution",
    ]);
    const listed = await toolNames(world, other.key);
    expect(listed).toContain("echo_text");
    expect(listed).not.toContain("hidden_text");
    expect(listed).not.toContain("entitled_text");
  });

  test("only while they have an engine", async () => {
    engines.echo.unready = "It has no model.";
    expect(await toolNames(world, firm.key)).not.toContain("echo_text");
    engines.echo.unready = null;
    expect(await toolNames(world, firm.key)).toContain("echo_text");
  });

  test("each with schemas, every meaningful hint, a title and a description", async () => {
    for (const { name, description, inputSchema, outputSchema, annotations } of await toolsOf(world, firm.key)) {
      // Pages are prose, and included once, as text.
      const output = ["list_docs", "search_docs", "get_doc"].includes(name) ? undefined : "object";
      expect([name, inputSchema.type, outputSchema?.type]).toEqual([name, "object", output]);
      expect([name, description.length > 20]).toEqual([name, true]);
      // The protocol gives idempotentHint a meaning only for tools that write.
      const writes = annotations.readOnlyHint === true ? [] : ["idempotentHint"];
      const hints = ["title", "readOnlyHint", "destructiveHint", "openWorldHint", ...writes];
      expect([name, ...Object.keys(annotations).sort()]).toEqual([name, ...hints.sort()]);
    }
  });

  test("without calling one that costs credits read-only, and with a hint on those that fetch pages", async () => {
    const hints = new Map((await toolsOf(world, firm.key)).map((tool) => [tool.name, tool.annotations]));
    expect(hints.get("echo_text")).toMatchObject({ readOnlyHint: false, idempotentHint: false });
    expect(hints.get("check_answer")).toMatchObject({ readOnlyHint: true, openWorldHint: false });
    expect(hints.get("analyze_company_url")).toMatchObject({
      ...{ readOnlyHint: false, openWorldHint: true, idempotentHint: false },
    });
    expect(hints.get("run_use_case")).toMatchObject({ readOnlyHint: false, idempotentHint: false });
  });
});

describe("the documentation group", () => {
  test("lists, finds and reads pages", async () => {
    const { text } = await callTool(world, docsOnly, "list_docs", { kind: "guide" });
    expect(text).toContain("- quickstart (guide): ");
    expect(text).not.toContain("(error)");
    const found = await callTool(world, docsOnly, "search_docs", { query: "idempotency", limit: 3 });
    expect(found.text.split("\n")).toHaveLength(3);
    expect(found.text).toContain("- idempotency (guide)");
    const page = await callTool(world, docsOnly, "get_doc", { slug: "idempotency" });
    expect(page.text).toContain("URL: http://assay.test/v1/docs/idempotency\n");
    expect(page.text).toMatch(/\nRelated: .*runs/);
    const whole = (await (await world.ask("/v1/docs/idempotency")).json()) as { body_markdown: string };
    expect(page.text).toEndWith(whole.body_markdown);
  });

  test("returns a page once, as text only", async () => {
    for (const [name, given] of [
      ["list_docs", {}],
      ["search_docs", { query: "idempotency" }],
      ["get_doc", { slug: "idempotency" }],
    ] as const) {
      const { result } = await rpc(world, docsOnly, "tools/call", { name, arguments: given });
      expect([name, result?.content?.length, result?.structuredContent]).toEqual([name, 1, undefined]);
    }
  });

  test("shows a firm's private pages to that firm only", async () => {
    const mine = await callTool(world, docsOnly, "list_capabilities");
    expect(mine.text).toContain("- hidden:");
    const { value } = await callTool(world, docsOnly, "get_capability", { slug: "hidden" });
    expect(value).toMatchObject({ slug: "hidden", maximum_run_credits: 500, trial_run_credits: 40, runnable: true });
    expect((await callTool(world, other.key, "list_capabilities")).text).not.toContain("hidden");
    const refused = await callTool(world, other.key, "get_capability", { slug: "hidden" });
    const missing = await callTool(world, other.key, "get_capability", { slug: "nothing" });
    expect(refused.error.code).toBe("not_found");
    expect(refused.text).toBe(missing.text);
  });

  test("filters as the routes do", async () => {
    const filtered = await callTool(world, docsOnly, "list_capabilities", { provider: "assay", status: "pilot" });
    expect(filtered.value.capabilities).toEqual([expect.objectContaining({ slug: "exa-filter" })]);
    const cheap = await callTool(world, docsOnly, "list_use_cases", { max_price: 10 });
    expect(cheap.value).toMatchObject({ use_cases: [] });
    expect((await callTool(world, docsOnly, "list_use_cases")).text).toContain("1500 credits");
  });

  test("quotes without reserving anything", async () => {
    const before = await world.balance(firm);
    const { value } = await callTool(world, docsOnly, "quote_use_case", { slug: "triage", input: { text: "hello" } });
    expect(value).toMatchObject({ maximum_credits: 1500, reserved_credits: 0, approval_required: true });
    expect(value.execution_gate).toEqual({ open: true, code: null, message: null });
    expect(await world.balance(firm)).toEqual(before);
  });

  test("reports where an input is invalid, and what to do", async () => {
    const { error } = await callTool(world, docsOnly, "quote_use_case", { slug: "triage", input: {} });
    expect(error).toMatchObject({ code: "validation_error", details: [{ path: "/arguments/input/text" }] });
    expect(error.next).toContain("call again");
    const wrong = await callTool(world, docsOnly, "search_docs", { query: "x", more: "secret-value" });
    expect(wrong.error.details).toEqual([
      { path: "/arguments/more", message: "is not a property of this object" },
      { path: "/arguments/query", message: "must have at least 2 characters" },
    ]);
    expect(wrong.text).not.toContain("secret-value");
  });
});

describe("a capability's tool", () => {
  test("runs it as REST does, returns its result, and is charged once", async () => {
    const before = await world.balance(firm);
    const { value, text } = await callTool(world, firm.key, "echo_text", { text: "hello" });
    expect(value).toMatchObject({ status: "succeeded", result: { answer: "yes" }, charged_credits: 500 });
    expect(text).toBe(`Run ${value.run_id}: succeeded, 500 of at most 500 credits charged.\n\n{"answer":"yes"}`);
    expect(value.maximum_credits).toBe(500);
    const looked = await callTool(world, firm.key, "get_run", { run_id: value.run_id });
    expect([looked.text, looked.value]).toEqual([text, expect.objectContaining(value)]);
    const inUpperCase = await callTool(world, firm.key, "get_run", { run_id: String(value.run_id).toUpperCase() });
    expect(inUpperCase.value).toEqual(looked.value);
    expect((await world.balance(firm)).available).toBe(before.available - 500);
    const run = await world.run(firm, String(value.run_id));
    expect([run.surface, run.capability, run.charges.charged_credits]).toEqual(["mcp", "echo", 500]);
  });

  test("runs the example in its contract", async () => {
    const { value } = await callTool(world, firm.key, "check_answer", checked);
    expect(value).toMatchObject({ status: "succeeded", charged_credits: 0 });
    expect(value.result).toMatchObject({ trust_state: "OK" });
  });

  test("returns its handle after 45 seconds, and get_run the result", async () => {
    const gate = held();
    engines.echo.behave = gate.behave;
    const calls = engines.echo.calls.length;
    const answer = callTool(world, firm.key, "echo_text", { text: "long" });
    await until(() => engines.echo.calls.length > calls, "the engine is asked");
    world.clock.advance(45_000);
    const { value, isError } = await answer;
    expect([isError, value.status, value.result]).toEqual([false, "running", null]);
    expect(value.poll).toContain("get_run");
    const look = callTool(world, firm.key, "get_run", { run_id: value.run_id });
    gate.open();
    expect((await look).value).toMatchObject({ status: "succeeded", result: { answer: "yes" } });
    engines.echo.behave = async () => ({ result: { answer: "yes" } });
  });

  test("reports its progress to a client that asks, and never goes back", async () => {
    const params = { name: "echo_text", arguments: { text: "hello" }, _meta: { progressToken: "p1" } };
    const response = await post(world, firm.key, { jsonrpc: "2.0", id: 1, method: "tools/call", params });
    const told = (await messagesIn(response)).filter(({ method }) => method === "notifications/progress");
    const progress = told.map(({ params }) => [params?.progressToken, params?.progress, params?.total]);
    expect(progress.at(-1)).toEqual(["p1", 1, 1]);
    expect(new Set(progress.map(([, done]) => done)).size).toBe(progress.length);
  });

  test("with one idempotency key is one run", async () => {
    const meta = { "assay/idempotency-key": freshKey() };
    const first = await callTool(world, firm.key, "echo_text", { text: "once" }, meta);
    const again = await callTool(world, firm.key, "echo_text", { text: "once" }, meta);
    expect(again.value.run_id).toBe(first.value.run_id);
    expect((await callTool(world, firm.key, "echo_text", { text: "two" }, meta)).error.code).toBe(
      "idempotency_conflict",
    );
    const short = await callTool(world, firm.key, "echo_text", { text: "x" }, { "assay/idempotency-key": "short" });
    expect(short.error.code).toBe("validation_error");
  });

  test("that fails is an error with the reason, the charge and what to do", async () => {
    engines.echo.behave = failForGood;
    const { isError, error } = await callTool(world, firm.key, "echo_text", { text: "hello" });
    expect([isError, error.code]).toEqual([true, "no_answer"]);
    expect(error.message).toContain("0 credits charged");
    expect(error.next.length).toBeGreaterThan(10);
    engines.echo.behave = async () => ({ result: { answer: "yes" } });
  });

  test("with a closed gate returns capability_runs_disabled", async () => {
    await world.closeGate("echo");
    const { error } = await callTool(world, firm.key, "echo_text", { text: "hello" });
    expect(error.code).toBe("capability_runs_disabled");
    await world.openGates("echo");
  });

  test("of a firm without credits is refused and not charged", async () => {
    const poor = await world.firm({ credits: 0 });
    const { error } = await callTool(world, poor.key, "echo_text", { text: "hello" });
    expect(error.code).toBe("insufficient_credits");
    expect(error.next).toContain("top up");
    expect(await world.balance(poor)).toEqual({ available: 0, reserved: 0 });
  });

  test("requires the firm's entitlement", async () => {
    const { error } = await callTool(world, other.key, "entitled_text", { text: "hello" });
    expect(error.code).toBe("missing_scope");
    expect(engines.entitled.calls).toHaveLength(0);
  });

  test("that is private to another firm is treated as missing", async () => {
    const params = { arguments: { text: "hello" } };
    const hidden = await rpc(world, other.key, "tools/call", { name: "hidden_text", ...params });
    expect(hidden.error).toEqual((await rpc(world, other.key, "tools/call", { name: "nothing", ...params })).error);
    expect(hidden.error?.code).toBe(-32_602);
    expect((await callTool(world, firm.key, "hidden_text", { text: "mine" })).value.status).toBe("succeeded");
  });

  test("get_run treats another firm's run as missing", async () => {
    const { value } = await callTool(world, firm.key, "echo_text", { text: "mine" });
    const foreign = await callTool(world, other.key, "get_run", { run_id: value.run_id });
    const missing = await callTool(world, other.key, "get_run", { run_id: crypto.randomUUID() });
    expect(foreign.error.code).toBe("not_found");
    expect(foreign.text).toBe(missing.text);
  });

  test("a run that awaits approval is reported as paused", async () => {
    const { id } = await world.settled(firm, { useCase: "triage" });
    const { value, text } = await callTool(world, firm.key, "get_run", { run_id: id });
    expect(value).toMatchObject({ status: "awaiting_approval", result: null });
    expect(text).toContain("approval");
  });
});

describe("the company analysis", () => {
  const page = { company_url: "https://example.com/" };

  test("accepts only an API key with both of its scopes", async () => {
    for (const scopes of [["company:analyze"], ["jobs:read"], ["docs:read"]]) {
      const key = await keyWith(...scopes);
      expect((await callTool(world, key, "analyze_company_url", page)).error.code).toBe("api_key_required");
      expect(await toolNames(world, key)).not.toContain("analyze_company_url");
    }
    expect(engines.company.calls).toHaveLength(0);
  });

  test("returns the profile if it is done in time", async () => {
    const profile = { company_name: "Example", target_audience: null, products_services: [], market: null };
    engines.company.behave = async () => ({ result: profile });
    const key = await keyWith("company:analyze", "jobs:read");
    const { value } = await callTool(world, key, "analyze_company_url", page);
    expect(value).toMatchObject({ status: "succeeded", result: profile });
    expect((await callTool(world, key, "get_job", { job_id: value.job_id })).value.result).toEqual(profile);
    const foreign = await callTool(world, other.key, "get_job", { job_id: value.job_id });
    expect(foreign.error.code).toBe("not_found");
  });

  test("returns running with its handle after 45 seconds", async () => {
    const gate = held(async () => ({
      result: { company_name: null, target_audience: null, products_services: [], market: null },
    }));
    engines.company.behave = gate.behave;
    const calls = engines.company.calls.length;
    const answer = callTool(world, firm.key, "analyze_company_url", page);
    await until(() => engines.company.calls.length > calls, "the engine is asked");
    world.clock.advance(45_000);
    const { value } = await answer;
    expect(value.status).toBe("running");
    expect(value.poll).toContain("get_job");
    gate.open();
    expect((await callTool(world, firm.key, "get_job", { job_id: value.job_id })).value.status).toBe("succeeded");
  });

  test("refuses an address that may not be fetched, at its path", async () => {
    const { error } = await callTool(world, firm.key, "analyze_company_url", { company_url: "http://127.0.0.1/" });
    expect(error).toMatchObject({ code: "validation_error", details: [{ path: "/arguments/company_url" }] });
  });
});

describe("the insurance assistant", () => {
  test("is asked directly, and says so if there is no evidence", async () => {
    await using real = await World.open(undefined, { capabilities: sold });
    await real.openGates("insurance-assistant");
    const one = await real.firm();
    const [example] = present(real.app.parts.registry.capabilities.get("insurance-assistant"), "it").tools.flatMap(
      ({ examples }) => examples,
    );
    const { isError, value, text } = await callTool(real, one.key, "ask_insurance", example?.input);
    expect([isError, value.trust_state, value.sources]).toEqual([false, "FAIL", []]);
    expect(text).toStartWith("FAIL: ");
    await real.closeGate("insurance-assistant");
    const closed = await callTool(real, one.key, "ask_insurance", example?.input);
    expect(closed.error.code).toBe("capability_runs_disabled");
    const { secret } = await real.key(one, ["account:read", "docs:read"]);
    expect(await toolNames(real, secret)).not.toContain("ask_insurance");
  });
});

describe("examples in the contracts", () => {
  test("of every tool that runs a capability succeed, with results that match the capability's schema", async () => {
    await using real = await World.open(undefined, { capabilities: sold });
    await real.openGates(...sold.map(({ slug }) => slug));
    const entitlements = ["market-intelligence:read", "distribution:read", "verified_workspace"];
    const whole = await real.firm({ entitlements });
    const running = sold.flatMap(({ tools, input_schema }) =>
      tools.filter((tool) => Bun.deepEquals(tool.input_schema, input_schema)).map(({ name }) => name),
    );
    // A company is analysed by a job, and a question about insurance is answered directly.
    const others = ["analyze_company_url", "ask_insurance"];
    const runs = (await toolsOf(real, whole.key)).filter(
      ({ name }) => running.includes(name) && !others.includes(name),
    );
    expect(runs.map(({ name }) => name)).toContain("check_answer");
    for (const { name } of runs)
      for (const manifest of real.app.parts.registry.capabilities.values())
        for (const { input } of manifest.tools.find((tool) => tool.name === name)?.examples ?? []) {
          const { isError, value, text } = await callTool(real, whole.key, name, input);
          expect([name, isError, isError ? text : ""]).toEqual([name, false, ""]);
          expect(problems(manifest.output_schema, value.result, "")).toEqual([]);
        }
  });
});
