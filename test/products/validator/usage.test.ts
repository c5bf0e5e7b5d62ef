import { describe, expect, test } from "bun:test";
import { openReader } from "../../../db/sqlite/verification.ts";
import { grantCredits } from "../../../src/accounts/admin/credits.ts";
import type { UsageDays, UsageSummary } from "../../../src/accounts/usage/schema.ts";
import { verifyCharges } from "../../../src/execution/credits/agreement.ts";
import { verifyLedger } from "../../../src/execution/credits/verify.ts";
import { day } from "../../../src/platform/clock.ts";
import { marketValidator } from "../../../src/products/capabilities/market-validator/manifest.ts";
import { importStudies } from "../../../src/products/validator/import.ts";
import { verifyValidations } from "../../../src/products/validator/verify.ts";
import { ScriptedEngine } from "../../support/engines.ts";
import { errorIn, type Firm, refusal, type World } from "../../support/harness.ts";
import { callTool } from "../../support/mcp-world.ts";
import { audienceOf, bicycles, ordered, resultOf, validatorWorld } from "../../support/validator-world.ts";

const report = (world: World, as: string | undefined, study_id: unknown) =>
  world.ask("/v1/validator/usage", { as, body: { study_id } });

const persona = { age: 41, role: "teacher", bio: "41 years old.", juster: 7, answer: "I would rather buy it." };

/** A study as the specialist web surface submits it. */
const study = (given: object = {}) => ({
  id: crypto.randomUUID(),
  hypothesis: bicycles,
  decision_size: "L",
  audience: { id: crypto.randomUUID(), name: "Riders", description: "People who ride.", market: "Česko" },
  verdict: "GO",
  confidence: 0.4,
  summary: "Seven of ten would buy.",
  created_at: "2026-01-05T10:00:00Z",
  personas: Array.from({ length: 6 }, () => persona),
  ...given,
});

const imported = (world: World, firm: Firm, lines: readonly unknown[], dryRun = false) =>
  importStudies({
    store: world.store,
    runtime: world.clock,
    actor: "operator",
    owner: { firm_id: firm.id, workspace_id: firm.workspaces[0], user_id: firm.people.owner.id },
    text: lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line))).join("\n"),
    dryRun,
  });

async function expectProven({ store }: World): Promise<void> {
  const reader = openReader(store.file);
  expect((await verifyLedger(reader)).problems).toEqual([]);
  expect((await verifyCharges(reader)).problems).toEqual([]);
  expect(verifyValidations(reader).problems).toEqual([]);
  reader.close();
}

