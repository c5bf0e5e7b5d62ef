import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { figuresOf, readFile, refusalOf } from "../support/datasets.ts";

/** Publishers' files next to the checkout: each is compared with what plain text tools read from it. */
const market = join(import.meta.dir, "..", "..", "..", "shared", "data", "market");
const there = existsSync(market);
const at = (name: string): string => join(market, name);
const linesOf = (name: string, encoding: BufferEncoding = "utf8"): string[] =>
  readFileSync(at(name), encoding)
    .replace(/^\ufeff/, "")
    .split(/\r?\n/)
    .filter((line) => line !== "");

/** Skipped without the files next to the checkout; then only the fixtures of `datasets-reading.test.ts` are tested. */
const real = (name: string, work: () => Promise<void>): void => {
  if (there) test(name, work);
};

const sum = (values: readonly number[]): number => values.reduce((all, one) => all + one, 0);
const close = (a: number, b: number): boolean => Math.abs(a - b) <= 1e-9 * Math.max(Math.abs(a), Math.abs(b), 1);

describe("bulk TSV", () => {
  for (const name of ["nama_10r_3gdp.tsv", "gov_10dd_edpt1.tsv", "teina200.tsv", "demo_r_mwk_ts.tsv"])
    real(`${name}: every cell is there, with its number, its flag or its gap`, async () => {
      const { table, refused } = await readFile(at(`eurostat-tsv/${name}`));
      const cells = linesOf(`eurostat-tsv/${name}`)
        .slice(1)
        .flatMap((line) =>
          line
            .split("\t")
            .slice(1)
            .map((cell) => cell.trim()),
        );
      const figures = figuresOf(table);
      expect([refused.length, figures.length]).toEqual([0, cells.length]);
      expect(figures.filter(({ value }) => value === null).length).toBe(
        cells.filter((cell) => cell.startsWith(":")).length,
      );
      expect(figures.filter(({ flags }) => flags.includes("p")).length).toBe(
        cells.filter((cell) => /[a-z]*p[a-z]*$/.test(cell)).length,
      );
      const numbers = cells.filter((cell) => !cell.startsWith(":")).map((cell) => Number(cell.split(" ")[0]));
      expect(close(sum(figures.map(({ value }) => value ?? 0)), sum(numbers))).toBe(true);
    });

  real("weeks whose number is unknown are kept as such", async () => {
    const { table } = await readFile(at("eurostat-tsv/demo_r_mwk_ts.tsv"));
    expect(figuresOf(table).some(({ period }) => period === "2020-W99")).toBe(true);
  });

  real("a TSV saved as CSV by hand has its key inside quotes, and its missing year stays missing", async () => {
    const { table, refused } = await readFile(at("eurostat-tsv/ilc_di03-resaved-as.csv"));
    const figures = figuresOf(table);
    const rows = linesOf("eurostat-tsv/ilc_di03-resaved-as.csv").slice(1);
    expect([refused.length, figures.length]).toEqual([0, rows.length * 30]);
    expect(figures.some(({ period }) => period === "2002")).toBe(false);
    const austria = figures.find(
      (one) =>
        one.place === "AT" &&
        one.period === "2003" &&
        one.unit === "EUR" &&
        JSON.stringify(one.dimensions).includes('"sex":"F"'),
    );
    expect([austria?.value, austria?.flags]).toEqual([17151, "b"]);
  });
});

describe("SDMX-CSV", () => {
  for (const [name, valueAt] of [
    ["sdg_08_10_linear.csv", 7],
    ["tps00203_linear.csv", 8],
  ] as const)
    real(`${name}: as many figures as lines, and the same sum`, async () => {
      const { table, refused } = await readFile(at(`eurostat-sdmx-csv/${name}`));
      const rows = linesOf(`eurostat-sdmx-csv/${name}`)
        .slice(1)
        .map((line) => line.split(","));
      const figures = figuresOf(table);
      expect([refused.length, figures.length]).toEqual([0, rows.length]);
      expect(close(sum(figures.map(({ value }) => value ?? 0)), sum(rows.map((cells) => Number(cells[valueAt]))))).toBe(
        true,
      );
    });

  real("an empty value flagged c is confidential, and level and growth are two series", async () => {
    const { table, staged } = await readFile(at("eurostat-sdmx-csv/sdg_08_10_linear.csv"));
    const secret = linesOf("eurostat-sdmx-csv/sdg_08_10_linear.csv").filter((line) => line.endsWith(",,c"));
    expect(figuresOf(table).filter(({ missing }) => missing === "c").length).toBe(secret.length);
    expect(secret.length).toBeGreaterThan(0);
    expect([table.indicators().length, staged.facts.retrieved]).toEqual([2, "2023-04-14"]);
  });

  real("a code is separated from its label, and a label's column is never the value", async () => {
    const nuts = await readFile(at("eurostat-sdmx-csv/demo_r_pjangrp3-code-and-label.csv"));
    const finland = figuresOf(nuts.table).find(({ place, period }) => place === "FI" && period === "2023");
    expect([nuts.refused.length, finland?.value]).toEqual([0, 2810493]);
    const patents = await readFile(at("eurostat-sdmx-csv/sdg_09_40-v2-labels.csv"));
    const flags = new Set(figuresOf(patents.table).map((one) => one.flags));
    expect([
      patents.refused.length,
      new Set(patents.table.indicators().map(({ unit }) => unit)).size,
      flags.has("bep") || flags.has("ep"),
    ]).toEqual([0, 2, true]);
  });
});

