import { afterAll, describe, expect, test } from "bun:test";
import { failForGood } from "../support/engines.ts";
import { type Firm, freshKey, World } from "../support/harness.ts";
import { callTool, mcpCatalogue, type Result } from "../support/mcp-world.ts";

/** Tests how an agent reads runs that it may not have started: the record, and the list that leads to it. */

const { engines, capabilities } = mcpCatalogue();
const world = await World.open(undefined, { capabilities });
await world.openGates("company-intelligence");
/** A use case of three steps, whose second requires approval. */
const plain = await World.open();
afterAll(async () => {
  await world[Symbol.asyncDispose]();
  await plain[Symbol.asyncDispose]();
});

const look = (of: World, firm: Firm, run_id: string) => callTool(of, firm.key, "get_run", { run_id });
const runsIn = (value: Result["structuredContent"]) =>
  (value?.runs ?? []) as { run_id: string; capability: string | null; use_case: string | null }[];

describe("reading a run", () => {
  test("shows one cancelled after a charge as REST does: the reason, each step's result and its charge", async () => {
    const firm = await plain.firm();
    const { id } = await plain.settled(firm, { useCase: "triage" });
    const waiting = await look(plain, firm, id);
    expect(waiting.value).toMatchObject(await plain.run(firm, id));
    expect(waiting.text).toContain('"answer":"yes"');
    await plain.ask(`/v1/runs/${id}/cancel`, { as: firm.key, method: "POST" });
    const { isError, value, text } = await look(plain, firm, id);
    const record = await plain.run(firm, id);
    expect([isError, record.status, record.status_reason?.code]).toEqual([false, "failed", "cancelled"]);
    expect(value).toEqual({
      ...record,
      run_id: id,
      charged_credits: record.charges.charged_credits,
      maximum_credits: record.charges.maximum_credits,
    });
    expect(record.charges.charged_credits).toBeGreaterThan(0);
    expect(text).toContain("(cancelled)");
    expect(text).toContain(`- company: succeeded, ${record.steps[0]?.charged_credits} of at most`);
    expect(text).toContain(JSON.stringify(record.steps[0]?.result));
  });

  test("is not an error, and not counted as one, if the run was refused or its engine failed", async () => {
    const poor = await world.firm({ credits: 0 });
    const refused = await world.settled(poor);
    const { isError, value } = await look(world, poor, refused.id);
    expect([isError, value.status]).toEqual([false, "refused"]);
    expect(value.status_reason).toMatchObject({ code: "insufficient_credits" });
    const firm = await world.firm();
    engines.echo.behave = failForGood;
    const failed = await world.settled(firm);
    engines.echo.behave = async () => ({ result: { answer: "yes" } });
    expect((await look(world, firm, failed.id)).value).toMatchObject({ status: "failed", result: null });
    for (const caller of [poor, firm]) {
      const answer = await world.ask("/v1/developer/usage/summary", { as: caller.people.owner.token });
      const { by_tool } = (await answer.json()) as { by_tool: object[] };
      expect(by_tool).toEqual([expect.objectContaining({ tool: "get_run", calls: 1, errors: 0 })]);
    }
  });
});

describe("reading a job", () => {
  test("shows why it failed, and the call that started it names the job and what a repeat must send", async () => {
    const firm = await world.firm();
    engines.company.behave = failForGood;
    const sent = { "assay/idempotency-key": freshKey() };
    const analyse = () =>
      callTool(world, firm.key, "analyze_company_url", { company_url: "https://example.com/" }, sent);
    const first = await analyse();
    expect([first.isError, first.error.code]).toEqual([true, "no_answer"]);
    const [job_id = ""] = /[0-9a-f-]{36}/.exec(first.error.message) ?? [];
    expect(first.error.next).toContain("new key");
    expect((await analyse()).error).toEqual(first.error);
    const { isError, value, text } = await callTool(world, firm.key, "get_job", { job_id });
    const job: unknown = await (await world.ask(`/v1/jobs/${job_id}`, { as: firm.key })).json();
    expect([isError, value]).toEqual([false, { ...(job as object), job_id }]);
    expect(text).toContain("(no_answer)");
    expect(text).not.toContain("begins");
  });
});

