import { expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { auditPage } from "../../db/queries/audit.ts";
import { datasetTablesOf } from "../../db/queries/datasets.ts";
import { openDatasetFile } from "../../db/sqlite/dataset-file.ts";
import { unscoped } from "../../db/tenancy.ts";
import { tableChanges } from "../../src/products/datasets/diff.ts";
import { keptVersions, rollBack } from "../../src/products/datasets/versions.ts";
import { DatasetWorld, figuresOf, fileWith } from "../support/datasets.ts";

const said = (name = "people") =>
  `name: ${name}\npublisher: Eurostat\nplace: {column: geo}\nperiod: {column: year}\nvalue: v\nunit: {fixed: persons}\n`;
const csv = (...rows: string[]): string => fileWith("a.csv", `geo;year;v\n${rows.join("\n")}\n`);

const valuesOf = async (world: DatasetWorld) => {
  const { number, tables } = await world.datasets.current("eu-data");
  const imported = tables.filter(({ facts }) => facts.name !== "starter");
  return { number, values: imported.flatMap((table) => figuresOf(table).map(({ value }) => value)) };
};

test("an import is published as a version, in which a table replaces the one with its name", async () => {
  await using world = await DatasetWorld.open();
  expect(await valuesOf(world)).toEqual({ number: 0, values: [] });
  const first = await world.import("eu-data", [[csv("DE;2020;1"), said()]]);
  expect([first.version, await valuesOf(world)]).toEqual([1, { number: 1, values: [1] }]);
  await world.import("eu-data", [[csv("DE;2020;2"), said("others")]]);
  await world.import("eu-data", [[csv("DE;2020;3"), said()]]);
  expect(await valuesOf(world)).toEqual({ number: 3, values: [2, 3] });
});

test("the files of one import become one version, or none if one of them is refused", async () => {
  await using world = await DatasetWorld.open();
  const good: [string, string] = [csv("DE;2020;1"), said("one")];
  const outcome = await world.import("eu-data", [good, [csv("QQ;2020;1"), said("two")]]);
  expect([outcome.version, outcome.files.map(({ reason }) => reason?.code)]).toEqual([null, [undefined, "empty"]]);
  expect([await valuesOf(world), readdirSync(world.folder.path)]).toEqual([{ number: 0, values: [] }, []]);
  expect((await world.import("eu-data", [good, [csv("AT;2020;1"), said("one")]])).files[1]?.reason?.code).toBe(
    "duplicate_key",
  );
  expect((await world.import("eu-data", [good, [csv("AT;2020;1"), said("two")]])).version).toBe(1);
});

test("a dry run reads and checks everything, and stores nothing", async () => {
  await using world = await DatasetWorld.open();
  const { version, files } = await world.import("eu-data", [[csv("DE;2020;1", "QQ;2020;1"), said()]], { dryRun: true });
  expect([version, files[0]?.staged?.records, files[0]?.refused.length]).toEqual([null, 1, 1]);
  expect([await valuesOf(world), readdirSync(world.folder.path)]).toEqual([{ number: 0, values: [] }, []]);
});

test("a file with more than a tenth of its rows refused is published only if that is accepted", async () => {
  await using world = await DatasetWorld.open();
  const files: [string, string][] = [[csv("DE;2020;1", "QQ;2020;1"), said()]];
  expect((await world.import("eu-data", files)).files[0]?.reason?.code).toBe("refused_rows");
  expect((await world.import("eu-data", files, { acceptRefused: true })).version).toBe(1);
});

test("a row counts once, however many figures it has", async () => {
  await using world = await DatasetWorld.open();
  const years = Array.from({ length: 34 }, (_, i) => 1990 + i);
  const places = ["AT", "BE", "CZ", "DE", "FR", "IT", "NL", "PL", "SE", "SK"];
  const wide = (name: (place: string, at: number) => string, cell: (at: number, year: number) => string) =>
    fileWith(
      "wide.csv",
      [
        `geo;${years.join(";")}`,
        ...places.map((place, at) => [name(place, at), ...years.map((year) => cell(at, year))].join(";")),
      ].join("\n"),
    );
  const mapping =
    "name: people\npublisher: Eurostat\nplace: {column: geo}\nperiod: {columns: '^[0-9]{4}$'}\nunit: {fixed: persons}\nindicator: {fixed: population}\n";
  const half = wide(
    (place, at) => (at < 5 ? place : `nowhere ${place}`),
    () => "7",
  );
  const [refused] = (await world.import("eu-data", [[half, mapping]])).files;
  expect(refused?.reason).toMatchObject({ code: "refused_rows", message: expect.stringContaining("5 of 10 rows") });
  expect(refused?.staged).toMatchObject({ records: 170, rows: 10, refused_rows: 5, refused_share: 0.5 });
  const cells = wide(
    (place) => place,
    (at, year) => (at < 5 && year === 2000 ? "many" : "7"),
  );
  const { files, version } = await world.import("eu-data", [[cells, mapping]]);
  expect([version, files[0]?.staged?.rows, files[0]?.staged?.refused_rows]).toEqual([1, 10, 5]);
});

test("an earlier version is published again as a new one, down to the starter data", async () => {
  await using world = await DatasetWorld.open();
  for (const value of [1, 2]) await world.import("eu-data", [[csv(`DE;2020;${value}`), said()]]);
  const change = { actor: "operator", at: 1 };
  expect(await rollBack(world.store, "eu-data", 1, change)).toBe(3);
  expect(await valuesOf(world)).toEqual({ number: 3, values: [1] });
  expect(await rollBack(world.store, "eu-data", 0, change)).toBe(4);
  expect(await valuesOf(world)).toEqual({ number: 4, values: [] });
  expect(await rollBack(world.store, "eu-data", 99, change)).toBeUndefined();
  const audit = await auditPage(unscoped(world.store.read), 0, 100);
  expect(audit.map(({ action }) => action)).toEqual([
    "dataset.import",
    "dataset.import",
    "dataset.rollback",
    "dataset.rollback",
  ]);
});

test("two versions are compared figure by figure", async () => {
  await using world = await DatasetWorld.open();
  await world.import("eu-data", [[csv("DE;2020;1", "DE;2021;2", "AT;2020;3"), said()]]);
  await world.import("eu-data", [[csv("DE;2020;1", "DE;2021;9", "FR;2020;4"), said()]]);
  const tables = (await datasetTablesOf(world.store.read, "eu-data")).sort((a, b) => a.id.localeCompare(b.id));
  const [before, after] = tables;
  if (!before || !after) throw new Error("two tables were imported");
  const open = (id: string) => openDatasetFile(world.folder.fileOf(id));
  expect(tableChanges([before], [after], open)).toEqual([
    { name: "people", change: "replaced", figures: { added: 1, removed: 1, changed: 1 } },
  ]);
  expect(tableChanges([before], [], open)).toEqual([{ name: "people", change: "removed", figures: null }]);
});

test("two versions of a table of entities are compared row by row", async () => {
  await using world = await DatasetWorld.open();
  const of = (...rows: string[]) => fileWith("universe.csv", `candidate_id;name;city\n${rows.join("\n")}\n`);
  const publisher = "publisher: Test register\n";
  await world.import("germany", [[of("a;Eine;Ulm", "b;Andere;Ulm", "c;Dritte;Ulm"), publisher]]);
  await world.import("germany", [[of("a;Eine;Ulm", "b;Andere;Kiel", "d;Neue;Ulm", "e;Neueste;Ulm"), publisher]]);
  const tables = (await datasetTablesOf(world.store.read, "germany")).sort((a, b) => a.id.localeCompare(b.id));
  expect(tableChanges(tables.slice(0, 1), tables.slice(1), (id) => openDatasetFile(world.folder.fileOf(id)))).toEqual([
    { name: "universe", change: "replaced", figures: null, rows: { added: 2, removed: 1, changed: 1 } },
  ]);
});

test("an answer that started with one version ends with it, whatever is published meanwhile", async () => {
  await using world = await DatasetWorld.open();
  await world.import("eu-data", [[csv("DE;2020;1"), said()]]);
  const before = await world.datasets.current("eu-data");
  await world.import("eu-data", [[csv("DE;2020;2"), said()]]);
  await world.datasets.current("eu-data");
  expect(
    before.tables.flatMap((table) => (table.facts.name === "people" ? figuresOf(table).map(({ value }) => value) : [])),
  ).toEqual([1]);
});

test("a limited number of versions is kept, and the files of the others are removed", async () => {
  await using world = await DatasetWorld.open();
  for (let i = 0; i < keptVersions + 3; i++) await world.import("eu-data", [[csv(`DE;2020;${i}`), said()]]);
  expect(readdirSync(world.folder.path).length).toBe(keptVersions);
  expect((await valuesOf(world)).number).toBe(keptVersions + 3);
});

test("a register of intermediaries needs no mapping", async () => {
  await using world = await DatasetWorld.open();
  const head =
    "dataset,reference_date,region_nuts3,type,legal_form,expertise_group,count,contracts,premium_czk,label,source_url";
  const file = fileWith(
    "register.csv",
    `${head}\ncz_2026,2026-01-01,CZ010,SZ,legal,life,12,100,5000,A,https://www.cnb.cz\n`,
  );
  const { files, version } = await world.import("distribution", [[file, "publisher: CNB\n"]]);
  expect([version, files[0]?.staged?.records]).toEqual([1, 3]);
});
