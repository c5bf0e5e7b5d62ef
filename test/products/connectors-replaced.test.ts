import { afterAll, describe, expect, test } from "bun:test";
import { httpsEngine, manifestText, openConnectors, startUpstream } from "../support/connectors-world.ts";
import { type Firm, runIn, until, type World } from "../support/harness.ts";
import { expectSound } from "../support/invariants.ts";
import { tamper } from "../support/tamper.ts";

const good = { result: { queue: "person", reason: "The sum is high." } };
const upstream = startUpstream(() => Response.json(good));
afterAll(() => upstream.stop());
const engine = httpsEngine(upstream.host);
const slug = "claims-triage";
const input = { claim: "Glass breakage" };

/** A manifest at 200 credits, of which the provider gets 50. */
const accepted = manifestText(engine).replace("name: Claims triage", "name: Claims triage\nprovider: triage-co");
/** The same capability of another provider, which gets nearly all of another price. */
const dear = accepted
  .replace("triage-co", "other-co")
  .replace("live_credits: 200", "live_credits: 400")
  .replace("provider_cost_credits: 50", "provider_cost_credits: 390");
const dearer = dear.replace("1.2.0", "2.0.0");

/** Starts a run and returns its id once the endpoint has its request, which is answered when `line` opens. */
async function started(world: World, firm: Firm) {
  const line = Promise.withResolvers<void>();
  upstream.received.length = 0;
  upstream.answer = () => line.promise.then(() => Response.json(good));
  const { id } = await runIn(await world.start(firm, { slug, input }));
  await until(() => upstream.received.length === 1, "it works");
  return { id, line };
}

interface LedgerEntry {
  readonly kind: string;
  readonly amount: number;
  readonly provider: string | null;
}

/** Returns the provider and the amount of each settlement. */
async function settlements(world: World, firm: Firm) {
  const response = await world.ask("/v1/credits", { as: firm.people.owner.token });
  const { entries } = (await response.json()) as { entries: { items: LedgerEntry[] } };
  return entries.items
    .filter(({ kind }) => kind === "settle")
    .map(({ provider, amount }) => [provider, amount] as const)
    .sort(([, a], [, b]) => a - b);
}
const agreed: Awaited<ReturnType<typeof settlements>> = [
  [null, -150],
  ["triage-co", -50],
];

describe("the share of a connector's provider is the one agreed when the run was accepted", () => {
  test.each([
    ["removed", undefined],
    ["replaced by another version", dearer],
    ["replaced in the same version", dear],
  ])("if it is %s during the attempt", async (_, replacement) => {
    await using opened = await openConnectors(upstream.host);
    const { world } = opened;
    const firm = await world.firm();
    await opened.add(firm, accepted);
    const { id, line } = await started(world, firm);
    await (replacement ? opened.add(firm, replacement, { replace: true }) : opened.remove(firm));
    // The registry takes up the change with the next request.
    expect((await world.run(firm, id)).status).toBe("running");
    line.resolve();
    await world.idle();
    expect(await world.run(firm, id)).toMatchObject({
      status: "succeeded",
      semantic_version: "1.2.0",
      engine: { version: "1.2.0" },
      charges: { charged_credits: 200 },
    });
    expect(await settlements(world, firm)).toEqual(agreed);
    await expectSound(world.store);
  });

  test("if it is replaced in the same version before a retry", async () => {
    await using opened = await openConnectors(upstream.host);
    const { world } = opened;
    const firm = await world.firm();
    await opened.add(firm, accepted);
    upstream.answer = () => new Response("busy", { status: 503 });
    const { id } = await runIn(await world.start(firm, { slug, input }));
    await world.idle();
    await opened.add(firm, dear, { replace: true });
    upstream.answer = () => Response.json(good);
    await world.untilAfterPauses(async () => (await world.run(firm, id)).finished_at !== null, "it ends");
    expect(await settlements(world, firm)).toEqual(agreed);
    await expectSound(world.store);
  });

  test("and the registry's in a run that an earlier release accepted", async () => {
    await using opened = await openConnectors(upstream.host);
    const { world } = opened;
    const firm = await world.firm();
    await opened.add(firm, accepted);
    const { id, line } = await started(world, firm);
    const photograph = world.photograph();
    tamper(photograph, "update runs set steps_json = json_remove(steps_json, '$[0].provider')");
    line.resolve();
    await using restarted = await world.restart(photograph);
    await restarted.idle();
    expect((await restarted.run(firm, id)).status).toBe("succeeded");
    expect(await settlements(restarted, firm)).toEqual(agreed);
    await world.idle();
  });
});

describe("the limits of a connector that is replaced", () => {
  const limited = (total: number) => manifestText(`${engine}limits:\n  total: ${total}\n`);
  const statuses = async (world: World, firm: Firm, ids: readonly string[]) =>
    Promise.all(ids.map(async (id) => (await world.run(firm, id)).status));

  test("apply from the next request on when they are raised, to the runs that wait too", async () => {
    await using opened = await openConnectors(upstream.host);
    const { world } = opened;
    const firm = await world.firm();
    await opened.add(firm, limited(1));
    const { id, line } = await started(world, firm);
    const ids = [id];
    for (let i = 0; i < 3; i++) ids.push((await runIn(await world.start(firm, { slug, input }))).id);
    expect(await statuses(world, firm, ids)).toEqual(["running", "queued", "queued", "queued"]);
    await opened.add(firm, limited(3), { replace: true });
    await world.run(firm, id);
    await until(() => upstream.received.length === 3, "three work");
    expect(await statuses(world, firm, ids)).toEqual(["running", "running", "running", "queued"]);
    line.resolve();
    await world.idle();
    expect(new Set(await statuses(world, firm, ids))).toEqual(new Set(["succeeded"]));
    await expectSound(world.store);
  });

  test("apply from the next request on when they are lowered", async () => {
    await using opened = await openConnectors(upstream.host);
    const { world } = opened;
    const firm = await world.firm();
    await opened.add(firm, limited(3));
    await runIn(await world.start(firm, { slug, input }));
    await world.idle();
    await opened.add(firm, limited(1), { replace: true });
    const { id, line } = await started(world, firm);
    const next = await runIn(await world.start(firm, { slug, input }));
    expect(await statuses(world, firm, [id, next.id])).toEqual(["running", "queued"]);
    line.resolve();
    await world.idle();
    expect(await statuses(world, firm, [id, next.id])).toEqual(["succeeded", "succeeded"]);
    await expectSound(world.store);
  });
});
