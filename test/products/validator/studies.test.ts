import { describe, expect, test } from "bun:test";
import { deleteAudience } from "../../../db/queries/audiences.ts";
import type { Engine } from "../../../src/contracts/engine.ts";
import type { StudyInput } from "../../../src/contracts/study.ts";
import { marketValidatorEngine } from "../../../src/products/capabilities/market-validator/engine.ts";
import { marketValidator } from "../../../src/products/capabilities/market-validator/manifest.ts";
import type { EngineServices } from "../../../src/registry/services.ts";
import { errorIn, refusal } from "../../support/harness.ts";
import { callTool, rpc, toolNames } from "../../support/mcp-world.ts";
import {
  audienceOf,
  bicycles,
  expectSoundStudies,
  ordered,
  resultOf,
  validatorWorld,
} from "../../support/validator-world.ts";

const slug = "market-validator";
const input = { hypothesis: bicycles, market: "Česko" };

/** The product as sold, with studies that start when the test allows it. */
function heldValidator() {
  const gate = Promise.withResolvers<void>();
  const engine = (services: EngineServices): Engine => {
    const real = marketValidatorEngine(services);
    return {
      ...real,
      run: (given, context) => gate.promise.then(() => real.run(given as StudyInput, context)),
    } as Engine;
  };
  return { sold: { ...marketValidator, engine }, open: gate.resolve };
}

const idOf = (reference: string): string => reference.split("/").at(-1) ?? "";

