import { afterAll, describe, expect, test } from "bun:test";
import { connectorOf } from "../../db/queries/connectors.ts";
import { quotasOf } from "../../db/queries/entitlements.ts";
import { disentitle, entitle, limitRuns } from "../../src/accounts/admin/permissions.ts";
import { grantableEntitlements, manifestOf } from "../../src/accounts/admin/views.ts";
import { present } from "../../src/platform/assert.ts";
import { minute } from "../../src/platform/clock.ts";
import { connectorEntitlement } from "../../src/products/connectors/manifest.ts";
import { tryConnector } from "../../src/products/connectors/trial.ts";
import type { Capability } from "../../src/registry/contract.ts";
import type { Run } from "../../src/runs/schema.ts";
import {
  httpsEngine,
  isSigned,
  manifestText,
  openConnectors,
  type Received,
  startUpstream,
} from "../support/connectors-world.ts";
import { type Firm, refusal, runIn, type World } from "../support/harness.ts";
import { expectSound } from "../support/invariants.ts";

const good = { result: { queue: "person", reason: "The sum is high." } };
const upstream = startUpstream(() => Response.json(good));
afterAll(() => upstream.stop());
const engine = httpsEngine(upstream.host);
const slug = "claims-triage";
const input = { claim: "Glass breakage" };

/** Runs the connector to its end, advancing the clock so that retries become due. */
async function settled(
  world: World,
  firm: Firm,
  answer: (request: Received) => Response | Promise<Response>,
): Promise<Run> {
  upstream.answer = answer;
  upstream.received.length = 0;
  const { id } = await runIn(await world.start(firm, { slug, input }));
  await world.untilAfterPauses(async () => (await world.run(firm, id)).finished_at !== null, "the run ends");
  return world.run(firm, id);
}

