import { describe, expect, test } from "bun:test";
import { present } from "../../../src/platform/assert.ts";
import { day } from "../../../src/platform/clock.ts";
import type { ReportOutput } from "../../../src/products/market-entry/report.ts";
import type { StructureOutput, TargetsOutput } from "../../../src/products/market-entry/schema.ts";
import type { Run } from "../../../src/runs/schema.ts";
import { type Firm, refusal, runIn, type World } from "../../support/harness.ts";
import { expectSound } from "../../support/invariants.ts";
import {
  nameMark,
  pack,
  packFirm,
  packInput,
  packServices,
  packWorld,
  restingPack,
  restingRun,
  universe,
} from "../../support/pack-world.ts";
import { sendDecision } from "../../support/shortlist.ts";

/**
 * Cost of the steps before the targets (markets, structure, validator), without the company, whose site is unavailable.
 */
const before = 4000 + 3000 + 10_000;
const report = 3000;

const stepOf = ({ steps }: Run, key: string) => steps.find((step) => step.key === key);
const targetsOf = (run: Run) => stepOf(run, "targets")?.result as TargetsOutput | null;
const reportOf = (run: Run) => stepOf(run, "report")?.result as ReportOutput;

/** Sends the approver's decision and returns the run after it. */
async function decided(world: World, firm: Firm, run: Run, body: object): Promise<Run> {
  const answer = await sendDecision(world, firm, run, body);
  expect(answer.status).toBe(200);
  return restingRun(world, firm, run.id);
}

const documentText = async (world: World, firm: Firm, { id }: Run, format: "md" | "html"): Promise<string> =>
  (await world.ask(`/v1/runs/${id}/document?format=${format}`, { as: firm.key })).text();

