import { expect, test } from "bun:test";
import fc from "fast-check";
import type { EngineContext } from "../../src/contracts/engine.ts";
import { distributionIntelligenceEngine } from "../../src/products/capabilities/distribution-intelligence/engine.ts";
import type { GroupAggregate } from "../../src/products/capabilities/distribution-intelligence/schema.ts";
import {
  smallestGroup,
  withheldGroups,
} from "../../src/products/capabilities/distribution-intelligence/suppression.ts";
import { capabilities } from "../../src/products/capabilities/index.ts";
import { useCases } from "../../src/products/use-cases/manifests.ts";
import { DatasetWorld, fileWith } from "../support/datasets.ts";
import { refusal, World } from "../support/harness.ts";

const head =
  "dataset,reference_date,region_nuts3,type,legal_form,expertise_group,count,contracts,premium_czk,label,source_url";
type Cell = readonly [region: string, type: string, form: string, count: number];

async function asking(cells: readonly Cell[]) {
  const world = await DatasetWorld.open();
  const rows = cells.map(
    ([region, type, form, count], i) =>
      `reg,2026-01-01,${region},${type},${form},g${i},${count},${count * 3 + i},${count * 1000},A,`,
  );
  await world.import("distribution", [[fileWith("r.csv", `${head}\n${rows.join("\n")}\n`), "publisher: CNB\n"]]);
  const engine = distributionIntelligenceEngine(world.datasets);
  const context = { now: () => new Date("2026-11-22") } as EngineContext;
  return {
    world,
    ask: async (question: string, dataset = "reg") => (await engine.run({ question, dataset }, context)).result,
  };
}

const shown = (all: readonly GroupAggregate[]) => all.map(({ group, value, suppressed }) => [group, value, suppressed]);

test("a group under five is withheld, and another one with it, in every figure", async () => {
  const { world, ask } = await asking([
    ["CZ010", "SZ", "legal", 2],
    ["CZ020", "SZ", "legal", 9],
    ["CZ031", "VZ", "natural", 40],
  ]);
  await using _ = world;
  const counts = await ask("How many intermediaries by region?");
  expect(shown(counts.aggregates)).toEqual([
    [null, 51, false],
    ["CZ010", null, true],
    ["CZ020", null, true],
    ["CZ031", 40, false],
  ]);
  expect(
    shown((await ask("Contracts by region")).aggregates)
      .slice(1)
      .map(([group, , suppressed]) => [group, suppressed]),
  ).toEqual([
    ["CZ010", true],
    ["CZ020", true],
    ["CZ031", false],
  ]);
  expect(counts.summary).toContain("CZ010, CZ020");
  expect(counts.summary).not.toMatch(/\b(2|9|11)\b/);
  expect((await ask("Kolik zprostředkovatelů podle kraje a typu?")).summary).toContain("jednoho hlediska");
});

test("a question about one group returns all groups of its dimension, small ones withheld", async () => {
  const { world, ask } = await asking([
    ["CZ010", "SZ", "legal", 2],
    ["CZ020", "SZ", "legal", 9],
    ["CZ031", "VZ", "natural", 40],
  ]);
  await using _ = world;
  const named = [null, 51, false];
  const regions = [named, ["CZ010", null, true], ["CZ020", null, true], ["CZ031", 40, false]];
  expect(shown((await ask("How many intermediaries are there in CZ031?")).aggregates)).toEqual(regions);
  expect(shown((await ask("Kolik zprostředkovatelů je v cz010?")).aggregates)).toEqual(regions);
  const types = shown((await ask("How many VZ intermediaries?")).aggregates);
  expect(types).toEqual([named, ["SZ", 11, false], ["VZ", 40, false]]);
  expect(shown((await ask("How many intermediaries are there?")).aggregates)).toEqual([named]);
});

test("groups of unknown size are never shown", async () => {
  const { world, ask } = await asking([
    ["CZ010", "SZ", "legal", 2],
    ["CZ020", "SZ", "legal", 2],
  ]);
  await using _ = world;
  expect(shown((await ask("intermediaries by region")).aggregates)).toEqual([[null, null, true]]);
});

test("a group that was never counted, or is counted by another file, has an unknown size", async () => {
  await using world = await DatasetWorld.open();
  const row = (region: string, count: string) => `reg,2026-01-01,${region},SZ,legal,life,${count},7,9,A,`;
  const import1 = (name: string, rows: string[]) =>
    world.import(
      "distribution",
      [[fileWith(`${name}.csv`, `${head}\n${rows.join("\n")}\n`), `name: ${name}\npublisher: CNB\n`]],
      {
        acceptRefused: true,
      },
    );
  await import1("one", [row("CZ010", "50"), row("CZ020", "many"), row("CZ031", "60")]);
  const engine = distributionIntelligenceEngine(world.datasets);
  const ask = async () => {
    const context = { now: () => new Date("2026-11-22") } as EngineContext;
    return (await engine.run({ question: "contracts by region", dataset: "reg" }, context)).result;
  };
  expect(shown((await ask()).aggregates)).toEqual([[null, null, true]]);
  await import1("two", [row("CZ041", "3"), row("CZ042", "70")]);
  expect((await ask()).aggregates.filter(({ group, suppressed }) => group === "CZ041" && !suppressed)).toEqual([]);
});

