import { describe, expect, test } from "bun:test";
import { decodeJwt } from "jose";
import { openReader } from "../../db/sqlite/verification.ts";
import { unscoped } from "../../db/tenancy.ts";
import { day } from "../../src/platform/clock.ts";
import type { Findings } from "../../src/platform/findings.ts";
import { canonicalHash } from "../../src/platform/json.ts";
import { longestInline } from "../../src/runs/results.ts";
import type { Run } from "../../src/runs/schema.ts";
import { verifyReceipts } from "../../src/runs/verify.ts";
import { held, succeed } from "../support/engines.ts";
import { type Firm, runIn, until, World } from "../support/harness.ts";
import { expectSound } from "../support/invariants.ts";
import { callTool } from "../support/mcp-world.ts";

/** Long results are stored in separate rows, which readers of a run never notice. */

/** Returns an answer whose JSON has `chars` characters. */
const answer = (chars: number, filling = "x"): string => filling.repeat(chars).slice(0, chars - '{"answer":""}'.length);
const long = 3 * longestInline;
const secret = answer(long, "Jan Novák, the named contact; ");

/** Returns the steps whose results are stored in separate rows. */
async function separate({ store }: World): Promise<string[]> {
  const rows = await unscoped(store.read).selectFrom("step_results").select("step").orderBy("step").execute();
  return rows.map(({ step }) => step);
}

async function stepsText({ store }: World, id: string): Promise<string> {
  const db = unscoped(store.read);
  return (await db.selectFrom("runs").select("steps_json").where("id", "=", id).executeTakeFirstOrThrow()).steps_json;
}

function verified(world: World): Promise<Findings> {
  const reader = openReader(world.store.file);
  return verifyReceipts(reader, world.app.parts.keyring.jwks().keys).finally(() => reader.close());
}

/** Checks that the run reads the same everywhere, in this process and in one that has only the file. */
async function expectTheSame(world: World, firm: Firm, run: Run): Promise<void> {
  await using other = await world.restart();
  for (const place of [world, other]) {
    expect(await place.run(firm, run.id)).toEqual(run);
    const listed = await place.ask("/v1/runs", { as: firm.key });
    const text = await listed.text();
    expect((JSON.parse(text) as { items: Run[] }).items.find(({ id }) => id === run.id)).toEqual(run);
    expect(text).not.toContain("separate_result_chars");
    const receipt = await place.ask(`/v1/runs/${run.id}/receipt`, { as: firm.key });
    expect(decodeJwt(await receipt.text()).result_sha256).toBe(canonicalHash(run.result));
    await expectSound(place.store);
    expect((await verified(place)).problems).toEqual([]);
  }
}

const triage = async (world: World, firm: Firm, answers: readonly [string, string, string]): Promise<Run> => {
  const { echo, names, report } = world.engines;
  [echo, names, report].forEach((engine, i) => {
    engine.behave = succeed(undefined, answers[i]);
  });
  return world.settled(firm, { useCase: "triage" });
};

const decide = (world: World, firm: Firm, { id }: Run, decision: "approve" | "reject") =>
  world.ask(`/v1/runs/${id}/approval`, { as: firm.people.owner.token, body: { decision } });

/** Returns all rows of the tables that could contain a run's results. */
async function everywhere({ store }: World): Promise<string> {
  const tables = ["runs", "step_results", "snapshots", "effects", "checkpoints", "audit"] as const;
  const db = unscoped(store.read);
  return JSON.stringify(await Promise.all(tables.map((table) => db.selectFrom(table).selectAll().execute())));
}

