import { afterAll, describe, expect, test } from "bun:test";
import { httpsEngine, manifestText, openConnectors, startUpstream } from "../support/connectors-world.ts";
import { runIn, until } from "../support/harness.ts";
import { expectSound } from "../support/invariants.ts";

const good = { result: { queue: "person", reason: "The sum is high." } };
const upstream = startUpstream(() => Response.json(good));
afterAll(() => upstream.stop());
const engine = httpsEngine(upstream.host);
const slug = "claims-triage";
const input = { claim: "Glass breakage" };

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
    upstream.answer = () => new Response("busy", { status: 503 });
    const { id } = await runIn(await world.start(firm, { slug, input }));
    await world.idle();
    await opened.remove(firm);
    for (let run = await world.run(firm, id); run.finished_at === null; run = await world.run(firm, id)) {
      world.clock.advance(1_000);
      await world.idle();
    }
    expect(await world.run(firm, id)).toMatchObject({
      status: "failed",
      status_reason: { code: "capability_removed" },
      charges: { charged_credits: 0 },
    });
    await expectSound(world.store);
  });

  test("removed while a run is queued refuses that run", async () => {
    await using opened = await openConnectors(upstream.host);
    const { world } = opened;
    const firm = await world.firm();
    await opened.add(firm, manifestText(`${engine}\nlimits:\n  total: 1\n`));
    const line = Promise.withResolvers<void>();
    upstream.received.length = 0;
    upstream.answer = () => line.promise.then(() => Response.json(good));
    await runIn(await world.start(firm, { slug, input }));
    await until(() => upstream.received.length === 1, "the first one works");
    const { id } = await runIn(await world.start(firm, { slug, input }));
    await opened.remove(firm);
    line.resolve();
    await world.idle();
    expect(await world.run(firm, id)).toMatchObject({
      status: "refused",
      status_reason: { code: "capability_removed" },
      charges: { charged_credits: 0 },
    });
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
});