test("a register by region alone is suppressed like one with groups", async () => {
  await using world = await DatasetWorld.open();
  const said =
    "name: plain\npublisher: CNB\nplace: {column: region}\nplaces: any\nperiod: {column: year}\nvalues: [{column: n, indicator: intermediaries, unit: number}, {column: k, indicator: contracts, unit: number}, {column: b, indicator: brokers, unit: number}]\n";
  const rows = ["CZ;2025;1000;9000;70", "CZ0;2025;940;8000;60", "CZ01;2025;500;4000;40", "CZ010;2025;500;4000;40"];
  const more = ["CZ020;2025;2;21;1", "CZ031;2025;38;79;6", "CZ032;2025;400;3900;3", "Praha-venkov;2025;60;600;8"];
  await world.import("distribution", [
    [fileWith("r.csv", `region;year;n;k;b\n${[...rows, ...more].join("\n")}\n`), said],
  ]);
  const engine = distributionIntelligenceEngine(world.datasets);
  const context = { now: () => new Date("2026-11-22") } as EngineContext;
  const ask = async (question: string) =>
    shown((await engine.run({ question, dataset: "plain" }, context)).result.aggregates);
  // The country's own figure, the sum of the smallest regions, and each of them; CZ032 has three brokers.
  expect(await ask("intermediaries by region")).toEqual([
    [null, 1000, false],
    [null, 1000, false],
    ["CZ010", 500, false],
    ["CZ020", null, true],
    ["CZ031", null, true],
    ["CZ032", null, true],
    ["Praha-venkov", 60, false],
  ]);
  for (const [question, all] of [
    ["contracts by region", 9000],
    ["brokers by region", 70],
  ] as const) {
    const found = await ask(question);
    expect(found.filter(([, , suppressed]) => suppressed)).toEqual([
      ["CZ020", null, true],
      ["CZ031", null, true],
      ["CZ032", null, true],
    ]);
    expect(found[0]).toEqual([null, all, false]);
  }
  expect(await ask("contracts")).toEqual([
    [null, 9000, false],
    [null, 8600, false],
  ]);
});

test("a count that is too small is withheld for a whole country too, but a figure that only some regions have is kept", async () => {
  const { world, ask } = await asking([
    ["CZ", "foreign", "legal", 12],
    ["CZ010", "SZ", "legal", 30],
    ["CZ020", "SZ", "legal", 20],
  ]);
  await using _ = world;
  expect(shown((await ask("intermediaries by type")).aggregates)).toEqual([
    [null, 62, false],
    ["foreign", 12, false],
    ["SZ", 50, false],
  ]);
  const said =
    "name: few\npublisher: CNB\nplace: {fixed: CZ}\nperiod: {column: year}\nvalues: [{column: n, indicator: intermediaries, unit: number}, {column: k, indicator: contracts, unit: number}]\n";
  await world.import("distribution", [[fileWith("f.csv", "year;n;k\n2025;3;21\n"), said]]);
  for (const question of ["intermediaries", "contracts"])
    expect(shown((await ask(question, "few")).aggregates)).toEqual([[null, null, true]]);
});

test("the starter's public figures are returned with source and label, and an unknown dataset with the known ones", async () => {
  const { world, ask } = await asking([["CZ010", "SZ", "legal", 20]]);
  await using _ = world;
  const { summary, aggregates, result_reference } = await ask(
    "Kolik smluv bylo zprostředkováno v roce 2021?",
    "cz_zfs_2021",
  );
  expect(aggregates.find(({ indicator }) => indicator === "contracts")).toMatchObject({
    value: 4_806_552,
    period: "2021",
    reliability: "A",
    source: { publisher: "Czech National Bank" },
  });
  expect([summary.includes("4 806 552".replaceAll(" ", "\u00a0")), result_reference]).toEqual([
    true,
    "distribution/1/cz_zfs_2021",
  ]);
  expect((await ask("How many brokers by region?", "de_register")).summary).toContain("has no groups");
  const since = async (year: number) =>
    (await ask(`How did intermediaries change since ${year}?`, "de_register")).summary;
  expect([(await since(2011)).includes("no figure for the period"), (await since(2015)).includes("240,297")]).toEqual([
    true,
    true,
  ]);
  expect(await since(2015)).not.toContain("no figure for the period");
  expect((await ask("Who is the best broker? Contact, please.", "de_register")).summary).toContain("No persons");
  expect((await ask("weather", "cz_market")).summary).toContain("It holds");
  await expect(ask("contracts", "nope")).rejects.toThrow(/cz_zfs_2021/);
});

