import { rmSync } from "node:fs";
import { join } from "node:path";
import { anybody } from "../../db/queries/limits.ts";
import { operator } from "../accounts/admin/audit-context.ts";
import { limitMonthly } from "../accounts/admin/permissions.ts";
import { assert, present } from "../platform/assert.ts";
import { rfc3339 } from "../platform/clock.ts";
import { writeDurably } from "../platform/files.ts";
import { sha256Hex } from "../platform/ids.ts";
import { seededRandom } from "../platform/random.ts";
import { definitions } from "../products/datasets/definitions.ts";
import { DatasetFolder } from "../products/datasets/folder.ts";
import { importFiles } from "../products/datasets/importer.ts";
import { candidateFieldNames, profileFieldNames } from "../products/germany/fields.ts";
import type { DemoOptions } from "./index.ts";

/** A fictitious German market, imported with the real importer. Everything in it is labelled SYNTHETIC. */

export const syntheticRows = 12_403;
export const syntheticProfiles = 68;

/** Monthly number of enrichments per person of the demo. */
const monthlyEnrichments = 100;

type Weighted = readonly (readonly [string, number])[];

/**
 * Intermediaries by type, as in the DIHK register. The total, tied agents and brokers are of 1 October 2025; the rest
 * of that total is divided as on 2 January 2018, the last date with figures for all types.
 */
const sectors: Weighted = [
  ["tied_agent", 99_173],
  ["broker", 46_885],
  ["agent", 29_277],
  ["ancillary_agent", 3_633],
  ["adviser", 313],
  ["ancillary_broker", 145],
];

/** Cities, weighted so that each Land's total is roughly its population in thousands. */
const places: readonly (readonly [city: string, land: string, code: string, weight: number])[] = [
  ["Köln", "DE-NW", "50", 9_000],
  ["Münster", "DE-NW", "48", 9_000],
  ["München", "DE-BY", "80", 7_000],
  ["Nürnberg", "DE-BY", "90", 6_200],
  ["Stuttgart", "DE-BW", "70", 6_200],
  ["Tübingen", "DE-BW", "72", 5_000],
  ["Hannover", "DE-NI", "30", 4_100],
  ["Göttingen", "DE-NI", "37", 4_000],
  ["Frankfurt am Main", "DE-HE", "60", 6_400],
  ["Mainz", "DE-RP", "55", 4_200],
  ["Dresden", "DE-SN", "01", 4_100],
  ["Berlin", "DE-BE", "10", 3_800],
  ["Lübeck", "DE-SH", "23", 3_000],
  ["Potsdam", "DE-BB", "14", 2_600],
  ["Magdeburg", "DE-ST", "39", 2_200],
  ["Erfurt", "DE-TH", "99", 2_100],
  ["Hamburg", "DE-HH", "20", 1_900],
  ["Rostock", "DE-MV", "18", 1_600],
  ["Saarbrücken", "DE-SL", "66", 1_000],
  ["Bremen", "DE-HB", "28", 700],
];

const tiers: Weighted = [
  ["A", 5],
  ["B", 20],
  ["C", 75],
];
const invented =
  "Müsterlin Ährenfeld Öhlbach Überholz Grünquell Weißtann Blaubrück Rotsee Silberau Moosgrund Kieferhain Sandfurt".split(
    " ",
  );
const trades: Readonly<Record<string, string>> = {
  tied_agent: "Generalvertretung",
  broker: "Versicherungsmakler",
  agent: "Mehrfachagentur",
  ancillary_agent: "Annexvertrieb",
  adviser: "Versicherungsberatung",
  ancillary_broker: "Annexmakler",
};
const forms = ["GmbH", "e.K.", "GmbH & Co. KG", "OHG", "UG (haftungsbeschränkt)"];
const networks = ["SYNTHETIC Pool Nord", "SYNTHETIC Pool Süd", "SYNTHETIC Verbund"];
const technologies = ["SYNTHETIC CRM and comparison portal", "SYNTHETIC paper files", "SYNTHETIC broker suite"];
const scenarios = ["SYNTHETIC joint offer", "SYNTHETIC pilot in one region", "SYNTHETIC white label"];

type Row = Record<string, string>;

/** Returns functions that draw an item, uniformly or by weight. */
function drawer(random: () => number) {
  const one = <Item>(items: readonly Item[]): Item => present(items[Math.floor(random() * items.length)], "an item");
  const weighted = <Item>(items: readonly Item[], weight: (item: Item) => number): Item => {
    let left = random() * items.reduce((sum, item) => sum + weight(item), 0);
    for (const item of items) {
      left -= weight(item);
      if (left < 0) return item;
    }
    return present(items.at(-1), "a weighted item");
  };
  return { one, weighted };
}

