import { afterAll, describe, expect, test } from "bun:test";
import { disentitle } from "../../src/accounts/admin/permissions.ts";
import { minute } from "../../src/platform/clock.ts";
import type { PartnerToolCall } from "../../src/products/partner-tool/schema.ts";
import type { Quote } from "../../src/products/use-cases/schema.ts";
import { httpsEngine, manifestText, openConnectors, startUpstream } from "../support/connectors-world.ts";
import { type Firm, freshKey, refusal, runIn, World } from "../support/harness.ts";
import { callTool } from "../support/mcp-world.ts";

/** A key finds its run, whatever has become of the capability or quote since: otherwise a retry would be charged twice. */

const upstream = startUpstream(() => Response.json({ result: { queue: "person", reason: null } }));
afterAll(() => upstream.stop());
const manifest = manifestText(httpsEngine(upstream.host));
const holds = { entitlements: ["partner-tool"] };
const input = { claim: "Glass breakage" };
const claims = { slug: "claims-triage", input };

/** Starts the run again, and expects the same run and no other. */
async function expectReplay(again: Response, id: string, world: World): Promise<void> {
  expect([again.status, again.headers.get("idempotency-replayed"), (await runIn(again)).id]).toEqual([202, "true", id]);
  expect(await world.count("runs")).toBe(1);
}

describe("a key's run is found again", () => {
  test("after its quote has expired", async () => {
    await using world = await World.open();
    const firm = await world.firm();
    const key = freshKey();
    const asked = { text: "hello" };
    const quoted = await world.ask("/v1/use-cases/triage/quote", { body: { input: asked } });
    const quote_id = ((await quoted.json()) as Quote).id;
    const run = { useCase: "triage", input: asked, key, with: { quote_id } };
    const { id } = await world.settled(firm, run);
    world.clock.advance(61 * minute);
    await expectReplay(await world.start(firm, run), id, world);
    const { value } = await callTool(world, firm.key, "run_use_case", {
      ...{ slug: "triage", input: asked, quote_id, idempotency_key: key },
    });
    expect(value.run_id).toBe(id);
    expect(await refusal(await world.start(firm, { ...run, key: freshKey() }))).toEqual([409, "quote_invalid"]);
    const other = { ...run, input: { text: "other" } };
    expect(await refusal(await world.start(firm, other))).toEqual([409, "idempotency_conflict"]);
  });

  test("after its connector was removed", async () => {
    await using opened = await openConnectors(upstream.host);
    const { world } = opened;
    const [firm, stranger] = [await world.firm(holds), await world.firm(holds)];
    await opened.add(firm, manifest);
    const key = freshKey();
    const { id } = await world.settled(firm, { ...claims, key });
    await opened.remove(firm);
    await expectReplay(await world.start(firm, { ...claims, key }), id, world);
    const other = { ...claims, input: { claim: "Hail" }, key };
    expect(await refusal(await world.start(firm, other))).toEqual([409, "idempotency_conflict"]);
    expect(await refusal(await world.start(firm, claims))).toEqual([404, "not_found"]);
    expect(await refusal(await world.start(stranger, { ...claims, key }))).toEqual([404, "not_found"]);
    const { secret } = await world.key(firm, ["capabilities:run"], { workspace: firm.workspaces[1] });
    expect(await refusal(await world.start(firm, { ...claims, key, as: secret }))).toEqual([
      409,
      "idempotency_conflict",
    ]);
  });

  test("after its connector was replaced by one that refuses its input", async () => {
    await using opened = await openConnectors(upstream.host);
    const { world } = opened;
    const firm = await world.firm();
    await opened.add(firm, manifest);
    const key = freshKey();
    const { id } = await world.settled(firm, { ...claims, key });
    const narrower = manifest.replace("maxLength: 200 }", "maxLength: 5 }").replace("Glass breakage", "Glass");
    await opened.add(firm, narrower, { replace: true });
    await expectReplay(await world.start(firm, { ...claims, key }), id, world);
    const meta = { "assay/idempotency-key": key };
    expect((await callTool(world, firm.key, "triage_claim", input, meta)).value.run_id).toBe(id);
    const { error } = await callTool(world, firm.key, "triage_claim", input);
    expect(error).toMatchObject({ code: "validation_error", details: [{ path: "/arguments/claim" }] });
  });

  test("after the firm's entitlement was withdrawn", async () => {
    await using world = await World.open();
    const name = "distribution:read";
    const firm = await world.firm({ entitlements: [name] });
    const key = freshKey();
    const { id } = await world.settled(firm, { slug: "entitled", key });
    await world.store.write((tx) => disentitle(tx, world.act, firm.id, name));
    await expectReplay(await world.start(firm, { slug: "entitled", key }), id, world);
    expect(await refusal(await world.start(firm, { slug: "entitled" }))).toEqual([403, "missing_scope"]);
  });

  test("by the partner tool, after the tool was removed", async () => {
    await using opened = await openConnectors(upstream.host);
    const { world } = opened;
    const [firm, stranger] = [await world.firm(holds), await world.firm(holds)];
    await opened.add(firm, manifest);
    const key = freshKey();
    const call = (of: Firm, claim = input) =>
      world.ask("/v1/partner-tool/call", {
        ...{ as: of.key, headers: { "idempotency-key": key } },
        body: { tool: "triage_claim", arguments: claim },
      });
    const { run_id } = (await (await call(firm)).json()) as PartnerToolCall;
    await opened.remove(firm);
    const again = await call(firm);
    expect([again.status, again.headers.get("idempotency-replayed")]).toEqual([200, "true"]);
    expect(await again.json()).toMatchObject({ run_id, status: "succeeded", charged_credits: 200 });
    expect(await refusal(await call(firm, { claim: "Hail" }))).toEqual([409, "idempotency_conflict"]);
    expect(await refusal(await call(stranger))).toEqual([404, "not_found"]);
    expect(await world.count("runs")).toBe(1);
  });

  test("even for an input without a canonical form, as a conflict", async () => {
    await using world = await World.open();
    const firm = await world.firm();
    const key = freshKey();
    const malformed = { input: { text: "\ud800" } };
    expect(await refusal(await world.start(firm, { ...malformed, key }))).toEqual([422, "validation_error"]);
    await world.settled(firm, { key });
    expect(await refusal(await world.start(firm, { ...malformed, key }))).toEqual([409, "idempotency_conflict"]);
  });
});