describe("a run of the market validator", () => {
  test("interviews ten people at M for 500 credits, and links to its study", async () => {
    await using world = await validatorWorld();
    const firm = await world.firm();
    const run = await world.settled(firm, { slug, input });
    expect(run.charges).toMatchObject({ reserved_credits: 500, charged_credits: 500, released_credits: 0 });
    const { status, verdict, confidence, result_reference } = run.result as Record<string, string | number>;
    expect([status, typeof confidence]).toEqual(["completed", "number"]);
    const result = await resultOf(world, firm, idOf(String(result_reference)));
    expect(result).toMatchObject({ status: "completed", verdict, confidence, decision_size: "M" });
    expect(result.dashboard_url).toBe(String(result_reference));
    expect(result.report?.personas).toBe(10);
    await expectSoundStudies(world);
  });

  test("has the same result for the same question, for any caller at any time", async () => {
    await using world = await validatorWorld();
    const [one, other] = [await world.firm(), await world.firm()];
    const reports = [];
    for (const firm of [one, other]) {
      const run = await world.settled(firm, { slug, input });
      const { result_reference } = run.result as { result_reference: string };
      reports.push((await resultOf(world, firm, idOf(result_reference))).report);
      world.clock.advance(86_400_000);
    }
    expect(reports[0]).toEqual(reports[1] ?? null);
  });

  test("as a trial asks exactly ten people, costs nothing, and shows no persona anywhere", async () => {
    await using world = await validatorWorld();
    const firm = await world.firm();
    const run = await world.settled(firm, { slug, input, with: { mode: "trial" } });
    expect([run.status, run.charges.charged_credits]).toEqual(["succeeded", 0]);
    const id = run.id;
    const personas = await world.store.read
      .selectFrom("validation_personas")
      .selectAll()
      .where("validation_id", "=", id)
      .execute();
    expect(personas.length).toBe(10);
    // The data of the study's page.
    const study = await world.ask(`/v1/validator/validations/${id}`, { as: firm.key });
    expect([study.status, study.headers.get("content-type")]).toEqual([200, "application/json;charset=utf-8"]);
    const { text, value } = await callTool(world, firm.key, "get_result", { simulation_id: id });
    const said = [await study.text(), text, JSON.stringify(value), JSON.stringify(run)].join("\n");
    expect(said).toContain(bicycles);
    for (const { persona_json, answer_json } of personas) {
      expect(said).not.toContain((JSON.parse(persona_json) as { bio: string }).bio);
      expect(said).not.toContain((JSON.parse(answer_json ?? "{}") as { words: string }).words);
    }
    expect(await refusal(await world.start(firm, { slug, input, with: { mode: "trial" } }))).toEqual([
      402,
      "quota_exceeded",
    ]);
    await expectSoundStudies(world);
  });

  test("is the only step of Validate Before Shipping", async () => {
    await using world = await validatorWorld();
    const firm = await world.firm();
    const run = await world.settled(firm, { useCase: "validate-before-shipping", input });
    expect([run.status, run.charges.charged_credits]).toEqual(["succeeded", 500]);
    expect((await resultOf(world, firm, run.id)).status).toBe("completed");
  });

  test("asks ten people of a named audience, whatever its size, and ten of the market if none is named", async () => {
    await using world = await validatorWorld();
    const firm = await world.firm();
    const described = { description: "Young families in towns", market: "SK" };
    const audience_id = await audienceOf(world, firm, 20, described);
    for (const useCase of [undefined, "validate-before-shipping"]) {
      const asked = useCase === undefined ? { slug } : { useCase };
      const named = await world.settled(firm, { ...asked, input: { ...input, audience_id } });
      const { report, audience_id: of } = await resultOf(world, firm, named.id);
      expect([of, report?.personas, report?.market.code]).toEqual([audience_id, 10, "CZ"]);
      expect(report?.market.described).toEqual(["young", "parents", "urban"]);
      const anybody = await world.settled(firm, { ...asked, input });
      const { report: other, audience_id: none } = await resultOf(world, firm, anybody.id);
      expect([none, other?.personas, other?.market.described]).toEqual([null, 10, []]);
    }
    expect(await world.balance(firm)).toEqual({ available: 10_000 - 4 * 500, reserved: 0 });
  });

  test("is refused for an unknown market, with the list of known ones, and nothing is written", async () => {
    await using world = await validatorWorld();
    const firm = await world.firm();
    const runs = await world.count("runs");
    const error = await errorIn(await world.start(firm, { slug, input: { ...input, market: "Atlantis" } }));
    expect(error.code).toBe("validation_error");
    expect(error.details?.map(({ path }) => path)).toEqual(["/body/input/market"]);
    expect(error.details?.[0]?.message).toContain("CZ (Czechia)");
    expect(await world.count("runs")).toBe(runs);
  });

  test("on ten characters of nonsense is refused, and nothing is charged", async () => {
    await using world = await validatorWorld();
    const firm = await world.firm();
    const started = await world.start(firm, { slug, input: { hypothesis: "xyzxyzxyzx", market: "CZ" } });
    expect(await refusal(started)).toEqual([422, "validation_error"]);
    expect(await world.balance(firm)).toEqual({ available: 10_000, reserved: 0 });
  });

  test("treats another firm's audience as missing", async () => {
    await using world = await validatorWorld();
    const [firm, other] = [await world.firm(), await world.firm()];
    const audience_id = await audienceOf(world, other);
    const asked = { ...input, audience_id };
    const foreign = await world.start(firm, { slug, input: asked });
    const missing = await world.start(firm, { slug, input: { ...asked, audience_id: firm.id } });
    expect([await refusal(foreign), await refusal(missing)]).toEqual([
      [404, "not_found"],
      [404, "not_found"],
    ]);
  });

  test("whose audience is deleted while it is queued fails, and releases everything", async () => {
    const { sold, open } = heldValidator();
    await using world = await validatorWorld(undefined, sold);
    const firm = await world.firm();
    const id = await audienceOf(world, firm);
    const key = "same-key-as-before";
    const asked = { slug, input: { ...input, audience_id: id }, key };
    const accepted = await world.accepted(firm, asked);
    await world.store.write((tx) => deleteAudience.run(tx, { id, firm_id: firm.id }));
    open();
    await world.idle();
    const run = await world.run(firm, accepted.id);
    expect([run.status, run.status_reason?.code]).toEqual(["failed", "audience_not_found"]);
    expect(run.charges).toMatchObject({ charged_credits: 0, released_credits: 500 });
    // The same key returns the same run, although the request is now invalid.
    const again = await world.start(firm, asked);
    expect([again.status, ((await again.json()) as { id: string }).id]).toEqual([202, accepted.id]);
    expect((await world.start(firm, { slug, input: asked.input })).status).toBe(404);
    await expectSoundStudies(world);
  });
});

