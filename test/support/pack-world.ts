import type { Entity } from "../../db/datasets.ts";
import { datasetInMemory } from "../../db/sqlite/dataset-file.ts";
import { migrate } from "../../db/sqlite/migrate.ts";
import type { AppOptions } from "../../src/app.ts";
import type { Outbound } from "../../src/integrations/outbound/types.ts";
import { capabilities } from "../../src/products/capabilities/index.ts";
import { stepEngines } from "../../src/products/capabilities/steps.ts";
import { useCases } from "../../src/products/use-cases/manifests.ts";
import type { Run } from "../../src/runs/schema.ts";
import { starterVersion } from "./datasets.ts";
import { type Firm, World } from "./harness.ts";
import { scratchStore, testServices } from "./services.ts";

/** The Market-Entry Pack as sold, with a universe of fictitious firms. */

export const pack = "european-market-entry-pack";

/** A word in the name of every matching firm, and nowhere else. */
export const nameMark = "SYNTHETIC Zwirnberg";

const row = (key: string, fields: Entity["fields"], line: number): Entity => ({
  ...{ key, line },
  fields: { land: "DE-BY", city: "München", reliability: "D", tier: "A", source: "test register", ...fields },
});

/**
 * Twelve matching brokers in Bavaria, and rows that do not match: too small, elsewhere, a bank, nameless, a duplicate.
 */
export const universe: readonly Entity[] = [
  ...Array.from({ length: 12 }, (_, i) =>
    row(
      `fit-${String(i).padStart(2, "0")}`,
      { name: `${nameMark} ${"ABCDEFGHIJKL"[i]}`, sector: "broker", persons: 6 + i },
      i + 2,
    ),
  ),
  row("small", { name: "SYNTHETIC Kleinmakler", sector: "broker", persons: 2 }, 20),
  row("north", { name: "SYNTHETIC Nordmakler", sector: "broker", persons: 9, land: "DE-SH", city: "Kiel" }, 21),
  row("bank", { name: "SYNTHETIC Bankhaus", sector: "bank", persons: 9 }, 22),
  row("unsaid", { name: "SYNTHETIC Ohnezahl", sector: "broker", persons: null }, 23),
  row("nameless", { name: null, sector: "broker", persons: 9 }, 24),
  row("double", { name: `${nameMark} A`, sector: "broker", persons: 6 }, 25),
];

const universeTable = (rows: readonly Entity[]) =>
  datasetInMemory(
    {
      ...{ name: "universe", title: "Universe", publisher: "Test", code: null, licence: null, url: null },
      ...{ retrieved: "2026-11-01", reliability: "D", note: null },
    },
    (draft) => {
      for (const entity of rows) draft.entity(entity);
    },
  );

/** Returns the services of an installation with the starter data and, if there are rows, a universe. */
export async function packServices(
  rows: readonly Entity[] = universe,
  outbound?: Outbound,
  store = scratchStore(),
): Promise<AppOptions["services"]> {
  const tables = rows.length === 0 ? [] : [universeTable(rows)];
  const datasets = {
    current: async (dataset: string) =>
      dataset === "germany" ? { dataset, number: tables.length, tables } : starterVersion(dataset),
  };
  await migrate(store);
  return testServices({ datasets, ...(outbound && { outbound }) }, store);
}

/** The pack's input; its ICP matches twelve rows. */
export const packInput = {
  company_url: "http://www.firm.cz/",
  product_category: "Cycling insurance",
  target_adviser_icp: "Insurance brokers in Bavaria with 5 to 50 employees, no banks",
  candidate_markets: ["DE", "CZ", "AT"],
  value_proposition:
    "Cyclists who commute every day are afraid of theft. We offer theft cover in an app for 4 EUR a month, and a pilot with 300 riders renewed it.",
};

/** Opens an app with the whole catalogue; the pack's gates are open unless `closed`. */
export async function packWorld(
  services: AppOptions["services"] | Promise<AppOptions["services"]> = packServices(),
  { closed = false, onCommit }: { closed?: boolean; onCommit?: (world: () => World) => void } = {},
): Promise<World> {
  const world = await World.open(onCommit, { capabilities, useCases, stepEngines, services: await services });
  await world.openGates("company-intelligence", "eu-market-data", "market-validator", ...(closed ? [] : [pack]));
  return world;
}

export const packFirm = (world: World): Promise<Firm> => world.firm({ credits: 30_000 });

/** Polls a run until it waits for a person or is terminal, advancing the clock for retries. */
export async function restingRun(world: World, firm: Firm, id: string): Promise<Run> {
  for (;;) {
    await world.idle();
    const run = await world.run(firm, id);
    if (run.status !== "queued" && run.status !== "running") return run;
    world.clock.advance(1_000);
  }
}

/** Starts a run of the pack and polls it until it waits for a person or is terminal. */
export async function restingPack(world: World, firm: Firm, input: object = packInput): Promise<Run> {
  const { id } = await world.accepted(firm, { useCase: pack, input });
  return restingRun(world, firm, id);
}