describe("the Market-Entry Pack", () => {
  test("is refused until an operator opens its commercial gate", async () => {
    await using world = await packWorld(packServices(), { closed: true });
    const firm = await packFirm(world);
    const refused = await world.start(firm, { useCase: pack, input: packInput });
    expect(await refusal(refused)).toEqual([409, "commercial_validation_required"]);
    await world.openGates(pack);
    expect((await world.start(firm, { useCase: pack, input: packInput })).status).toBe(202);
  });

  test("reserves 28,000 credits, and awaits approval of ten targets that match the ICP in its own words", async () => {
    await using world = await packWorld();
    const firm = await packFirm(world);
    const run = await restingPack(world, firm);
    expect(run).toMatchObject({
      status: "awaiting_approval",
      charges: { reserved_credits: 28_000, charged_credits: before },
    });
    const shown = await world.run(firm, run.id, firm.people.approver.token);
    expect(shown.approval?.items).toHaveLength(10);
    const found = targetsOf(shown);
    expect(found).toMatchObject({ wanted: 10, found: 10, searched: { rows: universe.length, outside: 5 } });
    for (const { name, reasons } of found?.targets ?? []) {
      expect(name).toStartWith(nameMark);
      for (const { words } of reasons)
        expect(packInput.target_adviser_icp.toLowerCase()).toContain(words.toLowerCase());
      expect(reasons.map(({ field }) => field)).toEqual(["sector", "land", "persons"]);
    }
    expect(new Set(found?.targets.map(({ name }) => name)).size).toBe(10);
    expect(found?.read_as).toEqual(["sector: broker", "place: DE-BY", "persons: 5 to 50", "not: bank"]);
  });

  test("shows the targets' names only to approvers, on every surface", async () => {
    await using world = await packWorld();
    const firm = await packFirm(world);
    const { id } = await restingPack(world, firm);
    for (const as of [firm.key, firm.people.member.token, firm.people.admin.token])
      for (const path of [`/v1/runs/${id}`, "/v1/runs"])
        expect(await (await world.ask(path, { as })).text()).not.toContain(nameMark);
    for (const { token } of [firm.people.owner, firm.people.approver])
      expect(await refusal(await world.ask(`/v1/runs/${id}/document`, { as: token }))).toEqual([
        409,
        "run_not_finished",
      ]);
    expect(world.logged.join("\n")).not.toContain(nameMark);
  });

  test("delivers everything once approved, and every section of the report names its step", async () => {
    await using world = await packWorld();
    const firm = await packFirm(world);
    const waiting = await restingPack(world, firm);
    const run = await decided(world, firm, waiting, { decision: "approve" });
    expect(run).toMatchObject({
      status: "succeeded",
      charges: { charged_credits: before + 7000 + report, released_credits: 1000 },
    });
    const { sections, withheld, markdown } = reportOf(run);
    expect(withheld).toEqual([]);
    const steps = new Set(sections.map(({ step }) => step));
    expect([...steps].sort()).toEqual(["company", "markets", "report", "structure", "targets", "validator"]);
    for (const letter of "ABCDEFGHIJ") expect(markdown).toContain(`${nameMark} ${letter}`);
    // Those to whom the proposition test does not apply.
    expect(markdown).toContain('No figure of the market describes "Cyclists who commute every day"');
    const page = await documentText(world, firm, run, "html");
    expect(page).toContain("<svg");
    expect(page).toContain(`${nameMark} A`);
    expect(await documentText(world, firm, run, "md")).toContain("## Limitations");
    await expectSound(world.store);
  });

  test("scores the candidates by weights that add up to 100, each with its figure and period", async () => {
    await using world = await packWorld();
    const firm = await packFirm(world);
    const structure = present(stepOf(await restingPack(world, firm), "structure"), "the step");
    const { scores } = structure.result as StructureOutput;
    expect(scores.map(({ country }) => country)).toEqual(["DE", "AT", "CZ"]);
    for (const { score, parts } of scores) {
      expect(parts.reduce((sum, { weight }) => sum + weight, 0)).toBe(100);
      expect(parts.reduce((sum, { points }) => sum + points, 0)).toBeCloseTo(score, 5);
      expect(parts.every(({ value, period }) => value !== null && /^20\d\d/.test(period))).toBe(true);
    }
  });

  test("compares the size of the best markets in one currency and year, even if one of them has others too", async () => {
    await using world = await packWorld();
    for (const candidate_markets of [
      ["DE", "AT"],
      ["PL", "HU"],
    ]) {
      const run = await restingPack(world, await packFirm(world), { ...packInput, candidate_markets });
      const { markets } = present(stepOf(run, "structure"), "the step").result as StructureOutput;
      const premiums = markets.map(({ size }) => size.find(({ indicator }) => indicator === "insurance_premiums"));
      expect(premiums.map((one) => [one?.unit, one?.period])).toEqual(Array(2).fill(["billion USD", "2022"]));
    }
  });

  test("shows the publisher's flags next to each label, and no total next to its parts in a chart", async () => {
    await using world = await packWorld();
    const firm = await packFirm(world);
    const waiting = await restingPack(world, firm, { ...packInput, candidate_markets: ["DE", "AT"] });
    const run = await decided(world, firm, waiting, { decision: "approve" });
    const tables = reportOf(run).sections.flatMap(({ heading, blocks }) =>
      heading.startsWith("Structure of") ? blocks : [],
    );
    const rows = tables.flatMap((block) => (block.kind === "table" ? block.rows : []));
    const labelOf = (figure: string) => rows.filter(([name]) => name === figure).map((cells) => cells.at(-1));
    expect(labelOf("Insurance premiums")).toEqual(["D e", "D e"]);
    expect(labelOf("Premiums of private health insurance")).toEqual(["B p"]);
    const [newest] = tables.flatMap((block) => (block.kind === "bars" ? [block.bars] : []));
    expect(newest?.map(({ label }) => label)).toEqual(["Tied agents", "Insurance brokers"]);
    expect(labelOf("Registered insurance intermediaries")).toEqual(["C"]);
  });

  test("calls no market the best if there is no figure for any", async () => {
    await using world = await packWorld();
    const firm = await packFirm(world);
    const run = await restingPack(world, firm, { ...packInput, candidate_markets: ["BR", "JP"] });
    expect(run).toMatchObject({ status: "succeeded", approval: null });
    expect(stepOf(run, "structure")?.result).toMatchObject({
      summary: expect.stringMatching(/^There are no figures for any/),
    });
    expect(reportOf(run).markdown).toContain("so none is the best");
    expect(reportOf(run).markdown).not.toContain("The best of the candidate");
  });

  test("delivers only the approved targets, charges their tenths, and states how many were rejected", async () => {
    await using world = await packWorld();
    const firm = await packFirm(world);
    const waiting = await restingPack(world, firm);
    const items = { approve: ["1", "3", "4", "5", "6", "7", "8"], reject: ["2", "9", "10"] };
    const run = await decided(world, firm, waiting, { decision: "approve", items });
    expect(stepOf(run, "targets")).toMatchObject({ status: "succeeded", charged_credits: 4900 });
    expect(run.charges).toMatchObject({ charged_credits: before + 4900 + report, released_credits: 3100 });
    expect(reportOf(run).withheld).toEqual([expect.stringContaining("3 of 10")]);
    for (const format of ["md", "html"] as const) {
      const text = await documentText(world, firm, run, format);
      for (const letter of "ACDEFGH") expect(text).toContain(`${nameMark} ${letter}`);
      for (const letter of "BIJKL") expect(text).not.toContain(`${nameMark} ${letter}`);
    }
    await expectSound(world.store);
  });

  test("cancelled before its report has a document of its data, without the report's text", async () => {
    await using world = await packWorld();
    const firm = await packFirm(world);
    const { id } = await restingPack(world, firm);
    expect((await world.ask(`/v1/runs/${id}/cancel`, { method: "POST", as: firm.key })).status).toBe(202);
    const run = await restingRun(world, firm, id);
    expect(run).toMatchObject({ status: "failed", charges: { charged_credits: before } });
    const text = await documentText(world, firm, run, "md");
    for (const words of ["How the candidate markets compare", "Structure of", "Sources of the structure"])
      expect(text).not.toContain(words);
    expect(text).toContain("| scores | ");
  });

  test("reports without the targets if they are rejected or the approval expires", async () => {
    await using world = await packWorld();
    const firm = await packFirm(world);
    const rejected = await decided(world, firm, await restingPack(world, firm), {
      decision: "reject",
      comment: "not now",
    });
    const other = await packFirm(world);
    const waiting = await restingPack(world, other);
    world.clock.advance(7 * day + 1);
    const expired = await restingRun(world, other, waiting.id);
    for (const [owner, run, why] of [
      [firm, rejected, "the approver rejected them"],
      [other, expired, "no one decided on them in time"],
    ] as const) {
      expect(run).toMatchObject({
        status: "succeeded",
        charges: { charged_credits: before + report, released_credits: 8000 },
      });
      expect(stepOf(run, "targets")).toMatchObject({ status: "withheld", result: null });
      expect(reportOf(run).withheld).toEqual([expect.stringContaining(why)]);
      for (const format of ["md", "html"] as const) {
        const text = await documentText(world, owner, run, format);
        expect(text).not.toContain(nameMark);
        expect(text).toContain("What was withheld");
        expect(text).toContain(why);
      }
    }
    expect(expired.approval).toMatchObject({ decision: "reject", decided_by: "expiry" });
    expect(await documentText(world, other, expired, "md")).toContain("Ten qualified targets: no one decided in time");
    await expectSound(world.store);
  });

  test("continues if the company's site can't be read, with a note, and does not charge for it", async () => {
    await using world = await packWorld();
    const firm = await packFirm(world);
    const run = await restingPack(world, firm);
    expect(stepOf(run, "company")).toMatchObject({
      status: "succeeded",
      charged_credits: 0,
      result: { company_name: null, notes: [expect.stringContaining("could not be read")] },
    });
  });

  test("releases the tenths of targets that are not found, and requires no approval if there are none", async () => {
    await using world = await packWorld(packServices(universe.slice(0, 4)));
    const firm = await packFirm(world);
    const few = await restingPack(world, firm);
    expect((await world.run(firm, few.id, firm.people.owner.token)).approval?.items).toHaveLength(4);
    const run = await decided(world, firm, few, { decision: "approve" });
    expect(stepOf(run, "targets")).toMatchObject({ charged_credits: 2800 });
    expect(reportOf(run).markdown).toContain("4 of 10 targets were found");
    await using empty = await packWorld(packServices([]));
    const tenant = await packFirm(empty);
    const none = await restingPack(empty, tenant);
    expect(none).toMatchObject({ status: "succeeded", approval: null, charges: { charged_credits: before + report } });
    expect(targetsOf(none)).toMatchObject({ found: 0, targets: [] });
    expect(reportOf(none).markdown).toContain("No universe of firms is imported for Germany");
    await expectSound(empty.store);
  });

  test("responds to late, double and contradictory decisions like any run", async () => {
    await using world = await packWorld();
    const firm = await packFirm(world);
    const run = await restingPack(world, firm);
    const both = { decision: "approve", items: { approve: ["1"], reject: ["1"] } };
    expect((await sendDecision(world, firm, run, both)).status).toBe(422);
    const byKey = await world.ask(`/v1/runs/${run.id}/approval`, { as: firm.key, body: { decision: "approve" } });
    expect(byKey.status).toBe(401);
    await decided(world, firm, run, { decision: "reject" });
    expect(await refusal(await sendDecision(world, firm, run, { decision: "approve" }))).toEqual([
      409,
      "approval_already_decided",
    ]);
  });

  test("keeps the original selection, whatever is imported before the decision", async () => {
    const services = packServices();
    await using world = await packWorld(services);
    const firm = await packFirm(world);
    const waiting = await restingPack(world, firm);
    const before = targetsOf(await world.run(firm, waiting.id, firm.people.owner.token));
    await using later = await world.reopen(0, { services: await packServices(universe.slice(12)) });
    const run = await decided(later, firm, waiting, { decision: "approve" });
    expect(targetsOf(run)).toEqual(before);
  });

  test("can be cancelled while awaiting approval: earlier charges stay, the rest is released", async () => {
    await using world = await packWorld();
    const firm = await packFirm(world);
    const { id } = await restingPack(world, firm);
    const answer = await world.ask(`/v1/runs/${id}/cancel`, { as: firm.key, method: "POST" });
    expect([answer.status, (await runIn(answer)).status]).toEqual([202, "failed"]);
    expect((await documentText(world, firm, await world.run(firm, id), "md")).includes(nameMark)).toBe(false);
    await expectSound(world.store);
  });
});