describe("a step's result", () => {
  test.each([
    ["short", 100, []],
    ["as long as a row takes", longestInline, []],
    ["one character longer", longestInline + 1, ["echo"]],
    ["longer than the runs that are held in memory", 40_000, ["echo"]],
  ])("reads the same everywhere when it is %s", async (_, chars, apart) => {
    await using world = await World.open();
    const firm = await world.firm();
    world.engines.echo.behave = succeed(350, answer(chars));
    const run = await world.settled(firm);
    expect(run.result).toEqual({ answer: answer(chars) });
    expect(JSON.stringify(run.result)).toHaveLength(chars);
    expect(await separate(world)).toEqual(apart);
    expect((await stepsText(world, run.id)).includes(answer(chars))).toBe(apart.length === 0);
    await expectTheSame(world, firm, run);
  });

  test("is inserted with its run when the engine completes inline", async () => {
    await using world = await World.open();
    const firm = await world.firm();
    world.engines.echo.atOnce = (input) => ({
      result: { answer: answer(long, (input as { text: string }).text) },
      credits: 100,
    });
    const texts = ["a", "b", "c", "d"];
    const runs = await Promise.all(texts.map((text) => world.accepted(firm, { input: { text } })));
    expect(runs.map(({ result }) => result)).toEqual(texts.map((text) => ({ answer: answer(long, text) })));
    expect(await separate(world)).toEqual(["echo", "echo", "echo", "echo"]);
    for (const run of runs) await expectTheSame(world, firm, run);
  });

  test("is returned by MCP and by a replayed request when it is long", async () => {
    await using world = await World.open();
    const firm = await world.firm();
    world.engines.echo.behave = succeed(350, answer(40_000));
    const run = await world.settled(firm, { key: "a-key-that-repeats" });
    const again = await world.start(firm, { key: "a-key-that-repeats" });
    expect(again.headers.get("idempotency-replayed")).toBe("true");
    expect(await runIn(again)).toEqual(run);
    const { value } = await callTool(world, firm.key, "get_run", { run_id: run.id });
    expect(value.result).toEqual(run.result);
  });
});

describe("a use case with several long results", () => {
  test("passes them to later steps, writes each once, and delivers them all", async () => {
    await using world = await World.open();
    const firm = await world.firm();
    const [company, names, report] = [answer(long, "c"), answer(long, "n"), answer(long, "r")];
    const waiting = await triage(world, firm, [company, names, report]);
    expect(await separate(world)).toEqual(["company", "names"]);
    expect((await stepsText(world, waiting.id)).length).toBeLessThan(longestInline);
    await decide(world, firm, waiting, "approve");
    await world.idle();
    const earlier = { company: { answer: company }, names: { answer: names } };
    expect(world.engines.report.calls[0]?.context.earlier).toEqual(earlier);
    const run = await world.run(firm, waiting.id);
    expect(run).toMatchObject({ status: "succeeded", result: { ...earlier, report: { answer: report } } });
    expect((await stepsText(world, run.id)).length).toBeLessThan(longestInline);
    await expectTheSame(world, firm, run);
  });

  test("resumes with its results after a crash between two steps", async () => {
    await using world = await World.open();
    const firm = await world.firm();
    world.engines.echo.behave = succeed(400, answer(long, "c"));
    const names = held(succeed(600, answer(long, "n")));
    world.engines.names.behave = names.behave;
    const { id } = await world.accepted(firm, { useCase: "triage" });
    await until(() => world.engines.names.calls.length === 1, "the second step runs");
    const left = world.photograph();
    names.open();
    await using restarted = await world.restart(left);
    await restarted.idle();
    expect(restarted.engines.names.calls.at(-1)?.context.earlier).toEqual({ company: { answer: answer(long, "c") } });
    await decide(restarted, firm, await restarted.run(firm, id), "approve");
    await restarted.idle();
    const run = await restarted.run(firm, id);
    expect(run).toMatchObject({ status: "succeeded", result: { names: { answer: answer(long, "n") } } });
    await expectTheSame(restarted, firm, run);
  });

  test("from an earlier version, with all results in its row, continues and keeps them there", async () => {
    await using world = await World.open();
    const firm = await world.firm();
    const { id } = await triage(world, firm, [answer(long, "c"), answer(long, "n"), answer(long, "r")]);
    // In the form written by release 0.3.
    const inRow = JSON.stringify(
      (
        JSON.parse(await stepsText(world, id)) as { key: string; separate_result_chars?: number; sealed?: boolean }[]
      ).map(({ separate_result_chars: _, sealed: _s, ...step }) => ({
        ...step,
        ...(step.key === "company" && { result: { answer: answer(long, "c") } }),
        ...(step.key === "names" && { result: { answer: answer(long, "n") } }),
      })),
    );
    await world.store.write(async (tx) => {
      await unscoped(tx).deleteFrom("step_results").execute();
      await unscoped(tx).deleteFrom("step_keys").execute();
      await unscoped(tx).updateTable("runs").set({ steps_json: inRow }).execute();
    });
    await using later = await world.reopen();
    await decide(later, firm, await later.run(firm, id), "approve");
    await later.idle();
    const run = await later.run(firm, id);
    expect(run).toMatchObject({ status: "succeeded", result: { company: { answer: answer(long, "c") } } });
    expect(run.steps[1]?.result).toEqual({ answer: answer(long, "n") });
    expect(await separate(later)).toEqual(["report"]);
    await expectTheSame(later, firm, run);
  });
});

