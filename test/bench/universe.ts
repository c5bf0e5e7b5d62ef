import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TableFacts } from "../../db/datasets.ts";
import { draftDatasetFile, openDatasetFile } from "../../db/sqlite/dataset-file.ts";
import { systemRuntime } from "../../src/platform/runtime.ts";
import { candidateFieldNames } from "../../src/products/germany/fields.ts";
import { germanyForms } from "../../src/products/germany/forms.ts";
import { createGermany } from "../../src/products/germany/service.ts";

/** Searches of the universe: two filters, with and without words, from the start and at offset 20,000. */

const cities = ["Köln", "München", "Stuttgart", "Hannover", "Dresden", "Berlin", "Lübeck", "Mainz"];
const sectors = ["tied_agent", "tied_agent", "tied_agent", "broker", "broker", "agent", "adviser"];
const tiers = ["A", "B", "B", "C", "C", "C", "C"];
const names = ["Müsterlin", "Öhlbach", "Weißtann", "Rotsee", "Kieferhain", "Sandfurt"];
const pick = (list: readonly string[], n: number): string => list[n % list.length] ?? "";

const facts: TableFacts = {
  ...{ name: "universe", title: "Bench", publisher: "Bench", code: null, licence: null, url: null },
  ...{ retrieved: "2026-01-01", reliability: "D", note: null },
};

/** Imports rows of a fictitious universe as an import does. Returns the time taken in milliseconds. */
function write(file: string, rows: number): number {
  const began = performance.now();
  const draft = draftDatasetFile(file);
  const empty = Object.fromEntries(candidateFieldNames.map((name) => [name, null]));
  for (let n = 0; n < rows; n++) {
    const random = (n * 2_654_435_761) % 4_294_967_296;
    const taken = germanyForms.universe?.take({
      key: `c${n}`,
      line: n + 2,
      fields: {
        ...{ ...empty, name: `SYNTHETIC ${pick(names, random)} ${n} GmbH`, register_number: `D-${n}` },
        ...{ sector: pick(sectors, random >>> 3), tier: pick(tiers, random >>> 6), land: "NW" },
        ...{ city: pick(cities, random >>> 9), persons: String(random % 50) },
      },
    });
    if (!taken || "refused" in taken) throw new Error(`row ${n} was refused`);
    draft.entity(taken.entity, taken.keys);
  }
  draft.finish(facts);
  draft.close();
  return performance.now() - began;
}

const searches = [
  { tier: "C", sector: "tied_agent" },
  { sector: "broker", city: "Koeln" },
  { tier: "B", city: "münchen", offset: 20_000 },
  { tier: "C", sector: "tied_agent", query: "müsterlin" },
  { sector: "tied_agent", city: "Berlin", query: "Wei", offset: 500 },
];

/** Prints the 99th percentile of a search with its page, and how long writing the rows and their index took. */
export async function benchUniverse(rows: number, times = 400): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "assay-bench-universe-"));
  try {
    const file = join(folder, "universe.table");
    const wrote = write(file, rows);
    const version = { dataset: "germany", number: 1, tables: [openDatasetFile(file)] };
    const germany = createGermany({
      datasets: { current: async () => version },
      identity: { entitlements: () => [] },
      runtime: systemRuntime,
    });
    const usual = { query: "", tier: "", sector: "", city: "", limit: 25, offset: 0 };
    const taken: number[] = [];
    for (let n = 0; n < times; n++) {
      const began = performance.now();
      await germany.universe({ ...usual, ...searches[n % searches.length] });
      taken.push(performance.now() - began);
    }
    taken.sort((a, b) => a - b);
    const at = (part: number) => (taken[Math.floor(times * part)] ?? 0).toFixed(2);
    console.log(
      `universe of ${rows} rows: two filters p50 ${at(0.5)} ms, p99 ${at(0.99)} ms; rows and index written in ${(wrote / 1000).toFixed(1)} s`,
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
