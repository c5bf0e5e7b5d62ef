import { afterAll, describe, expect, test } from "bun:test";
import { disentitle } from "../../src/accounts/admin/permissions.ts";
import { connectorEntitlement } from "../../src/products/connectors/manifest.ts";
import { httpsEngine, manifestText, openConnectors, startUpstream } from "../support/connectors-world.ts";
import { type Firm, runIn, until, type World } from "../support/harness.ts";
import { expectSound } from "../support/invariants.ts";

const good = { result: { queue: "person", reason: "The sum is high." } };
const upstream = startUpstream(() => Response.json(good));
/** The endpoint of another firm. */
const foreign = startUpstream(() => Response.json(good));
afterAll(() => Promise.all([upstream.stop(), foreign.stop()]));
const engine = httpsEngine(upstream.host);
const slug = "claims-triage";
const input = { claim: "Glass breakage" };

/** Starts a run whose first attempt fails, and returns its id once it waits for the second. */
async function retried(world: World, firm: Firm): Promise<string> {
  upstream.answer = () => new Response("busy", { status: 503 });
  const { id } = await runIn(await world.start(firm, { slug, input }));
  await world.idle();
  expect(await world.run(firm, id)).toMatchObject({ status: "running", steps: [{ attempt: 2 }] });
  upstream.answer = () => Response.json(good);
  upstream.received.length = 0;
  return id;
}

/** Waits for the run's remaining attempts. Expects that it failed for this reason, uncharged and unsent. */
async function expectFailed(world: World, firm: Firm, id: string, code: string): Promise<void> {
  await world.untilAfterPauses(async () => (await world.run(firm, id)).finished_at !== null, "it ends");
  expect(await world.run(firm, id)).toMatchObject({
    status: "failed",
    status_reason: { code },
    charges: { charged_credits: 0 },
  });
  expect([...upstream.received, ...foreign.received]).toEqual([]);
  await expectSound(world.store);
}