describe("a long result that awaits approval", () => {
  test("is shown to approvers only", async () => {
    await using world = await World.open();
    const firm = await world.firm();
    const { id } = await triage(world, firm, ["yes", secret, "yes"]);
    await using restarted = await world.restart();
    const { owner, approver, admin, member } = firm.people;
    const seen = async (as: string) =>
      Promise.all([`/v1/runs/${id}`, "/v1/runs"].map(async (path) => (await restarted.ask(path, { as })).text()));
    for (const { token } of [owner, approver]) for (const text of await seen(token)) expect(text).toContain(secret);
    for (const as of [firm.key, admin.token, member.token])
      for (const text of await seen(as)) expect(text).not.toContain("Jan Novák");
  });

  test.each<[string, (world: World, firm: Firm, run: Run) => Promise<unknown>, Run["status"]]>([
    ["rejected", (world, firm, run) => decide(world, firm, run, "reject"), "succeeded"],
    [
      "cancelled",
      (world, firm, { id }) => world.ask(`/v1/runs/${id}/cancel`, { as: firm.key, method: "POST" }),
      "failed",
    ],
    ["left undecided", async (world) => world.clock.advance(7 * day), "succeeded"],
  ])("is in clear text in no row, before or after being %s", async (_, end, status) => {
    await using world = await World.open();
    const firm = await world.firm();
    const waiting = await triage(world, firm, [answer(long, "c"), secret, "yes"]);
    expect(await everywhere(world)).not.toContain("Jan Novák");
    expect(await separate(world)).toEqual(["company", "names"]);
    await end(world, firm, waiting);
    await until(async () => (await world.run(firm, waiting.id)).finished_at !== null, "the run ends");
    expect(await everywhere(world)).not.toContain("Jan Novák");
    expect(await separate(world)).toEqual(["company"]);
    const run = await world.run(firm, waiting.id);
    expect(run.status).toBe(status);
    await expectTheSame(world, firm, run);
  });
});

test.each([
  ["changed", "update step_results set result_json = replace(result_json, 'ccc', 'ddd')", "result_sha256"],
  ["gone", "delete from step_results", "the result of step company is missing or was changed"],
  [
    "kept of a step that was withheld",
    `insert into step_results select run_seq, 'names', '"kept"' from step_results limit 1`,
    "the result of step names should have been erased",
  ],
  [
    "kept of a run that does not exist",
    `insert into step_results values (99, 'names', '"kept"')`,
    "1 step results belong to runs that do not exist",
  ],
])("assay verify reports a long result that is %s", async (_, tampering, message) => {
  await using world = await World.open();
  const firm = await world.firm();
  await decide(world, firm, await triage(world, firm, [answer(long, "c"), secret, "yes"]), "reject");
  await world.idle();
  expect((await verified(world)).problems).toEqual([]);
  world.store.sqlite.run(tampering);
  expect((await verified(world)).problems.join("\n")).toContain(message);
});
