import { describe, expect, test } from "bun:test";
import { capabilities } from "../../../src/products/capabilities/index.ts";
import { stepEngines } from "../../../src/products/capabilities/steps.ts";
import { useCases } from "../../../src/products/use-cases/manifests.ts";
import { refusal, runIn } from "../../support/harness.ts";
import { expectSound } from "../../support/invariants.ts";
import { callTool, toolsOf } from "../../support/mcp-world.ts";
import { browserIn } from "../../support/operator-browser.ts";
import {
  nameMark,
  pack,
  packFirm,
  packInput,
  packServices,
  packWorld,
  restingPack,
  restingRun,
} from "../../support/pack-world.ts";
import { sendDecision } from "../../support/shortlist.ts";

/** Tests the pack over MCP, in a browser's session, with a removed person, and at a price changed since the quote. */

describe("the pack over MCP", () => {
  test("is started and polled, names no one, and can't be decided", async () => {
    await using world = await packWorld();
    const firm = await packFirm(world);
    const started = await callTool(world, firm.key, "run_use_case", { slug: pack, input: packInput });
    expect(started.isError).toBe(false);
    const id = String(started.value.run_id ?? started.value.id);
    const waiting = await restingRun(world, firm, id);
    expect(waiting.status).toBe("awaiting_approval");
    const followed = await callTool(world, firm.key, "get_run", { run_id: id });
    expect(followed.value).toMatchObject({ status: "awaiting_approval" });
    expect(JSON.stringify([started, followed])).not.toContain(nameMark);
    const names = (await toolsOf(world, firm.key)).map(({ name }) => name);
    expect(names.filter((name) => /approv|decide|reject/.test(name))).toEqual([]);
    const items = { approve: ["1"], reject: ["2", "3", "4", "5", "6", "7", "8", "9", "10"] };
    await sendDecision(world, firm, waiting, { decision: "approve", items });
    await restingRun(world, firm, id);
    const ended = JSON.stringify(await callTool(world, firm.key, "get_run", { run_id: id }));
    expect(ended).toContain(`${nameMark} A`);
    for (const letter of "BCDEFGHIJKL") expect(ended).not.toContain(`${nameMark} ${letter}`);
  });
});

describe("the pack in a browser's session", () => {
  test("is started by a member, shown to the approver only, and decided by the approver on one of our pages", async () => {
    await using world = await packWorld();
    const firm = await packFirm(world);
    const [member, approver] = [await browserIn(world, firm, "member"), await browserIn(world, firm, "approver")];
    const sent = { body: { input: packInput }, headers: { "x-assay-surface": "web" } };
    const started = await member.ask(`/v1/use-cases/${pack}/runs`, sent);
    expect(started.status).toBe(202);
    const waiting = await restingRun(world, firm, (await runIn(started)).id);
    expect(waiting).toMatchObject({ status: "awaiting_approval", surface: "web" });
    const [path, decide] = [`/v1/runs/${waiting.id}`, `/v1/runs/${waiting.id}/approval`];
    expect(await (await member.ask(path)).text()).not.toContain(nameMark);
    expect((await runIn(await approver.ask(path))).approval?.items).toHaveLength(10);

    const items = { approve: ["1"], reject: ["2", "3", "4", "5", "6", "7", "8", "9", "10"] };
    const body = { decision: "approve", comment: "the first alone", items };
    expect(await refusal(await member.ask(decide, { body }))).toEqual([403, "missing_scope"]);
    const elsewhere = { origin: "https://elsewhere.test", "sec-fetch-site": "cross-site" };
    expect((await approver.ask(decide, { body, headers: elsewhere })).status).toBe(401);
    expect((await world.run(firm, waiting.id)).approval?.decided_at).toBeNull();

    expect((await approver.ask(decide, { body })).status).toBe(200);
    const ended = await restingRun(world, firm, waiting.id);
    expect(ended).toMatchObject({
      status: "succeeded",
      approval: { decision: "approve", decided_by: firm.people.approver.id, comment: "the first alone" },
    });
    const document = await (await member.ask(`${path}/document?lang=en`)).text();
    expect(document).toMatch(/: approved, by approver@\S+, on /);
    expect(document).not.toContain(`by ${firm.people.approver.id}`);
    const seen = await (await member.ask(path)).text();
    expect(seen).toContain(`${nameMark} A`);
    for (const letter of "BCDEFGHIJKL") expect(seen).not.toContain(`${nameMark} ${letter}`);
    expect(await refusal(await approver.ask(decide, { body }))).toEqual([409, "approval_already_decided"]);
    await expectSound(world.store);
  });
});

test("an approver removed while the targets were pending can't decide, nor can a key, an admin or a member", async () => {
  await using world = await packWorld();
  const firm = await packFirm(world);
  const waiting = await restingPack(world, firm);
  const send = async (as: string) => refusal(await sendDecision(world, firm, waiting, { decision: "approve" }, as));
  expect(await send(firm.key)).toEqual([401, "invalid_api_key"]);
  for (const role of ["admin", "member"] as const)
    expect(await send(firm.people[role].token)).toEqual([403, "missing_scope"]);
  await world.store.write((tx) =>
    tx.deleteFrom("members").where("firm_id", "=", firm.id).where("user_id", "=", firm.people.approver.id).execute(),
  );
  expect((await send(firm.people.approver.token))[0]).toBeOneOf([401, 403]);
  expect((await world.run(firm, waiting.id)).charges).toEqual(waiting.charges);
});

test("a price that has changed since the quote refuses the run, and nothing is reserved", async () => {
  const services = await packServices();
  await using world = await packWorld(services);
  const firm = await packFirm(world);
  const quote = (await (await world.ask(`/v1/use-cases/${pack}/quote`, { body: { input: packInput } })).json()) as {
    id: string;
  };
  const dearer = useCases.map((one) =>
    one.slug === pack
      ? { ...one, steps: one.steps.map((step) => ({ ...step, maximum_credits: step.maximum_credits + 1 })) }
      : one,
  );
  await using later = await world.reopen(0, { capabilities, useCases: dearer, stepEngines, services });
  const run = await later.start(firm, { useCase: pack, input: packInput, with: { quote_id: quote.id } });
  const [status, code] = await refusal(run);
  expect([status, code]).toEqual([409, "quote_invalid"]);
  expect(await later.count("transfers")).toBe(1);
  expect(await later.count("runs")).toBe(0);
});
