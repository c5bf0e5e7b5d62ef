import { expect, test } from "bun:test";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import marketFacts from "../data/market-facts.json";
import { figuresOf, readFile, refusalOf } from "../support/datasets.ts";

/**
 * Every publisher's file next to the checkout is either imported and compared with what Python's csv and json read from
 * it (`test/data/market-facts.py`), or refused with a reason and a hint.
 */
const market = join(import.meta.dir, "..", "..", "..", "shared", "data", "market");

interface Facts {
  readonly figures: number;
  readonly missing: Readonly<Record<string, number | undefined>>;
  readonly sum: number;
  readonly periods: number;
  readonly one: readonly (string | number)[];
}
const facts: Readonly<Record<string, Facts>> = marketFacts;

const explorer = (more: string): string =>
  `publisher: Eurostat\nplace: {column: GEO}\nplaces: any\nperiod: {column: TIME}\nvalue: Value\nunit: {column: UNIT}\n${more}`;
const flat = (dimensions: string, more = ""): string =>
  `publisher: Destatis\nplace: {fixed: DE}\nperiod: {column: time}\nvalue: value\ndimensions: [${dimensions}]\n${more || "unit: {column: value_unit}\n"}`;
const genesis = (line: number, lines: number, more: string): string =>
  `publisher: Destatis\nheader_line: ${line}\nheader_lines: ${lines}\nfooter: "__________"\n${more}`;
const regional = (line: number, lines: number): string =>
  genesis(
    line,
    lines,
    `unit_line: ${lines}\nplace: {column: "#2"}\nplaces: any\nperiod: {column: "#1"}\nvalues_from: "#4"\n`,
  );
const second = "2_variable_attribute_code";
const own = "unit: {column: value_unit, label: 2_variable_attribute_label}\n";