describe("a connector to an HTTPS endpoint", () => {
  test("is run like any capability: one signed request, checked, charged and delivered", async () => {
    await using opened = await openConnectors(upstream.host);
    const { world } = opened;
    const firm = await world.firm();
    const { secret } = await opened.add(firm, manifestText(engine));
    const run = await settled(world, firm, () => Response.json({ ...good, credits: 120 }));
    expect(run).toMatchObject({
      status: "succeeded",
      result: good.result,
      engine: { name: "connector:claims-triage", version: "1.2.0", model: null },
      charges: { charged_credits: 120, released_credits: 80 },
    });
    expect(upstream.received).toHaveLength(1);
    const [request] = upstream.received;
    if (!request) throw new Error("nothing was received");
    expect(JSON.parse(request.body)).toEqual({ capability: slug, semantic_version: "1.2.0", input });
    expect(request.headers.get("idempotency-key")).toBe(`${run.id}:${slug}`);
    expect(isSigned(request, secret ?? "")).toBe(true);
    expect(isSigned(request, "another secret")).toBe(false);
    expect(isSigned({ ...request, body: `${request.body} ` }, secret ?? "")).toBe(false);
    expect(isSigned({ ...request, method: "PUT" }, secret ?? "")).toBe(false);
    expect((await world.ask(`/v1/runs/${run.id}/receipt`, { as: firm.key })).status).toBe(200);
    await expectSound(world.store);
  });

  test.each([
    [200, true],
    [201, false],
    [-1, false],
    [0.5, false],
  ])("is tested by the operator as it would run: charging %p of 200 credits", async (credits, isGood) => {
    await using opened = await openConnectors(upstream.host);
    const firm = await opened.world.firm();
    await opened.add(firm, manifestText(engine));
    const answer = () => Response.json({ ...good, credits });
    upstream.answer = answer;
    const row = present(await connectorOf(opened.world.store.read, firm.id, slug), "the connector");
    const stored = { masterKey: opened.masterKey, sealed: row.secret_encrypted };
    const trial = await tryConnector(manifestOf(row), stored, opened.services, input);
    const run = await settled(opened.world, firm, answer);
    expect([trial.ok, run.status]).toEqual([isGood, isGood ? "succeeded" : "failed"]);
    if (!trial.ok) expect(run).toMatchObject({ steps: [{ error: { code: trial.error.code } }] });
  });

  test("loses its monthly limit when it is removed", async () => {
    await using opened = await openConnectors(upstream.host);
    const { world } = opened;
    const firm = await world.firm();
    await opened.add(firm, manifestText(engine));
    await world.store.write((tx) => limitRuns(tx, { actor: "operator", at: world.clock.now() }, firm.id, slug, 3));
    expect(await quotasOf(world.store.read, firm.id)).toHaveLength(1);
    await opened.remove(firm);
    expect(await quotasOf(world.store.read, firm.id)).toEqual([]);
  });

  test("is retried under the same key while its error may be temporary", async () => {
    await using opened = await openConnectors(upstream.host);
    const firm = await opened.world.firm();
    await opened.add(firm, manifestText(engine));
    const run = await settled(opened.world, firm, () =>
      upstream.received.length < 3 ? new Response("busy", { status: 503 }) : Response.json(good),
    );
    expect(run).toMatchObject({ status: "succeeded", steps: [{ attempt: 3 }] });
    expect(new Set(upstream.received.map(({ headers }) => headers.get("idempotency-key"))).size).toBe(1);
  });

  const failures: readonly (readonly [string, () => Response | Promise<Response>, string, number])[] = [
    ["that is down", () => new Response("", { status: 502 }), "connector_unavailable", 5],
    [
      "that refuses with a message",
      () => Response.json({ error: { code: "no_such_claim", message: "Unknown claim." } }, { status: 404 }),
      "no_such_claim",
      1,
    ],
    ...["insufficient_credits", "invalid_api_key", "timeout", "connector_unavailable", "cancelled"].map(
      (code): [string, () => Response, string, number] => [
        `that poses as the product with ${code}`,
        () => Response.json({ error: { code, message: "Send more money." } }, { status: 400 }),
        "connector_refused",
        1,
      ],
    ),
    ["that refuses without a message", () => new Response("no", { status: 400 }), "connector_refused", 1],
    ["that redirects", () => Response.redirect("https://example.com/", 307), "connector_refused", 1],
    [
      "that does not send JSON",
      () => new Response("<html>", { headers: { "content-type": "text/html" } }),
      "connector_protocol_error",
      1,
    ],
    [
      "that sends more values than allowed",
      () => Response.json({ ...good, more: Array(50_001).fill(0) }),
      "connector_protocol_error",
      1,
    ],
    ["that sends no result", () => Response.json({ queue: "person" }), "connector_protocol_error", 1],
    ["whose output breaks its contract", () => Response.json({ result: { queue: "bin" } }), "engine_output_invalid", 1],
    [
      "that adds properties not in its contract",
      () => Response.json({ result: { queue: "person", more: 1 } }),
      "engine_output_invalid",
      1,
    ],
    ["that charges more than its price", () => Response.json({ ...good, credits: 201 }), "charge_above_maximum", 1],
    [
      "that sends an unpaired surrogate",
      () => new Response(`{"result":{"queue":"person","reason":"\\ud800"}}`),
      "engine_output_invalid",
      1,
    ],
    [
      "that sends more than allowed",
      () => Response.json({ result: { queue: "person", reason: "x".repeat(2_000_000) } }),
      "too_large",
      1,
    ],
  ];
  for (const [name, answer, code, attempts] of failures)
    test(`${name} fails the step with ${code} and releases its credits`, async () => {
      await using opened = await openConnectors(upstream.host);
      const { world } = opened;
      const firm = await world.firm();
      await opened.add(firm, manifestText(engine));
      const run = await settled(world, firm, answer);
      expect(run).toMatchObject({
        status: "failed",
        status_reason: { code },
        steps: [{ attempt: attempts, error: { code } }],
        charges: { charged_credits: 0, released_credits: 200 },
      });
      expect(upstream.received).toHaveLength(attempts);
      expect(await world.balance(firm)).toEqual({ available: 10_000, reserved: 0 });
      await expectSound(world.store);
    });

  test("that is unreachable fails the step after five attempts, and releases its credits", async () => {
    const gone = startUpstream(() => Response.json(good));
    await using opened = await openConnectors(gone.host);
    const { world } = opened;
    const firm = await world.firm();
    await opened.add(firm, manifestText(httpsEngine(gone.host)));
    await gone.stop();
    const run = await settled(world, firm, () => Response.json(good));
    expect(run).toMatchObject({
      status: "failed",
      status_reason: { code: "connection_failed" },
      steps: [{ attempt: 5 }],
    });
    expect(await world.balance(firm)).toEqual({ available: 10_000, reserved: 0 });
  });

  test("that never responds is abandoned at its deadline", async () => {
    await using opened = await openConnectors(upstream.host);
    const { world } = opened;
    const firm = await world.firm();
    await opened.add(firm, manifestText(engine));
    const run = await settled(world, firm, () => {
      world.clock.advance(minute);
      return new Promise<Response>(() => undefined);
    });
    expect(run).toMatchObject({ status: "failed", status_reason: { code: "step_timed_out" }, steps: [{ attempt: 5 }] });
    expect(await world.balance(firm)).toEqual({ available: 10_000, reserved: 0 });
  });
});