describe("a connector", () => {
  test("removed during a run completes that run, charged, and accepts no other", async () => {
    await using opened = await openConnectors(upstream.host);
    const { world } = opened;
    const firm = await world.firm();
    await opened.add(firm, manifestText(engine));
    const line = Promise.withResolvers<void>();
    upstream.received.length = 0;
    upstream.answer = () => line.promise.then(() => Response.json(good));
    const { id } = await runIn(await world.start(firm, { slug, input }));
    await until(() => upstream.received.length === 1, "it works");
    await opened.remove(firm);
    expect((await world.start(firm, { slug, input })).status).toBe(404);
    line.resolve();
    await world.idle();
    expect(await world.run(firm, id)).toMatchObject({ status: "succeeded", charges: { charged_credits: 200 } });
    upstream.answer = () => Response.json(good);
  });

  test("removed before a retry fails the run, uncharged", async () => {
    await using opened = await openConnectors(upstream.host);
    const { world } = opened;
    const firm = await world.firm();
    await opened.add(firm, manifestText(engine));
    const id = await retried(world, firm);
    await opened.remove(firm);
    await expectFailed(world, firm, id, "capability_removed");
  });

  test("whose slug is another firm's by the time of a retry sends that firm nothing", async () => {
    await using opened = await openConnectors(upstream.host, foreign.host);
    const { world } = opened;
    const [firm, other] = [await world.firm(), await world.firm()];
    await opened.add(firm, manifestText(engine));
    const id = await retried(world, firm);
    await opened.remove(firm);
    await opened.add(other, manifestText(httpsEngine(foreign.host)));
    await expectFailed(world, firm, id, "capability_removed");
  });

  test("whose slug is another firm's after a crash sends that firm nothing", async () => {
    await using opened = await openConnectors(upstream.host, foreign.host);
    const { world } = opened;
    const [firm, other] = [await world.firm(), await world.firm()];
    await opened.add(firm, manifestText(engine));
    const line = Promise.withResolvers<void>();
    upstream.received.length = 0;
    upstream.answer = () => line.promise.then(() => Response.json(good));
    const { id } = await runIn(await world.start(firm, { slug, input }));
    await until(() => upstream.received.length === 1, "it works");
    await opened.remove(firm);
    await opened.add(other, manifestText(httpsEngine(foreign.host)));
    const photograph = world.photograph();
    upstream.received.length = 0;
    await using restarted = await world.restart(photograph);
    await expectFailed(restarted, firm, id, "capability_removed");
    line.resolve();
    await world.idle();
    upstream.answer = () => Response.json(good);
  });

  test("replaced by another version before a retry fails the run, uncharged", async () => {
    await using opened = await openConnectors(upstream.host);
    const { world } = opened;
    const firm = await world.firm();
    await opened.add(firm, manifestText(engine));
    const id = await retried(world, firm);
    await opened.add(firm, manifestText(engine).replace("1.2.0", "2.0.0"), { replace: true });
    await expectFailed(world, firm, id, "capability_replaced");
  });

  test("corrected in the same version before a retry carries the run out", async () => {
    await using opened = await openConnectors(upstream.host);
    const { world } = opened;
    const firm = await world.firm();
    await opened.add(firm, manifestText(engine));
    const id = await retried(world, firm);
    await opened.add(firm, manifestText(engine).replace("triage?v=1", "triage?v=2"), { replace: true });
    await world.untilAfterPauses(async () => (await world.run(firm, id)).finished_at !== null, "it ends");
    expect(await world.run(firm, id)).toMatchObject({ status: "succeeded", charges: { charged_credits: 200 } });
    expect(upstream.received.map(({ url }) => url.search)).toEqual(["?v=2"]);
  });

  test("switched off before a retry fails the run, uncharged", async () => {
    await using opened = await openConnectors(upstream.host);
    const { world } = opened;
    const firm = await world.firm();
    await opened.add(firm, manifestText(engine));
    const id = await retried(world, firm);
    await world.closeGate(slug);
    await expectFailed(world, firm, id, "capability_runs_disabled");
  });

  test("hidden from its firm before a retry fails the run, uncharged", async () => {
    await using opened = await openConnectors(upstream.host);
    const { world } = opened;
    const firm = await world.firm();
    await opened.add(firm, manifestText(engine));
    const id = await retried(world, firm);
    await world.store.write((tx) => disentitle(tx, world.act, firm.id, connectorEntitlement(slug)));
    await expectFailed(world, firm, id, "entitlement_withdrawn");
  });

  test.each([
    ["removed", "capability_removed"],
    ["removed, and its slug given to another firm,", "capability_removed"],
    ["replaced by another version", "capability_replaced"],
  ])("%s while a run is queued refuses that run", async (change, code) => {
    await using opened = await openConnectors(upstream.host, foreign.host);
    const { world } = opened;
    const [firm, other] = [await world.firm(), await world.firm()];
    const text = manifestText(`${engine}\nlimits:\n  total: 1\n`);
    await opened.add(firm, text);
    const line = Promise.withResolvers<void>();
    upstream.received.length = 0;
    upstream.answer = () => line.promise.then(() => Response.json(good));
    await runIn(await world.start(firm, { slug, input }));
    await until(() => upstream.received.length === 1, "the first one works");
    const { id } = await runIn(await world.start(firm, { slug, input }));
    if (change.startsWith("removed")) await opened.remove(firm);
    else await opened.add(firm, text.replace("1.2.0", "2.0.0"), { replace: true });
    if (change.includes("another firm")) await opened.add(other, manifestText(httpsEngine(foreign.host)));
    line.resolve();
    await world.idle();
    expect(await world.run(firm, id)).toMatchObject({
      status: "refused",
      status_reason: { code },
      charges: { charged_credits: 0 },
    });
    expect([upstream.received.length, foreign.received.length]).toEqual([1, 0]);
    await expectSound(world.store);
    upstream.answer = () => Response.json(good);
  });

  test("removed after its runs leaves their documents without an outcome, and without a gap", async () => {
    await using opened = await openConnectors(upstream.host);
    const { world } = opened;
    const firm = await world.firm();
    await opened.add(firm, manifestText(engine));
    const { id } = await runIn(await world.start(firm, { slug, input }));
    await world.idle();
    const text = async () => (await world.ask(`/v1/runs/${id}/document?format=md`, { as: firm.key })).text();
    expect(await text()).toStartWith(`# Claims triage\n\nKnow which claims need a person. Run ${id}, finished on `);
    await opened.remove(firm);
    expect(await text()).toStartWith(`# claims-triage\n\nRun ${id}, finished on `);
  });

  test("whose slug is now another firm's leaves nothing of that firm's in the documents of its runs", async () => {
    await using opened = await openConnectors(upstream.host);
    const { world } = opened;
    const [firm, other] = [await world.firm(), await world.firm()];
    await opened.add(firm, manifestText(engine));
    const { id } = await runIn(await world.start(firm, { slug, input }));
    await world.idle();
    await opened.remove(firm);
    const secret = ["Private name", "Private outcome", "Private limitation"];
    const text = manifestText(engine)
      .replace("Claims triage", "Private name")
      .replace("Know which claims need a person", "Private outcome");
    await opened.add(other, `${text}limitations:\n  - Private limitation\n`);
    const document = await (await world.ask(`/v1/runs/${id}/document?format=md`, { as: firm.key })).text();
    expect(document).toStartWith(`# claims-triage\n\nRun ${id}, finished on `);
    for (const word of secret) expect(document).not.toContain(word);
  });
});