/** What must be stated about files that do not state it themselves. */
const mappings: Readonly<Record<string, string>> = {
  "json-stat/dst-HISB3.json": "place: {fixed: DK}\n",
  "json-stat/ssb-29843.json": "place: {fixed: 'NO'}\nunit: {fixed: index}\n",
  "json-stat/cso-NQQ25.json": "place: {fixed: IE}\n",
  "json-stat/jsonstat-org-galicia.json": "places: any\n",
  // Rates have no place of their own; REF_AREA is the office's own code for France.
  "sdmx/ecb-exr-m-usd-generic.xml": "place: {fixed: EA}\n",
  "sdmx/insee-cna-2010-generic.xml": "place: {fixed: FR}\n",
  "sdmx/insee-series-bdm-generic.xml": "place: {fixed: FR}\n",
  "sdmx/istat-22_289-structure-specific.xml": "unit: {fixed: persons}\n",
  // A survey of several years, which are in the third dimension.
  "sdmx/oecd-part2.json": "places: any\nperiod: {fixed: '2021'}\nunit: {fixed: as its measure says}\n",
  "german-genesis-ffcsv/52111-0001_de_flat.csv": flat(`${second}, 3_variable_attribute_code`),
  "german-genesis-ffcsv/81000-0001_de_flat.csv": flat(`${second}, value_variable_code`, own),
  "german-genesis-ffcsv/12211-Z-11_de_flat.csv": flat(
    second,
    "unit: {column: value_unit}\nunits: {'1000': {unit: households, multiply: 1000}}\nflags: value_q\n",
  ).replace("place: {fixed: DE}", "place: {column: 1_variable_attribute_code}\nplaces: any"),
  "german-genesis-ffcsv/91111-0001_de_flat.csv": flat(second, "unit: {fixed: as its title says}\n"),
  "german-genesis-ffcsv/91111-0001_en_flat.csv": flat(second, "unit: {fixed: as its title says}\n"),
  "german-genesis-table-csv/23111-01-04-4.csv": regional(5, 4),
  "german-genesis-table-csv/11111-01-01-4.csv": regional(5, 2),
  "german-genesis-table-csv/52111-03-01-4_00.csv": regional(6, 4),
  "german-genesis-table-csv/AI009_00.csv": regional(5, 2),
  "german-genesis-table-csv/12613-0004.csv": genesis(
    7,
    2,
    'place: {fixed: DE}\nperiod: {column: "#1"}\ndimensions: ["#2"]\nvalues_from: "#3"\nunit: {fixed: deaths}\n',
  ),
  "german-genesis-table-csv/12612-0002.csv": genesis(
    6,
    1,
    'place: {fixed: DE}\nperiod: {column: "#1", month: "#2"}\nvalues_from: "#3"\nunit: {fixed: births}\n',
  ),
  "german-genesis-table-csv/12411-0006-damaged-umlauts.csv": genesis(
    7,
    2,
    'place: {fixed: DE}\nperiod: {column: "#1"}\ndimensions: ["#2"]\nvalues_from: "#3"\nunit: {fixed: persons}\ndamaged_text: keep\n',
  ),
  "eurostat-explorer-csv/nama_10_gdp_1_Data-comma-thousands.csv": explorer(
    "dimensions: [NA_ITEM]\nflags: Flag and Footnotes\n",
  ),
  "eurostat-explorer-csv/nama_10_gdp_1_Data-space-thousands.csv": explorer("dimensions: [NA_ITEM]\n"),
  "eurostat-explorer-csv/spr_exp_sum_1_Data-fr-bom.csv": explorer("dimensions: [SPDEPS]\n"),
  "eurostat-explorer-csv/crim_pris_pop_1_Data-fr-trailing-comma.csv": explorer("decimal: '.'\n"),
  "world-and-supervisors/worldbank-SP.POP.TOTL.csv":
    "publisher: World Bank\nplace: {column: Country Code}\nplaces: any\nperiod: {columns: '^\\d{4}$'}\nunit: {fixed: persons}\nheader_line: 5\ndecimal: '.'\n",
  "world-and-supervisors/worldbank-gdp-long.csv":
    "publisher: World Bank\nplace: {column: Country Code}\nplaces: any\nperiod: {column: Year}\nvalue: Value\nunit: {fixed: USD}\n",
  "world-and-supervisors/eiopa-rfr-curve_parameters.csv":
    "publisher: EIOPA\nplace: {column: country}\nplaces: any\nperiod: {column: reference_date}\ndimensions: [curve_type]\nvalues: [{column: ufr, indicator: ufr, unit: '%'}, {column: va, indicator: va, unit: basis points}]\n",
  "czech/csu-zvirata-270230.csv":
    "publisher: ČSÚ\nplace: {fixed: CZ}\nperiod: {column: ROK}\nvalue: hodnota\nunit: {fixed: heads}\ngroup: [uzemi_cis, uzemi_kod, DRUHZVIRE_cis, DRUHZVIRE_kod]\n",
  "czech/csu-volby-obce-2018.csv":
    "publisher: ČSÚ\nplace: {fixed: CZ}\nperiod: {fixed: '2018'}\nvalue: POCOBYV\nunit: {fixed: persons}\ngroup: [KODZASTUP, OBEC, OBVODY, COBVODU]\n",
};

/** Files that can't be imported: the reason, and a word of the hint. */
const refusals: Readonly<Record<string, readonly [code: string, hint: RegExp]>> = {
  "json-stat/eurostat-nama_gdp_c-legacy.json": ["format", /JSON-stat 2\.0 or CSV/],
  "sdmx/estat-footer-413-async.xml": ["empty", /less at a time/],
  "sdmx/estat-footer.xml": ["empty", /less at a time/],
  "czech/csu-zvirata-270230-schema.json": ["format", /JSON-stat 2\.0 or CSV/],
  // A list of names without figures.
  "czech/csu-volby-pstrana-2018.csv": ["format", /--mapping/],
};

const publishers = (name: string): string => (name.startsWith("json-stat/") ? "publisher: Its own office\n" : "");

const close = (a: number, b: number): boolean => Math.abs(a - b) <= 1e-9 * Math.max(Math.abs(a), Math.abs(b), 1);