/** Generates a fictitious firm. Its site is under `.example`, which is reserved. */
function firm(draw: ReturnType<typeof drawer>, random: () => number, at: number): Row {
  const [sector] = draw.weighted(sectors, ([, weight]) => weight);
  const [city, land, code] = draw.weighted(places, ([, , , weight]) => weight);
  const form = draw.one(forms);
  const number = String(at).padStart(5, "0");
  const persons = sector === "tied_agent" ? 1 + Math.floor(random() ** 3 * 8) : 1 + Math.floor(random() ** 4 * 120);
  return {
    name: `SYNTHETIC ${draw.one(invented)} ${trades[sector] ?? ""} ${at} ${form}`,
    ...{ legal_form: form, register_number: `D-SYNT-${number}-00`, sector, city, land, persons: String(persons) },
    tier: draw.weighted(tiers, ([, weight]) => weight)[0],
    postal_code: `${code}${String(Math.floor(random() * 1_000)).padStart(3, "0")}`,
    founded: String(1950 + Math.floor(random() * 75)),
    website: random() < 0.4 ? `https://firm-${number}.example/` : "",
    ...{ source: "SYNTHETIC register", source_period: "2025-10-01", reliability: "D" },
  };
}

/**
 * Generates the rows. Every sixtieth is a duplicate, as in directories: same register number, other id and spelling.
 */
function universe(): Row[] {
  const random = seededRandom("demo germany");
  const draw = drawer(random);
  const rows: Row[] = [];
  for (let at = 1; at <= syntheticRows; at++) {
    const before = at % 60 === 0 ? rows.at(-7) : undefined;
    const row = before ? { ...before, name: before.name?.replace("ü", "ue") ?? "" } : firm(draw, random, at);
    rows.push({ ...row, candidate_id: `de-c-${String(at).padStart(5, "0")}` });
  }
  return rows;
}

function profiles(rows: readonly Row[]): Row[] {
  const draw = drawer(seededRandom("demo germany profiles"));
  return rows
    .filter(({ tier }) => tier === "A")
    .slice(0, syntheticProfiles)
    .map((row, at) => ({
      ...row,
      target_key: `de-p-${String(at + 1).padStart(3, "0")}`,
      website: `https://profile-${at + 1}.example/`,
      ...{
        network: draw.one(networks),
        technology_profile: draw.one(technologies),
        commercial_scenario: draw.one(scenarios),
      },
      ...{
        lines: draw.one(["motor", "life", "property", "health"]),
        audience: draw.one(["households", "small firms"]),
      },
      ...{ languages: "de", researched: "2025-10-01" },
    }));
}

const cell = (text: string): string => `"${text.replaceAll('"', '""')}"`;

const csv = (columns: readonly string[], rows: readonly Row[]): string =>
  [columns, ...rows.map((row) => columns.map((name) => row[name] ?? ""))]
    .map((cells) => `${cells.map(cell).join(",")}\n`)
    .join("");

const note = "SYNTHETIC: every row was generated for the demo. No such firm exists.";

type GermanyOptions = Pick<DemoOptions, "dataDir" | "store"> & {
  readonly services: Pick<DemoOptions["services"], "runtime">;
};

/** Generates, imports and publishes the demo's market, and sets the monthly limit of enrichments. */
export async function prepareGermany({ dataDir, store, services: { runtime } }: GermanyOptions): Promise<void> {
  const definition = present(
    definitions.find(({ name }) => name === "germany"),
    "the dataset germany",
  );
  const rows = universe();
  const tables = [
    { name: "universe", text: csv(["candidate_id", ...candidateFieldNames], rows) },
    { name: "profiles", text: csv(["target_key", ...profileFieldNames], profiles(rows)) },
  ];
  const files = tables.map(({ name }) => join(dataDir, `demo-${name}.csv`));
  const retrieved = rfc3339(runtime.now()).slice(0, 10);
  for (const [at, { text }] of tables.entries())
    await writeDurably(present(files[at], "its file"), text, { mode: 0o600 });
  const outcome = await importFiles({
    ...{ runtime, store, folder: new DatasetFolder(join(dataDir, "datasets")), definition, actor: operator },
    sources: tables.map(({ name, text }, at) => ({
      file: present(files[at], "its file"),
      sha256: sha256Hex(text),
      mapping: { name, title: `SYNTHETIC ${name}`, publisher: "SYNTHETIC", retrieved, reliability: "D", note },
    })),
    ...{ dryRun: false, acceptRefused: false, progress: () => undefined },
  });
  for (const file of files) rmSync(file, { force: true });
  assert(outcome.version !== null, "the demo's market can be imported");
  const everybody = { firm_id: anybody, subject: anybody, name: "germany-enrichments" };
  const act = { actor: operator, at: runtime.now() };
  await store.write((tx) => limitMonthly(tx, act, everybody, monthlyEnrichments));
}