test("the answer is in the question's language", async () => {
  const { world, ask } = await asking([["CZ010", "SZ", "legal", 20]]);
  await using _ = world;
  for (const [question, said] of [
    ["How many intermediaries are there in all?", "in all 20"],
    ["Kolik je celkem zprostředkovatelů pojištění?", "celkem 20"],
    ["Koľko je spolu sprostredkovateľov poistenia?", "spolu 20"],
    ["Wie viele Vermittler gibt es insgesamt?", "insgesamt 20"],
    ["Ako sa darí počasiu a aká bude zima?", "Táto sada takú hodnotu neobsahuje."],
    ["Wie wird das Wetter in dieser Woche?", "Dieser Datensatz enthält keine solche Angabe."],
  ] as const)
    expect([question, (await ask(question)).summary.includes(said)]).toEqual([question, true]);
});

/** Returns the range of a withheld group, given the total, the figures shown and the rule for withholding. */
function possible(withheld: number, rest: number): [number, number] {
  // Each of the others is at least one.
  return [1, rest - (withheld - 1)];
}

test("the total less the figures shown never reveals a withheld group", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 30 }), { minLength: 1, maxLength: 8 }), (counts) => {
      const groups = new Map(counts.map((count, i) => [`g${i}`, count]));
      const withheld = withheldGroups(groups);
      if (withheld === null) return;
      for (const [group, count] of groups)
        if (count > 0 && count < smallestGroup) expect(withheld.has(group)).toBe(true);
      if (withheld.size === 0) return;
      const rest = [...groups].reduce((sum, [group, count]) => sum + (withheld.has(group) ? count : 0), 0);
      const [least, most] = possible(withheld.size, rest);
      expect(withheld.size).toBeGreaterThan(1);
      expect(most - least).toBeGreaterThanOrEqual(smallestGroup - 1);
    }),
    { numRuns: 2000 },
  );
});

test("no combination of answers over every dimension reveals a small group", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(
        fc.tuple(
          fc.constantFrom("CZ010", "CZ020", "CZ031"),
          fc.constantFrom("SZ", "VZ", "DPZ"),
          fc.constantFrom("legal", "natural"),
          fc.integer({ min: 1, max: 12 }),
        ),
        {
          minLength: 1,
          maxLength: 12,
          selector: ([region, type, form]) => `${region} ${type} ${form}`,
        },
      ),
      async (cells) => {
        const { world, ask } = await asking(cells);
        await using _ = world;
        for (const [at, words] of [
          [0, "by region"],
          [1, "by type"],
          [2, "by legal form"],
        ] as const) {
          const { aggregates } = await ask(`intermediaries ${words}`);
          const total = aggregates.find(({ group }) => group === null)?.value ?? null;
          const own = Map.groupBy(cells, (cell) => String(cell[at]));
          const hidden = aggregates.filter(({ group, suppressed }) => group !== null && suppressed);
          for (const { group, value } of aggregates)
            if (group !== null && value !== null) {
              expect(value).toBe(own.get(group)?.reduce((sum, [, , , count]) => sum + count, 0) ?? -1);
              expect(value).toBeGreaterThanOrEqual(smallestGroup);
            }
          const known = aggregates.reduce((sum, { group, value }) => sum + (group === null ? 0 : (value ?? 0)), 0);
          if (total !== null && hidden.length > 0) {
            expect(hidden.length).toBeGreaterThan(1);
            expect(total - known - (hidden.length - 1)).toBeGreaterThanOrEqual(smallestGroup);
          }
        }
      },
    ),
    { numRuns: 15 },
  );
}, 600_000);

const input = { question: "How many contracts were mediated?", dataset: "cz_zfs_2021" };

test("it requires a verified workspace and a contract, and costs no credits", async () => {
  await using world = await World.open(undefined, { capabilities, useCases });
  await world.openGates("distribution-intelligence");
  const slug = "distribution-intelligence";
  const stranger = await world.firm();
  expect(await refusal(await world.start(stranger, { slug, input }))).toEqual([403, "missing_scope"]);
  const half = await world.firm({ entitlements: ["distribution:read"] });
  expect(await refusal(await world.start(half, { slug, input }))).toEqual([403, "missing_scope"]);
  const firm = await world.firm({ entitlements: ["distribution:read", "verified_workspace"] });
  const run = await world.settled(firm, { slug, input });
  expect([run.status, run.charges.charged_credits]).toEqual(["succeeded", 0]);
  expect(JSON.stringify(run.result)).toContain("4806552");
});