describe("the validator's tools", () => {
  test("create an audience, order a validation of it, and report its progress and verdict", async () => {
    const { sold, open } = heldValidator();
    await using world = await validatorWorld(undefined, sold);
    const firm = await world.firm();
    const audience_id = await audienceOf(world, firm, 20);
    const details = await callTool(world, firm.key, "get_audience_details", { audience_id });
    expect(details.value).toMatchObject({ audience: { id: audience_id, market: "CZ", size: 20 }, personas_count: 20 });
    expect((details.value.personas as unknown[]).length).toBe(10);
    const before = await world.balance(firm);
    const id = await ordered(world, firm, { audience_id, decision_size: "L" });
    expect((await resultOf(world, firm, id)).status).toBe("running");
    open();
    await world.idle();
    const result = await resultOf(world, firm, id);
    expect(result).toMatchObject({ status: "completed", progress: { completed: 20, total: 20 }, audience_id });
    expect(["GO", "NO-GO", "CONDITIONAL"]).toContain(result.verdict ?? "");
    const { available } = await world.balance(firm);
    expect(before.available - available).toBe(20 * 100);
    const { value } = await callTool(world, firm.key, "list_validations", { limit: 1 });
    expect((value.validations as { simulation_id: string }[])[0]?.simulation_id).toBe(id);
    await expectSoundStudies(world);
  });

  test("use the audience's own market if none is named, or the named one", async () => {
    await using world = await validatorWorld();
    const firm = await world.firm();
    const audience_id = await audienceOf(world, firm, 5, { market: "Slovensko" });
    const [own, other] = [
      await ordered(world, firm, { audience_id }),
      await ordered(world, firm, { audience_id, market: "Rakousko" }),
    ];
    await world.idle();
    const reports = await Promise.all([own, other].map(async (id) => (await resultOf(world, firm, id)).report));
    expect(reports.map((report) => report?.market.code)).toEqual(["SK", "AT"]);
    const notes = reports.map((report) => report?.notes?.filter((note) => note.includes("SK")));
    expect(notes).toEqual([[], [expect.stringContaining("people of AT were asked")]]);
  });

  test("of a capability or a use case, which always name a market, note an audience's different one in their results", async () => {
    await using world = await validatorWorld();
    const firm = await world.firm();
    const audience_id = await audienceOf(world, firm, 10, { market: "CZ" });
    for (const of of [{ slug }, { useCase: "validate-before-shipping" }]) {
      const notesIn = async (market: string) => {
        const { result } = await world.settled(firm, { ...of, input: { hypothesis: bicycles, market, audience_id } });
        return JSON.stringify((result as { notes?: string[] }).notes ?? []);
      };
      expect(await notesIn("Germany")).toContain("described for the market CZ, but people of DE were asked");
      expect(await notesIn("Czechia")).not.toContain("described for the market");
    }
  });

  test("are metered separately: describing an audience is a write that costs nothing", async () => {
    await using world = await validatorWorld();
    const firm = await world.firm();
    const audience_id = await audienceOf(world, firm);
    await callTool(world, firm.key, "list_audiences");
    await callTool(world, firm.key, "get_audience_details", { audience_id });
    expect(await world.balance(firm)).toEqual({ available: 10_000, reserved: 0 });
    const simulation_id = await ordered(world, firm, { audience_id });
    await world.idle();
    await callTool(world, firm.key, "get_result", { simulation_id });
    await callTool(world, firm.key, "list_validations");
    const { charged_credits } = (await world.run(firm, simulation_id)).charges;
    expect(charged_credits).toBeGreaterThan(0);
    const answer = await world.ask("/v1/developer/usage/summary", { as: firm.people.owner.token });
    const { by_tool } = (await answer.json()) as { by_tool: object[] };
    const names = ["create_audience", "get_audience_details", "get_result", "list_audiences", "list_validations"];
    expect(by_tool).toEqual([
      ...names.map((tool) => ({ tool, calls: 1, errors: 0, credits: 0 })),
      // The call had returned long before the run was charged.
      { tool: "run_validation", calls: 1, errors: 0, credits: charged_credits },
    ]);
  });

  test("show a firm nothing of another firm, and a key nothing of another workspace", async () => {
    await using world = await validatorWorld();
    const [firm, other] = [await world.firm(), await world.firm()];
    const audience_id = await audienceOf(world, firm);
    const simulation_id = await ordered(world, firm, { audience_id });
    await world.idle();
    const elsewhere = await world.key(firm, ["validator:read", "validator:run"], { workspace: firm.workspaces[1] });
    for (const key of [other.key, elsewhere.secret]) {
      const asked = [
        ["get_audience_details", { audience_id }],
        ["get_result", { simulation_id }],
        ["run_validation", { audience_id, hypothesis: bicycles }],
      ] as const;
      for (const [name, given] of asked)
        expect([name, (await callTool(world, key, name, given)).error.code]).toEqual([name, "not_found"]);
      expect((await callTool(world, key, "list_audiences")).value).toEqual({ audiences: [] });
      expect((await callTool(world, key, "list_validations")).value).toEqual({ validations: [] });
      expect((await world.ask(`/v1/validator/validations/${simulation_id}`, { as: key })).status).toBe(404);
    }
  });

  test("require separate scopes for reading and running", async () => {
    await using world = await validatorWorld();
    const firm = await world.firm();
    const reader = (await world.key(firm, ["validator:read"])).secret;
    const runner = (await world.key(firm, ["validator:run"])).secret;
    expect((await toolNames(world, reader)).sort()).toEqual([
      "get_audience_details",
      "get_result",
      "list_audiences",
      "list_validations",
    ]);
    expect((await toolNames(world, runner)).sort()).toEqual(["create_audience", "run_validation"]);
  });

  test("refuse invalid values at their path", async () => {
    await using world = await validatorWorld();
    const firm = await world.firm();
    const audience_id = await audienceOf(world, firm);
    const described = { name: "a", description: "b" };
    const wrong = [
      ["create_audience", { ...described, size: 4 }, "/arguments/size"],
      ["create_audience", { ...described, size: 51 }, "/arguments/size"],
      ["create_audience", { ...described, size: 7.5 }, "/arguments/size"],
      ["create_audience", { ...described, market: "Atlantis" }, "/arguments/market"],
      ["run_validation", { audience_id, hypothesis: "too short" }, "/arguments/hypothesis"],
      ["run_validation", { audience_id, hypothesis: bicycles, decision_size: "XXL" }, "/arguments/decision_size"],
      ["run_validation", { audience_id, hypothesis: bicycles, market: "Atlantis" }, "/arguments/market"],
      ["list_validations", { limit: 51 }, "/arguments/limit"],
      ["get_result", { simulation_id: "1" }, "/arguments/simulation_id"],
    ] as const;
    for (const [name, given, path] of wrong) {
      const { error } = await callTool(world, firm.key, name, given);
      expect([name, error.code, (error.details as { path: string }[])[0]?.path]).toEqual([
        name,
        "validation_error",
        path,
      ]);
    }
  });

  test("start nothing that the firm can't pay in full", async () => {
    await using world = await validatorWorld();
    const firm = await world.firm({ credits: 999 });
    const audience_id = await audienceOf(world, firm, 5);
    const { isError, error } = await callTool(world, firm.key, "run_validation", {
      hypothesis: bicycles,
      audience_id,
      decision_size: "XL",
    });
    expect([isError, error.code]).toEqual([true, "insufficient_credits"]);
    expect(await world.balance(firm)).toEqual({ available: 999, reserved: 0 });
    expect((await callTool(world, firm.key, "list_validations")).value).toEqual({ validations: [] });
  });

  test("start one validation per key, however often the request is repeated", async () => {
    await using world = await validatorWorld();
    const firm = await world.firm();
    const audience_id = await audienceOf(world, firm);
    const params = {
      name: "run_validation",
      arguments: { hypothesis: bicycles, audience_id },
      _meta: { "assay/idempotency-key": "a-validation-once" },
    };
    const answers = await Promise.all(Array.from({ length: 4 }, () => rpc(world, firm.key, "tools/call", params)));
    await world.idle();
    expect(new Set(answers.map(({ result }) => result?.structuredContent?.simulation_id)).size).toBe(1);
    expect((await callTool(world, firm.key, "list_validations")).value.validations).toHaveLength(1);
    expect(await world.balance(firm)).toEqual({ available: 9_500, reserved: 0 });
  });
});
