import { expect, test } from "bun:test";
import type { EngineContext } from "../../src/contracts/engine.ts";
import { distributionIntelligenceEngine } from "../../src/products/capabilities/distribution-intelligence/engine.ts";
import { DatasetWorld } from "../support/datasets.ts";

type Scenario = readonly [dataset: string, question: string, figures: readonly string[], begins: string];

/**
 * Asks every question and compares `code period value` of each figure and the start of the summary, where the remarks
 * are.
 */
async function expectAll(scenarios: readonly Scenario[]): Promise<void> {
  await using world = await DatasetWorld.open();
  const engine = distributionIntelligenceEngine(world.datasets);
  const context = { now: () => new Date("2026-11-22") } as EngineContext;
  for (const [dataset, question, figures, begins] of scenarios) {
    const { result } = await engine.run({ question, dataset }, context);
    const found = result.aggregates.map(({ indicator, period, value }) => `${indicator} ${period} ${value}`);
    const said = result.summary.startsWith(begins) ? begins : result.summary;
    expect({ question, found, said }).toEqual({ question, found: [...figures], said: begins });
  }
}

const [number, volume] = ["credit_contracts 2021 321383", "credit_volume 2021 412751001333"];

test("distinguishes the number, the volume, or both, in any word order", () =>
  expectAll([
    ["cz_zfs_2021", "Wie hoch ist das Volumen der Verbraucherkredite?", [volume], "Volume"],
    ["cz_zfs_2021", "Gesamtvolumen der Kredite", [volume], "Volume"],
    ["cz_zfs_2021", "consumer credit volume", [volume], "Volume"],
    ["cz_zfs_2021", "Kolik činil objem úvěrů?", [volume], "Volume"],
    [
      "cz_zfs_2021",
      "consumer credit volume in EUR",
      [volume],
      "Sums, shares, ratios, averages, differences and conversions",
    ],
    ["cz_zfs_2021", "Kolik úvěrů bylo zprostředkováno a v jakém objemu?", [number, volume], "Consumer"],
    ["cz_zfs_2021", "Koľko úverov bolo sprostredkovaných a v akom objeme?", [number, volume], "Consumer"],
    ["cz_zfs_2021", "Wie viele Kredite wurden vermittelt und in welchem Umfang?", [number, volume], "Consumer"],
    ["cz_zfs_2021", "How many loans were mediated and for how much?", [number, volume], "Consumer"],
    ["cz_zfs_2021", "number and volume of loans", [number, volume], "Consumer"],
    ["cz_zfs_2021", "volume and number of loans", [number, volume], "Consumer"],
    ["cz_zfs_2021", "počet a objem úvěrů", [number, volume], "Consumer"],
    ["cz_zfs_2021", "Wie viele Verbraucherkredite gibt es?", [number], "Consumer"],
    ["cz_zfs_2021", "počet smluv a objem úvěrů", ["contracts 2021 4806552", volume], "Insurance contracts"],
  ]));

test("quotes a measure that the figure is not", () =>
  expectAll([
    ["cz_zfs_2021", "objem smluv", ["contracts 2021 4806552"], "Not understood, and not taken into account: “objem”."],
    ["cz_zfs_2021", "number of premiums", ["premium 2021 34741994242"], "Not understood, and not taken into account:"],
    ["cz_zfs_2021", "Wie viele Verträge wurden vermittelt?", ["contracts 2021 4806552"], "Insurance contracts"],
  ]));

test("distinguishes contracts of different kinds", () => {
  const pensions = "pension_contracts 2021 246411";
  const contributions = "pension_contributions 2021 2330340255";
  return expectAll([
    ["cz_zfs_2021", "počet smluv doplňkového penzijního spoření", [pensions], "Supplementary"],
    ["cz_zfs_2021", "počet zmlúv doplnkového dôchodkového sporenia", [pensions], "Supplementary"],
    ["cz_zfs_2021", "Příspěvky doplňkového penzijního spoření", [contributions], "Contributions"],
    ["cz_zfs_2021", "smlouvy penzijního spoření a příspěvky", [pensions, contributions], "Supplementary"],
    ["cz_zfs_2021", "počet smluv o úvěru", [number], "Consumer"],
    [
      "cz_zfs_2021",
      "počet pojistných smluv a smluv penzijního spoření",
      ["contracts 2021 4806552", pensions],
      "Insurance contracts",
    ],
  ]);
});

test("shows only figures in the requested currency", () =>
  expectAll([
    ["cz_market", "Gross written premiums in CZK", ["premiums_czk 2006 122"], "Market premiums"],
    ["cz_market", "předepsané pojistné v eurech", ["premiums 2023-Q1 2.3"], "Gross written"],
    ["cz_market", "premiums in EUR and CZK", ["premiums 2023-Q1 2.3", "premiums_czk 2006 122"], "Gross written"],
    ["cz_market", "premiums in USD", ["premiums 2023-Q1 2.3", "premiums_czk 2006 122"], "Sums, shares, ratios"],
  ]));

test("shows the first and last figure of a span, and names an end without one", () => {
  const life = "Premiums of life insurance, pension funds included";
  const shown = `${life}, million EUR: in all 87,340 (2012); in all 90,763 (2016). ${life}: no figure for 2010.`;
  return expectAll([
    ["de_premiums", "life premiums 2010 to 2016", ["life 2012 87340", "life 2016 90763"], shown],
    ["de_premiums", "life premiums growth in 2016", ["life 2015 92659", "life 2016 90763"], life],
    ["de_register", "brokers between 2012 and 2014", [], "Insurance brokers: no figure for the period asked for."],
    [
      "cz_zfs_2021",
      "growth of contracts",
      ["contracts 2021 4806552"],
      "Insurance contracts mediated by independent intermediaries, number: in all 4,806,552 (2021). Insurance contracts mediated by independent intermediaries: no earlier figure is held to count a change from.",
    ],
  ]);
});