describe("a firm's connector", () => {
  test("exists for that firm only, from the next request until it is removed", async () => {
    await using opened = await openConnectors(upstream.host);
    const { world } = opened;
    const [firm, other] = [await world.firm(), await world.firm()];
    upstream.answer = () => Response.json(good);
    const mine = async (as: string) => {
      const { items } = (await (await world.ask("/v1/me/capabilities", { as })).json()) as { items: Capability[] };
      return items.find((item) => item.slug === slug);
    };
    const status = async (as?: string) => (await world.ask(`/v1/capabilities/${slug}`, { as })).status;
    expect(await mine(firm.key)).toBeUndefined();
    await opened.add(firm, manifestText(engine));
    expect(await mine(firm.key)).toMatchObject({ name: "Claims triage", runnable: true, exposure: "gated" });
    expect([await status(firm.key), await status(other.key), await status()]).toEqual([200, 404, 404]);
    expect(await mine(other.key)).toBeUndefined();
    expect(await (await world.ask("/v1/capabilities")).text()).not.toContain(slug);
    expect(await (await world.ask("/openapi-public.json")).text()).not.toContain(slug);
    const theirs = await world.start(other, { slug, input });
    const missing = await world.start(other, { slug: "no-such-capability", input });
    expect([theirs.status, await theirs.text()]).toEqual([404, await missing.text()]);
    expect((await world.start(firm, { slug, input })).status).toBe(202);
    await world.idle();
    expect(await opened.remove(firm)).toBe(true);
    expect([await status(firm.key), await mine(firm.key)]).toEqual([404, undefined]);
    expect((await world.start(firm, { slug, input })).status).toBe(404);
    expect(await opened.remove(firm)).toBe(false);
  });

  test("checks its input by its own schema, and refuses unknown properties", async () => {
    await using opened = await openConnectors(upstream.host);
    const firm = await opened.world.firm();
    await opened.add(firm, manifestText(engine));
    for (const bad of [{}, { claim: "" }, { claim: "x".repeat(201) }, { ...input, more: 1 }, { ...input, amount: 1.5 }])
      expect(await refusal(await opened.world.start(firm, { slug, input: bad }))).toEqual([422, "validation_error"]);
  });

  test("can be closed by its gate, and opened again", async () => {
    await using opened = await openConnectors(upstream.host);
    const { world } = opened;
    const firm = await world.firm();
    await opened.add(firm, manifestText(engine));
    await world.closeGate(slug);
    expect(await refusal(await world.start(firm, { slug, input }))).toEqual([503, "capability_runs_disabled"]);
    await world.openGates(slug);
    expect((await world.start(firm, { slug, input })).status).toBe(202);
  });

  test("that is replaced keeps its secret, and sells its new contract from the next request", async () => {
    await using opened = await openConnectors(upstream.host);
    const { world } = opened;
    const firm = await world.firm();
    const { secret } = await opened.add(firm, manifestText(engine));
    const changed = manifestText(engine).replace("1.2.0", "1.3.0").replace("live_credits: 200", "live_credits: 90");
    await expect(opened.add(firm, changed)).rejects.toThrow();
    expect((await opened.add(firm, changed, { replace: true })).secret).toBeNull();
    const run = await settled(world, firm, () => Response.json(good));
    expect(run).toMatchObject({ semantic_version: "1.3.0", charges: { charged_credits: 90 } });
    expect(upstream.received.every((request) => isSigned(request, secret ?? ""))).toBe(true);
  });

  test("whose slug or tool is taken by the product or by another connector is refused", async () => {
    await using opened = await openConnectors(upstream.host);
    const [firm, other] = [await opened.world.firm(), await opened.world.firm()];
    await opened.add(firm, manifestText(engine));
    const taken = [
      manifestText(engine),
      manifestText(engine).replace("claims-triage", "exa-filter"),
      manifestText(engine).replace("claims-triage", "other-triage"),
      manifestText(engine).replace("claims-triage", "other-triage").replace("triage_claim", "check_answer"),
    ];
    for (const text of taken) await expect(opened.add(other, text)).rejects.toThrow();
    await expect(opened.add(other, taken[0] ?? "", { replace: true })).rejects.toThrow();
  });

  test("keeps its secret out of the database, the log and every response", async () => {
    await using opened = await openConnectors(upstream.host);
    const { world } = opened;
    const firm = await world.firm();
    const { secret } = await opened.add(firm, manifestText(engine));
    await settled(world, firm, () => new Response("no", { status: 400 }));
    const detail = await (await world.ask(`/v1/capabilities/${slug}`, { as: firm.key })).text();
    const stored = JSON.stringify(world.store.sqlite.query("select * from connectors").all());
    for (const text of [detail, stored, world.logged.join("\n")]) expect(text).not.toContain(secret ?? "");
    expect(detail).not.toContain(upstream.host);
  });

  test("has usage figures for the firm that provides it only, even after its removal", async () => {
    await using opened = await openConnectors(upstream.host);
    const { world } = opened;
    const [firm, other] = [await world.firm(), await world.firm()];
    await opened.add(firm, manifestText(engine));
    await settled(world, firm, () => Response.json(good));
    const overview = async (as: string) => (await (await world.ask("/v1/provider/overview", { as })).json()) as object;
    expect(await overview(firm.key)).toMatchObject({
      capabilities: [{ slug, runs: 1, success_rate: 1, tenants: 1, credits_earned: 200 }],
    });
    expect(await overview(other.key)).toMatchObject({ capabilities: [] });
    const before = await overview(firm.key);
    await opened.remove(firm);
    expect(await overview(firm.key)).toEqual(before);
  });

  test("disappears for the firm when its entitlement is withdrawn, and returns when it is granted again", async () => {
    await using opened = await openConnectors(upstream.host);
    const { world } = opened;
    const firm = await world.firm();
    await opened.add(firm, manifestText(engine));
    const act = { actor: "operator", at: world.clock.now() };
    const name = connectorEntitlement(slug);
    expect(await world.store.write((tx) => disentitle(tx, act, firm.id, name))).toBe(true);
    expect(await refusal(await world.start(firm, { slug, input }))).toEqual([404, "not_found"]);
    expect(await grantableEntitlements(world.store.read, firm.id, [])).toContain(name);
    expect(await grantableEntitlements(world.store.read, (await world.firm()).id, [])).not.toContain(name);
    expect(await world.store.write((tx) => entitle(tx, act, firm.id, name))).toBe(true);
    expect((await settled(world, firm, () => Response.json(good))).status).toBe("succeeded");
  });

  test("runs as often per month as the firm's quota allows", async () => {
    await using opened = await openConnectors(upstream.host);
    const { world } = opened;
    const firm = await world.firm();
    await opened.add(firm, manifestText(engine));
    const limit = (runs: number) => {
      const act = { actor: "operator", at: world.clock.now() };
      return world.store.write((tx) => limitRuns(tx, act, firm.id, slug, runs));
    };
    await limit(1);
    expect((await settled(world, firm, () => Response.json(good))).status).toBe("succeeded");
    expect(await refusal(await world.start(firm, { slug, input }))).toEqual([402, "quota_exceeded"]);
    await limit(2);
    expect((await settled(world, firm, () => Response.json(good))).status).toBe("succeeded");
    expect(await refusal(await world.start(firm, { slug, input }))).toEqual([402, "quota_exceeded"]);
    await expectSound(world.store);
  });
});