describe("JSON-stat", () => {
  real("Eurostat's sparse cube gives its 32 units of one thing", async () => {
    const { table, refused } = await readFile(at("json-stat/eurostat-nama_10_gdp.json"));
    const json = JSON.parse(readFileSync(at("json-stat/eurostat-nama_10_gdp.json"), "utf8"));
    const values = Object.values<number>(json.value);
    const figures = figuresOf(table).filter(({ value }) => value !== null);
    expect([refused.length, figures.length, new Set(figures.map(({ unit }) => unit)).size]).toEqual([
      0,
      values.length,
      32,
    ]);
    expect(close(sum(figures.map(({ value }) => value ?? 0)), sum(values))).toBe(true);
  });

  real("the old wrapper is read, and thousands stated only in a label are reported", async () => {
    const { table } = await readFile(
      at("json-stat/dst-HISB3.json"),
      "publisher: Danmarks Statistik\nplace: {fixed: DK}\n",
    );
    expect(new Set(table.indicators().map(({ unit }) => unit))).toEqual(new Set(["thousand (Antal)"]));
  });

  real("a gap with a status keeps it as its reason", async () => {
    const said = "publisher: Statistics Norway\nplace: {fixed: 'NO'}\nunit: {fixed: index}\n";
    const { table, refused } = await readFile(at("json-stat/ssb-29843.json"), said);
    const figures = figuresOf(table);
    expect([refused.length, figures.length]).toEqual([0, 37_440]);
    const json = JSON.parse(readFileSync(at("json-stat/ssb-29843.json"), "utf8"));
    const gaps = json.dataset.value.filter((value: number | null) => value === null).length;
    expect(figures.filter(({ value }) => value === null).length).toBe(gaps);
    expect(figures.some(({ missing }) => missing === ".")).toBe(true);
  });

  real("a file that only resembles it is refused, and so is a response without data", async () => {
    expect((await refusalOf(readFile(at("json-stat/eurostat-nama_gdp_c-legacy.json")))).code).toBe("format");
    expect((await refusalOf(readFile(at("czech/csu-zvirata-270230-schema.json")))).code).toBe("format");
    expect((await refusalOf(readFile(at("sdmx/estat-footer-413-async.xml")))).code).toBe("empty");
    expect((await refusalOf(readFile(at("sdmx/estat-footer.xml")))).code).toBe("empty");
  });
});