if (existsSync(market)) {
  const files = readdirSync(market, { recursive: true, encoding: "utf8" }).filter((name) => /\.\w+$/.test(name));
  test("there are forty-eight, and no mapping or refusal is for another file", () => {
    const known = [...Object.keys(facts), ...Object.keys(refusals)].sort();
    expect(files.filter((name) => name !== "README.md").sort()).toEqual(known);
    expect(known.length).toBe(48);
  });

  for (const [name, expected] of Object.entries(facts))
    test(`${name} has the figures that Python reads`, async () => {
      const { table, refused } = await readFile(join(market, name), `${publishers(name)}${mappings[name] ?? ""}`);
      const found = figuresOf(table);
      const missing: Record<string, number> = {};
      for (const { missing: mark } of found) if (mark !== null) missing[mark] = (missing[mark] ?? 0) + 1;
      const [period, value] = expected.one;
      expect(refused.slice(0, 3)).toEqual([]);
      expect<object>({
        figures: found.length,
        missing,
        periods: new Set(found.map((one) => one.period)).size,
        one: found.some((one) => one.period === period && one.value === value),
      }).toEqual({ figures: expected.figures, missing: expected.missing, periods: expected.periods, one: true });
      const sum = found.reduce((all, one) => all + (one.value ?? 0), 0);
      expect([sum, close(sum, expected.sum)]).toEqual([sum, true]);
      expect(table.indicators().filter(({ unit }) => unit === "")).toEqual([]);
    });

  for (const [name, [code, hint]] of Object.entries(refusals))
    test(`${name} is refused with a hint`, async () => {
      const refusal = await refusalOf(readFile(join(market, name)));
      expect<string>(refusal.code).toBe(code);
      expect(refusal.hint).toMatch(hint);
    });

  test("each row of GENESIS is in its own unit, which is asked for if unknown", async () => {
    const file = join(market, "german-genesis-ffcsv/81000-0001_de_flat.csv");
    const { table } = await readFile(file, mappings["german-genesis-ffcsv/81000-0001_de_flat.csv"] ?? "");
    expect(new Set(table.indicators().map(({ unit }) => unit))).toEqual(new Set(["Mrd. EUR", "2020=100", "Prozent"]));
    const blind = await readFile(file, flat(`${second}, value_variable_code`));
    expect(blind.refused.length).toBe(240);
    expect(blind.refused[0]?.reason).toContain("unit.label");
  });

  test("a unit that is only a multiplier is asked for, and a final figure is not an estimate", async () => {
    const name = "german-genesis-ffcsv/12211-Z-11_de_flat.csv";
    const { table } = await readFile(join(market, name), mappings[name] ?? "");
    const flags = new Set(figuresOf(table).map((one) => one.flags));
    expect([flags.has("e"), flags.has("()"), figuresOf(table).some(({ place }) => place === "05554")]).toEqual([
      false,
      true,
      true,
    ]);
    const blind = await refusalOf(readFile(join(market, name), flat(second)));
    expect(blind.code).toBe("empty");
  });

  test("a header of four lines names each column, and the level of a name is not part of it", async () => {
    const name = "german-genesis-table-csv/23111-01-04-4.csv";
    const { table, staged } = await readFile(join(market, name), mappings[name] ?? "");
    expect(staged.reading.decided.encoding).toMatch(/1252|8859/);
    expect(table.indicators().map(({ title, unit }) => `${title}, ${unit}`)).toContain(
      "aufgestellte Betten im Jahresdurchschnitt / allgemeine Fachabteilungen / Augenheilkunde, Anzahl",
    );
    const flensburg = figuresOf(table).filter(({ place }) => place === "01001");
    expect(flensburg.slice(0, 3).map(({ value }) => value)).toEqual([2, 849, 1]);
  });

  test("lost text is refused unless the mapping keeps it, which is then reported", async () => {
    const name = "german-genesis-table-csv/12411-0006-damaged-umlauts.csv";
    const said = mappings[name] ?? "";
    const refusal = await refusalOf(readFile(join(market, name), said.replace("damaged_text: keep\n", "")));
    expect([refusal.code, refusal.hint.includes("damaged_text: keep")]).toEqual(["damaged_text", true]);
    expect((await readFile(join(market, name), said)).staged.reading.notes).toEqual([
      "some of its characters were already lost: names may be damaged",
    ]);
  });

  test("the first of two dimensions that are places is used as the place, and that is reported", async () => {
    const { staged, table } = await readFile(
      join(market, "json-stat/jsonstat-org-galicia.json"),
      "publisher: INE and IGE\nplaces: any\n",
    );
    expect(staged.reading.notes).toEqual([
      "birth is a place too: residence was taken as the place, and birth as a dimension",
    ]);
    expect(new Set(table.indicators().map(({ unit }) => unit))).toEqual(new Set(["persons"]));
  });
}
