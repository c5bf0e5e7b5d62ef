import { expect, test } from "bun:test";
import { prepareGermany } from "../../src/demo/germany.ts";
import { systemRuntime } from "../../src/platform/runtime.ts";
import { DatasetWorld } from "../support/datasets.ts";

/** The DIHK register's counts on 1 October 2025, in per cent. */
const register = { tied_agent: 55.3, broker: 26.1 };

test("the demo's German market has 12,403 rows and 68 profiles marked as fictitious, in the register's proportions", async () => {
  await using world = await DatasetWorld.open();
  await prepareGermany({ dataDir: world.path, store: world.store, services: { runtime: systemRuntime } });
  const { number, tables } = await world.datasets.current("germany");
  const rowsOf = (name: string) =>
    tables
      .find(({ facts }) => facts.name === name)
      ?.entities("", 20_000)
      .map(({ fields }) => fields) ?? [];
  const [universe, profiles] = [rowsOf("universe"), rowsOf("profiles")];
  expect([number, universe.length, profiles.length]).toEqual([1, 12_403, 68]);
  for (const { name, reliability } of [...universe, ...profiles])
    expect([String(name).startsWith("SYNTHETIC "), reliability]).toEqual([true, "D"]);
  for (const [sector, share] of Object.entries(register)) {
    const own = universe.filter((row) => row.sector === sector).length;
    expect(Math.abs((100 * own) / universe.length - share)).toBeLessThan(2);
  }
}, 60_000);