describe("plain tables with a mapping", () => {
  const explorer =
    "publisher: Eurostat\nplace: {column: GEO}\nperiod: {column: TIME}\nvalue: Value\nunit: {column: UNIT}\nplaces: any\n";

  real("thousands are grouped by commas or spaces, depending on the file", async () => {
    const said = `${explorer}dimensions: [NA_ITEM]\n`;
    const comma = await readFile(
      at("eurostat-explorer-csv/nama_10_gdp_1_Data-comma-thousands.csv"),
      `${said}flags: Flag and Footnotes\n`,
    );
    expect(comma.staged.reading.decided).toMatchObject({ decimal: ".", thousands: "," });
    expect(figuresOf(comma.table).some(({ value }) => value === 12994330)).toBe(true);
    const space = await readFile(at("eurostat-explorer-csv/nama_10_gdp_1_Data-space-thousands.csv"), said);
    expect(space.staged.reading.decided).toMatchObject({ decimal: ".", thousands: " " });
    expect(figuresOf(space.table).some(({ value }) => value === 354065.9)).toBe(true);
  });

  real("French exports have a decimal comma, or a comma too many at the end of each line", async () => {
    const social = await readFile(
      at("eurostat-explorer-csv/spr_exp_sum_1_Data-fr-bom.csv"),
      `${explorer}dimensions: [SPDEPS]\n`,
    );
    expect([social.staged.reading.decided.decimal, social.refused.length]).toEqual([",", 0]);
    const prisons = await readFile(
      at("eurostat-explorer-csv/crim_pris_pop_1_Data-fr-trailing-comma.csv"),
      explorer.replace("places: any\n", "places: any\ndecimal: '.'\n"),
    );
    const czech = figuresOf(prisons.table).find(({ place, period }) => place === "CZ" && period === "1998");
    expect([prisons.refused.length, czech?.value]).toEqual([0, 22085]);
  });

  real("a table below four lines of title is read wide by year", async () => {
    const said =
      "publisher: World Bank\nplace: {column: Country Code}\nplaces: any\nperiod: {columns: '^\\d{4}$'}\nunit: {fixed: persons}\nheader_line: 5\ndecimal: '.'\n";
    const { table } = await readFile(at("world-and-supervisors/worldbank-SP.POP.TOTL.csv"), said);
    const [austria] = linesOf("world-and-supervisors/worldbank-SP.POP.TOTL.csv").filter((line) =>
      line.includes('"AUT"'),
    );
    const cells = (austria ?? "").replaceAll('"', "").split(",");
    const found = figuresOf(table).filter(({ place }) => place === "AT");
    expect(found.find(({ period }) => period === "2018")?.value).toBe(Number(cells[5 + 58]));
  });

  real("full digits are not rounded when read", async () => {
    const said =
      "publisher: World Bank\nplace: {column: Country Code}\nplaces: any\nperiod: {column: Year}\nvalue: Value\nunit: {fixed: USD}\n";
    const { table, refused } = await readFile(at("world-and-supervisors/worldbank-gdp-long.csv"), said);
    expect([
      refused.length,
      figuresOf(table).find(({ place, period }) => place === "AT" && period === "1960")?.value,
    ]).toEqual([0, 6650133914.547951]);
  });

  real("several units in a row are several indicators", async () => {
    const said =
      "publisher: EIOPA\nplace: {column: country}\nplaces: any\nperiod: {column: reference_date}\ndimensions: [curve_type]\nvalues: [{column: ufr, indicator: ufr, unit: '%'}, {column: va, indicator: va, unit: basis points}]\n";
    const { table } = await readFile(at("world-and-supervisors/eiopa-rfr-curve_parameters.csv"), said);
    expect(new Set(table.indicators().map(({ code, unit }) => `${code} ${unit}`))).toEqual(
      new Set(["ufr %", "va basis points"]),
    );
    expect(table.facts.reliability).toBe("A");
  });

  real("the German and the English download of one table have the same numbers", async () => {
    const said =
      "publisher: Destatis\nplace: {fixed: DE}\nperiod: {column: time}\nvalue: value\nunit: {column: value_unit, label: 2_variable_attribute_label}\ndimensions: [1_variable_attribute_code, 2_variable_attribute_code, value_variable_code]\n";
    const [german, english] = [
      await readFile(at("german-genesis-ffcsv/91111-0001_de_flat.csv"), said),
      await readFile(at("german-genesis-ffcsv/91111-0001_en_flat.csv"), said),
    ];
    expect([german.staged.reading.decided.decimal, english.staged.reading.decided.decimal]).toEqual([",", "."]);
    const keyed = (read: typeof german) =>
      new Map(figuresOf(read.table).map((one) => [`${JSON.stringify(one.dimensions)} ${one.period}`, one.value]));
    const [a, b] = [keyed(german), keyed(english)];
    const shared = [...a.keys()].filter((key) => b.has(key));
    expect(shared.length).toBeGreaterThan(100);
    expect(shared.filter((key) => a.get(key) !== b.get(key))).toEqual([]);
  });

  real("Windows-1250 is found, and codes stay text", async () => {
    const said =
      "publisher: ČSÚ\nplace: {fixed: CZ}\nperiod: {fixed: '2018'}\nvalue: POCOBYV\nunit: {fixed: persons}\ngroup: [OBEC, NAZEVOBCE]\n";
    const { table, staged } = await readFile(at("czech/csu-volby-obce-2018.csv"), said);
    expect(staged.reading.decided.encoding).toBe("windows-1250");
    const names = new Set(figuresOf(table).map(({ group }) => group.NAZEVOBCE));
    expect([names.has("Želechovice nad Dřevnicí"), names.has("Libhošť")]).toEqual([true, true]);
  });

  real("a byte-order mark is not part of a column's name", async () => {
    const said =
      "publisher: ČSÚ\nplace: {fixed: CZ}\nperiod: {column: ROK}\nvalue: hodnota\nunit: {fixed: heads}\ngroup: [uzemi_cis, uzemi_kod, DRUHZVIRE_cis, DRUHZVIRE_kod]\ndimensions: [idhod]\n";
    const refusal = await refusalOf(readFile(at("czech/csu-zvirata-270230.csv"), said.replace("idhod", "no_such")));
    expect(refusal.message).toContain('"idhod"');
    const { table } = await readFile(at("czech/csu-zvirata-270230.csv"), said.replace("dimensions: [idhod]\n", ""));
    expect(figuresOf(table).some(({ value, group }) => value === 159054 && group.uzemi_kod === "3042")).toBe(true);
  });

  real("text that was lost earlier is refused unless the mapping keeps it", async () => {
    const said = "publisher: Destatis\nplace: {fixed: DE}\nperiod: {fixed: '2020'}\nvalue: v\nunit: {fixed: persons}\n";
    expect((await refusalOf(readFile(at("german-genesis-table-csv/12411-0006-damaged-umlauts.csv"), said))).code).toBe(
      "columns",
    );
  });
});
