import type { DatasetVersion, EntityCell } from "../../../db/datasets.ts";
import { lowered } from "../datasets/reliability.ts";
import { caveatsOf, tableOf } from "./holdings.ts";
import { laender } from "./laender.ts";
import type { GermanyStructure } from "./schema.ts";

/** Computes the market's structure from the universe by adding up, without estimates. */

const sizes = ["0-1", "2-4", "5-19", "20-99", "100+", "unknown"];

const method =
  "Rows of the universe, counted by Land, size band, sector and tier as its import wrote them; a share is rows divided by all rows; persons are added up where a row says them. Nothing is estimated or weighted, and duplicates are counted as often as they occur.";

function partOf(cells: readonly EntityCell[], all: number) {
  const rows = cells.reduce((sum, cell) => sum + cell.rows, 0);
  const persons = cells.reduce((sum, cell) => sum + cell.amount, 0);
  return { rows, share: all === 0 ? 0 : Math.round((rows / all) * 10_000) / 10_000, persons };
}

const by = (cells: readonly EntityCell[], ...names: readonly string[]) =>
  Map.groupBy(cells, ({ dimensions }) => names.map((name) => dimensions[name] ?? "").join("\u0000"));

/** Returns the structure; the same version gives the same answer. */
export function structureOf(version: DatasetVersion): GermanyStructure {
  const table = tableOf(version, "universe");
  const cells = table?.cells() ?? [];
  const { rows } = partOf(cells, 0);
  const [lands, bands, groups] = [by(cells, "land"), by(cells, "size"), by(cells, "sector", "tier")];
  const places = [...Object.keys(laender), ...(lands.has("") ? [""] : [])];
  return {
    ...{ version: version.number, rows, method },
    geography: places.map((land) => ({
      ...{ land: land || null, name: laender[land] ?? "not stated" },
      ...partOf(lands.get(land) ?? [], rows),
    })),
    capacity: sizes.map((size) => ({ size, ...partOf(bands.get(size) ?? [], rows) })),
    composition: [...groups]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, own]) => {
        const [sector, tier] = key.split("\u0000");
        return { sector: sector || null, tier: tier || null, ...partOf(own, rows) };
      }),
    reliability: table ? lowered(table.facts.reliability) : null,
    caveats: caveatsOf(version),
  };
}