describe("a usage report", () => {
  test("on a study charged by its own run returns that charge, and charges nothing", async () => {
    await using world = await validatorWorld();
    const firm = await world.firm();
    const audience_id = await audienceOf(world, firm, 7);
    const study_id = await ordered(world, firm, { audience_id, decision_size: "S" });
    await world.idle();
    const before = await world.balance(firm);
    for (let i = 0; i < 3; i++) {
      const answer = await report(world, firm.key, study_id);
      expect([answer.status, await answer.json()]).toEqual([
        200,
        { study_id, personas_count: 7, credits_charged: 175, replayed: true, charged_at: expect.any(String) },
      ]);
    }
    expect(await world.balance(firm)).toEqual(before);
  });

  test("on an imported study charges its stored personas once, even for simultaneous reports", async () => {
    await using world = await validatorWorld();
    const firm = await world.firm();
    const one = study();
    await imported(world, firm, [one]);
    const answers = await Promise.all(Array.from({ length: 32 }, () => report(world, firm.key, one.id)));
    const bodies = (await Promise.all(answers.map((answer) => answer.json()))) as { replayed: boolean }[];
    expect(bodies.filter(({ replayed }) => !replayed).length).toBe(1);
    for (const body of bodies) expect(body).toMatchObject({ personas_count: 6, credits_charged: 600 });
    expect(await world.balance(firm)).toEqual({ available: 9_400, reserved: 0 });
    await using restarted = await world.restart();
    expect(await (await report(restarted, firm.key, one.id)).json()).toMatchObject({ replayed: true });
    expect(await restarted.balance(firm)).toEqual({ available: 9_400, reserved: 0 });
    await expectProven(restarted);
  });

  test("on an imported study is in the usage figures, which add up to the ledger, but not as a run", async () => {
    await using world = await validatorWorld();
    const firm = await world.firm();
    const [one, other] = [study(), study({ decision_size: "S" })];
    await imported(world, firm, [one, other]);
    const audience_id = await audienceOf(world, firm, 7);
    await ordered(world, firm, { audience_id, decision_size: "S" });
    await world.idle();
    await report(world, firm.key, one.id);
    const first = new Date(world.clock.now()).toISOString().slice(0, 10);
    world.clock.advance(day);
    const second = new Date(world.clock.now()).toISOString().slice(0, 10);
    await report(world, firm.key, other.id);
    await report(world, firm.key, one.id);
    const read = async <T>(path: string, as = firm.key) => (await (await world.ask(path, { as })).json()) as T;
    const summary = await read<UsageSummary>("/v1/usage/summary?days=2");
    expect(summary).toMatchObject({
      credits: { charged: 925, available: 9_075 },
      runs: { succeeded: 1 },
      by_capability: [{ capability: "market-validator", runs: 1, succeeded: 1, credits: 925 }],
      by_day: [
        { date: first, runs: 1, credits: 775 },
        { date: second, runs: 0, credits: 150 },
      ],
    });
    expect((await read<UsageSummary>("/v1/usage/summary?days=1")).credits.charged).toBe(150);
    const days = await read<UsageDays>(`/v1/usage/days?from=${first}&to=${second}`);
    expect([days.runs, days.credits, days.days.map(({ credits }) => credits)]).toEqual([1, 925, [775, 150]]);
    expect(days.by_capability).toMatchObject([
      {
        credits: 925,
        days: [
          { date: first, runs: 1, credits: 775 },
          { date: second, runs: 0, credits: 150 },
        ],
      },
    ]);
    expect(days.by_key.map(({ credits }) => credits)).toEqual([175]);
    const elsewhere = await world.key(firm, ["account:read"], { workspace: firm.workspaces[1] });
    for (const as of [elsewhere.secret, (await world.firm()).key]) {
      expect((await read<UsageSummary>("/v1/usage/summary", as)).credits.charged).toBe(0);
      expect((await read<UsageDays>("/v1/usage/days", as)).credits).toBe(0);
    }
  });

  test("on a study without personas is 422 at its id", async () => {
    await using world = await validatorWorld();
    const firm = await world.firm();
    const one = study({ personas: [], verdict: null, confidence: null, summary: null });
    await imported(world, firm, [one]);
    const error = await errorIn(await report(world, firm.key, one.id));
    expect([error.code, error.details?.map(({ path }) => path)]).toEqual(["validation_error", ["/body/study_id"]]);
    await expectProven(world);
  });

  test("on a study that is running, or has no verdict, is also 422", async () => {
    const stuck = new ScriptedEngine("market-validator");
    stuck.behave = () => new Promise(() => undefined);
    await using world = await validatorWorld(undefined, { ...marketValidator, engine: stuck });
    const firm = await world.firm();
    const id = await ordered(world, firm, { audience_id: await audienceOf(world, firm) });
    expect(await refusal(await report(world, firm.key, id))).toEqual([422, "validation_error"]);
    await world.ask(`/v1/runs/${id}/cancel`, { method: "POST", as: firm.key });
    await resultOf(world, firm, id);
    expect(await refusal(await report(world, firm.key, id))).toEqual([422, "validation_error"]);
  });

  test("that the firm can't pay is 402, and can be repeated after a top-up", async () => {
    await using world = await validatorWorld();
    const firm = await world.firm({ credits: 599 });
    const one = study();
    await imported(world, firm, [one]);
    for (let i = 0; i < 2; i++)
      expect(await refusal(await report(world, firm.key, one.id))).toEqual([402, "quota_exceeded"]);
    expect(await world.balance(firm)).toEqual({ available: 599, reserved: 0 });
    const grant = { firm_id: firm.id, credits: 1, reason: "a top-up" };
    await world.store.write((tx) => grantCredits(tx, world.act, grant));
    const paid = await report(world, firm.key, one.id);
    expect([paid.status, await paid.json()]).toMatchObject([200, { credits_charged: 600, replayed: false }]);
    expect(await world.balance(firm)).toEqual({ available: 0, reserved: 0 });
    await expectProven(world);
  });

  test("requires an API key with its scope, and finds only the firm's own studies", async () => {
    await using world = await validatorWorld();
    const [firm, other] = [await world.firm(), await world.firm()];
    const one = study();
    await imported(world, firm, [one]);
    const bare = (await world.key(firm, ["validator:run"])).secret;
    const elsewhere = await world.key(firm, ["validator:usage:report"], { workspace: firm.workspaces[1] });
    const asked: [string | undefined, unknown, [number, string]][] = [
      [undefined, one.id, [401, "invalid_api_key"]],
      [firm.people.owner.token, one.id, [401, "invalid_api_key"]],
      [bare, one.id, [403, "missing_scope"]],
      [firm.key, "1", [422, "validation_error"]],
      [firm.key, crypto.randomUUID(), [404, "not_found"]],
      [other.key, one.id, [404, "not_found"]],
      [elsewhere.secret, one.id, [404, "not_found"]],
    ];
    for (const [as, id, expected] of asked) expect(await refusal(await report(world, as, id))).toEqual(expected);
    expect(await world.balance(firm)).toEqual({ available: 10_000, reserved: 0 });
  });
});