describe("a run that fails in the call that started it", () => {
  test("is an error that states where its results are, and that its key finds it again", async () => {
    const firm = await world.firm();
    engines.echo.behave = failForGood;
    const { error } = await callTool(world, firm.key, "echo_text", { text: "hello" });
    engines.echo.behave = async () => ({ result: { answer: "yes" } });
    expect(error.next).toContain("get_run");
    expect(error.next).toContain("new key");
  });
});

describe("the list of runs", () => {
  test("is paginated to the end, and accepts REST's cursors", async () => {
    const firm = await plain.firm();
    for (const text of ["a", "b", "c", "d", "e"]) await plain.settled(firm, { input: { text } });
    const seen: string[] = [];
    let cursor: unknown;
    do {
      const given = { limit: 2, ...(cursor !== undefined && { cursor }) };
      const { value, text } = await callTool(plain, firm.key, "list_runs", given);
      seen.push(...runsIn(value).map(({ run_id }) => run_id));
      cursor = value.next_cursor ?? undefined;
      expect(text.includes("There are more")).toBe(cursor !== undefined);
    } while (cursor !== undefined);
    const all = await (await plain.ask("/v1/runs?limit=3", { as: firm.key })).json();
    const { items, next_cursor } = all as { items: { id: string }[]; next_cursor: string };
    expect([seen.length, seen.slice(0, 3)]).toEqual([5, items.map(({ id }) => id)]);
    const rest = await callTool(plain, firm.key, "list_runs", { cursor: next_cursor });
    expect(runsIn(rest.value).map(({ run_id }) => run_id)).toEqual(seen.slice(3));
    const wrong = await callTool(plain, firm.key, "list_runs", { cursor: "none" });
    expect(wrong.error).toMatchObject({ code: "validation_error", details: [{ path: "/arguments/cursor" }] });
  });

  test("is filtered by use case and by date", async () => {
    const firm = await plain.firm();
    const { id, created_at } = await plain.settled(firm, { useCase: "triage" });
    await plain.settled(firm, { input: { text: "a" } });
    const found = await callTool(plain, firm.key, "list_runs", { use_case: "triage" });
    expect(runsIn(found.value)).toEqual([
      expect.objectContaining({ run_id: id, capability: null, use_case: "triage" }),
    ]);
    const today = created_at.slice(0, 10);
    const within = await callTool(plain, firm.key, "list_runs", { from: today, to: today });
    expect(runsIn(within.value)).toHaveLength(2);
    const before = await callTool(plain, firm.key, "list_runs", { to: "2020-01-01" });
    expect(before.value).toEqual({ runs: [], next_cursor: null });
    const turned = await callTool(plain, firm.key, "list_runs", { from: "2026-02-02", to: "2026-02-01" });
    expect(turned.error.details).toEqual([{ path: "/arguments/from", message: "must not be after to" }]);
  });

  test("suggests slugs for an unknown one, and recognises a use case's", async () => {
    const firm = await plain.firm();
    const refused = async (given: object) => (await callTool(plain, firm.key, "list_runs", given)).error;
    expect(await refused({ capability: "ecko" })).toMatchObject({
      code: "validation_error",
      details: [{ path: "/arguments/capability", message: "is unknown. Did you mean echo?" }],
    });
    expect((await refused({ use_case: "triag" })).details).toEqual([
      { path: "/arguments/use_case", message: "is unknown. Did you mean triage?" },
    ]);
    expect((await refused({ capability: "triage" })).details).toEqual([
      { path: "/arguments/capability", message: "is the slug of a use_case: send it as use_case" },
    ]);
    expect(JSON.stringify(await refused({ capability: "hiden" }))).not.toContain("hidden");
    expect((await callTool(plain, firm.key, "list_runs", { capability: "echo" })).text).toBe("No runs.");
  });
});
