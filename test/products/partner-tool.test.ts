import { afterAll, describe, expect, test } from "bun:test";
import { minute } from "../../src/platform/clock.ts";
import { problems } from "../../src/platform/validate.ts";
import { PartnerToolCall } from "../../src/products/partner-tool/schema.ts";
import { httpsEngine, manifestText, openConnectors, startUpstream } from "../support/connectors-world.ts";
import { errorIn, type Firm, freshKey, refusal, until, type World } from "../support/harness.ts";
import { expectSound } from "../support/invariants.ts";

const good = { result: { queue: "person", reason: null }, credits: 120 };
const upstream = startUpstream(() => Response.json(good));
afterAll(() => upstream.stop());
const manifest = manifestText(httpsEngine(upstream.host));
const holds = { entitlements: ["partner-tool"] };
const input = { claim: "Glass breakage" };

const call = (
  world: World,
  firm: Firm,
  body: unknown = { tool: "triage_claim", arguments: input },
  as = firm.key,
  key?: string,
) =>
  world.ask("/v1/partner-tool/call", { as, body, ...(key !== undefined && { headers: { "idempotency-key": key } }) });
const called = async (response: Response) => (await response.json()) as PartnerToolCall;

describe("the partner tool", () => {
  test("lists which of the firm's own tools may be called, and which are off", async () => {
    await using opened = await openConnectors(upstream.host);
    const { world } = opened;
    const firm = await world.firm(holds);
    const access = async () => (await (await world.ask("/v1/partner-tool/access", { as: firm.key })).json()) as object;
    expect(await access()).toEqual({ "account:read": "granted", "partner-tool": "granted" });
    await opened.add(firm, manifest);
    expect(await access()).toMatchObject({ "tool:triage_claim": "granted" });
    await world.closeGate("claims-triage");
    expect(await access()).toMatchObject({ "tool:triage_claim": "capability_runs_disabled" });
  });

  test("executes a call as a run, waits for it, and returns its result and charge", async () => {
    await using opened = await openConnectors(upstream.host);
    const { world } = opened;
    const firm = await world.firm(holds);
    await opened.add(firm, manifest);
    const response = await call(world, firm);
    const answer = await called(response);
    expect([response.status, problems(PartnerToolCall, answer, "")]).toEqual([200, []]);
    expect(answer).toMatchObject({ status: "succeeded", result: good.result, error: null, charged_credits: 120 });
    const run = await world.run(firm, answer.run_id);
    expect(run).toMatchObject({ capability: "claims-triage", status: "succeeded", surface: "rest" });
    expect(answer.run_url).toBe(run.links.self);
    expect(await world.balance(firm)).toEqual({ available: 9_880, reserved: 0 });
    await expectSound(world.store);
  });

  test("reports a failure in its own words, uncharged", async () => {
    await using opened = await openConnectors(upstream.host);
    const firm = await opened.world.firm(holds);
    await opened.add(firm, manifest);
    upstream.answer = () =>
      Response.json({ error: { code: "no_such_claim", message: "Unknown claim." } }, { status: 404 });
    const answer = await called(await call(opened.world, firm));
    upstream.answer = () => Response.json(good);
    expect(answer).toMatchObject({ status: "failed", result: null, charged_credits: 0 });
    expect(answer.error).toEqual({ code: "no_such_claim", message: "Unknown claim." });
  });

  test("returns the run after 30 seconds if it has not finished", async () => {
    await using opened = await openConnectors(upstream.host);
    const { world } = opened;
    const firm = await world.firm(holds);
    await opened.add(firm, manifest.replace("deadline_seconds: 20", "deadline_seconds: 300"));
    const line = Promise.withResolvers<void>();
    upstream.answer = () => line.promise.then(() => Response.json(good));
    upstream.received.length = 0;
    const asked = call(world, firm);
    await until(() => upstream.received.length === 1, "the upstream works");
    world.clock.advance(minute);
    const answer = await called(await asked);
    expect(answer).toMatchObject({ status: "running", result: null, error: null });
    line.resolve();
    await world.idle();
    expect(await world.run(firm, answer.run_id)).toMatchObject({ status: "succeeded" });
    upstream.answer = () => Response.json(good);
  });

  test("returns the run immediately when the server stops", async () => {
    await using opened = await openConnectors(upstream.host);
    const { world } = opened;
    const firm = await world.firm(holds);
    await opened.add(firm, manifest);
    const { promise, resolve } = Promise.withResolvers<void>();
    let isAsked = false;
    upstream.answer = async () => {
      isAsked = true;
      await promise;
      return Response.json(good);
    };
    const waiting = call(world, firm);
    await until(() => isAsked, "the tool works");
    world.app.streams.endAll();
    expect((await called(await waiting)).status).toBe("running");
    upstream.answer = () => Response.json(good);
    resolve();
  });

  test("creates one run per idempotency key, charged once", async () => {
    await using opened = await openConnectors(upstream.host);
    const { world } = opened;
    const firm = await world.firm(holds);
    await opened.add(firm, manifest);
    const key = freshKey();
    const answers = await Promise.all(Array.from({ length: 8 }, () => call(world, firm, undefined, firm.key, key)));
    const replayed = answers.filter(({ headers }) => headers.get("idempotency-replayed") === "true");
    expect(replayed).toHaveLength(7);
    expect(new Set((await Promise.all(answers.map(called))).map(({ run_id }) => run_id)).size).toBe(1);
    expect(await world.balance(firm)).toEqual({ available: 9_880, reserved: 0 });
    const other = { tool: "triage_claim", arguments: { claim: "Hail" } };
    expect(await refusal(await call(world, firm, other, firm.key, key))).toEqual([409, "idempotency_conflict"]);
  });

  test("returns 404 for another firm's tools and the catalogue's, as for a tool that does not exist", async () => {
    await using opened = await openConnectors(upstream.host);
    const { world } = opened;
    const [firm, other] = [await world.firm(holds), await world.firm(holds)];
    await opened.add(firm, manifest);
    const missing = await (await call(world, other, { tool: "no_such_tool", arguments: {} })).text();
    for (const tool of ["triage_claim", "check_answer"]) {
      const response = await call(world, other, { tool, arguments: input });
      expect([response.status, await response.text()]).toEqual([404, missing]);
    }
  });

  test("refuses arguments that the tool does not accept, at their path", async () => {
    await using opened = await openConnectors(upstream.host);
    const firm = await opened.world.firm(holds);
    await opened.add(firm, manifest);
    const { code, details } = await errorIn(
      await call(opened.world, firm, { tool: "triage_claim", arguments: { claim: 7 } }),
    );
    expect([code, details?.map(({ path }) => path)]).toEqual(["validation_error", ["/body/arguments/claim"]]);
    const bodies = [
      { tool: "triage_claim" },
      { arguments: {} },
      { tool: "", arguments: {} },
      { tool: "x", arguments: [] },
    ];
    for (const body of bodies)
      expect(await refusal(await call(opened.world, firm, body))).toEqual([422, "validation_error"]);
  });

  test("charges nothing for a key without capabilities:run, and says so when the call is repeated", async () => {
    await using opened = await openConnectors(upstream.host);
    const { world } = opened;
    const firm = await world.firm(holds);
    await opened.add(firm, manifest);
    const { secret } = await world.key(firm, ["account:read"]);
    expect((await world.ask("/v1/partner-tool/access", { as: secret })).status).toBe(200);
    expect(await refusal(await call(world, firm, undefined, secret))).toEqual([403, "missing_scope"]);
    expect(await refusal(await call(world, firm, undefined, firm.people.approver.token))).toEqual([
      403,
      "missing_scope",
    ]);
    expect(await world.balance(firm)).toEqual({ available: 10_000, reserved: 0 });
    const key = freshKey();
    const [first, again] = [
      await call(world, firm, undefined, firm.key, key),
      await call(world, firm, undefined, firm.key, key),
    ];
    expect(first.headers.get("idempotency-replayed")).toBeNull();
    expect(again.headers.get("idempotency-replayed")).toBe("true");
  });

  test("requires account:read and the firm's entitlement", async () => {
    await using opened = await openConnectors(upstream.host);
    const { world } = opened;
    const [firm, without] = [await world.firm(holds), await world.firm()];
    const narrow = (await world.key(firm, ["runs:read"])).secret;
    for (const as of [narrow, without.key]) {
      expect(await refusal(await world.ask("/v1/partner-tool/access", { as }))).toEqual([403, "missing_scope"]);
      expect(await refusal(await call(world, firm, undefined, as))).toEqual([403, "missing_scope"]);
    }
  });
});