describe("an import of studies", () => {
  test("brings audience, personas and answers, which tools and page then show", async () => {
    await using world = await validatorWorld();
    const firm = await world.firm();
    const one = study();
    expect(await imported(world, firm, [one])).toMatchObject([{ line: 1, status: "imported", personas: 6, notes: [] }]);
    expect(await resultOf(world, firm, one.id)).toMatchObject({
      status: "completed",
      verdict: "GO",
      confidence: 0.4,
      summary: one.summary,
      report: null,
      error: null,
    });
    const { value } = await callTool(world, firm.key, "get_audience_details", { audience_id: one.audience.id });
    expect(value).toMatchObject({ audience: { name: "Riders", market: "CZ", source: "imported" } });
    const shown = await (await world.ask(`/v1/validator/validations/${one.id}`, { as: firm.key })).text();
    expect(shown).toContain(persona.answer);
  });

  test("changes nothing the second time, and nothing at all on a dry run", async () => {
    await using world = await validatorWorld();
    const firm = await world.firm();
    const one = study();
    expect((await imported(world, firm, [one], true))[0]?.status).toBe("imported");
    expect((await imported(world, firm, [one]))[0]?.status).toBe("imported");
    await report(world, firm.key, one.id);
    expect((await imported(world, firm, [one]))[0]?.status).toBe("unchanged");
    expect(await (await report(world, firm.key, one.id)).json()).toMatchObject({ replayed: true });
  });

  test("reports what it refuses line by line, and imports the rest", async () => {
    await using world = await validatorWorld();
    const [firm, other] = [await world.firm(), await world.firm()];
    const taken = study();
    await imported(world, other, [taken]);
    const lines = [
      study(),
      "{ not json",
      "",
      study({ decision_size: "XXL" }),
      study({ personas: [{ ...persona, juster: 11 }] }),
      study({ audience: { ...study().audience, market: "Atlantis" } }),
      study({ id: taken.id }),
      study({ audience: taken.audience }),
      study({ surprise: 1 }),
    ];
    const outcomes = await imported(world, firm, lines);
    expect(outcomes[3]?.notes).toEqual(["/personas/0/juster must be at most 10"]);
    expect(outcomes.map(({ line, status, notes }) => [line, status, notes[0]?.split(" ")[0]])).toEqual([
      [1, "imported", undefined],
      [2, "refused", "is"],
      [4, "refused", "/decision_size"],
      [5, "refused", "/personas/0/juster"],
      [6, "refused", "/audience/market"],
      [7, "refused", "/id"],
      [8, "refused", "/audience/id"],
      [9, "refused", "/surprise"],
    ]);
    await expectProven(world);
  });
});
