import { describe, expect, test } from "bun:test";
import { gzipSync } from "node:zlib";
import { strToU8, zipSync } from "fflate";
import { figuresOf, readText, refusalOf } from "../support/datasets.ts";

const sdmx = (rows: string): string =>
  `DATAFLOW,LAST UPDATE,freq,unit,geo,TIME_PERIOD,OBS_VALUE,OBS_FLAG\n${rows.replaceAll("~", "ESTAT:TPS00001(1.0),14/04/23 23:00:00,A,NR,")}`;

/** Reduces figures to place, period and value. */
const brief = (figures: ReturnType<typeof figuresOf>) =>
  figures.map(({ place, period, value, missing, flags }) => [place, period, value, missing, flags]);

describe("SDMX-CSV", () => {
  test("keeps flags, the publisher's date, and a confidential figure as confidential", async () => {
    const { table, staged, refused } = await readText("a.csv", sdmx("~DE,2020,83.5,p\n~EL,2020,,c\n~DE,2019,0,be\n"));
    expect(brief(figuresOf(table))).toEqual([
      ["DE", "2019", 0, null, "be"],
      ["DE", "2020", 83.5, null, "p"],
      ["GR", "2020", null, "c", "c"],
    ]);
    expect(staged.facts).toMatchObject({
      publisher: "Eurostat",
      code: "tps00001",
      retrieved: "2023-04-14",
      reliability: "A",
    });
    expect(refused).toEqual([]);
  });

  test("refuses individual rows, each with its line and reason", async () => {
    const rows = [
      "~DE,2020,1,",
      "~QQ,2020,1,",
      "~AT,20x0,1,",
      "~AT,2020,=1+1,",
      "~AT,2020,many,",
      "~DE,2020,2,",
      "~AT,2021",
    ];
    const { refused, staged } = await readText("a.csv", sdmx(rows.join("\n")));
    expect(refused.map(({ line, code }) => [line, code])).toEqual([
      [3, "unknown_country"],
      [4, "period"],
      [5, "formula"],
      [6, "not_a_number"],
      [7, "duplicate_key"],
      [8, "columns"],
    ]);
    expect(refused.find(({ code }) => code === "duplicate_key")?.reason).toContain("line 2");
    expect(staged).toMatchObject({ records: 1, rows: 7 });
  });

  test("is read from a gzip file, and refused if that is truncated", async () => {
    const packed = gzipSync(sdmx("~DE,2020,1,\n~AT,2020,2,\n"));
    expect((await readText("a.csv.gz", packed)).staged.records).toBe(2);
    expect((await refusalOf(readText("a.csv.gz", packed.subarray(0, packed.length - 12)))).code).toBe("truncated");
  });
});

describe("bulk TSV", () => {
  const header = "freq,unit,geo\\TIME_PERIOD\t2020 \t2019 \n";

  test("splits key and flag, and keeps missing values", async () => {
    const { table } = await readText(
      "estat_x_1.tsv",
      `${header}A,EUR_HAB,DE\t12 p\t: \nA,EUR_HAB,EU27_2020\t-3.5 \t: c\n`,
    );
    expect(brief(figuresOf(table))).toEqual([
      ["DE", "2019", null, ":", ""],
      ["EU", "2019", null, ":", "c"],
      ["DE", "2020", 12, null, "p"],
      ["EU", "2020", -3.5, null, ""],
    ]);
    expect(table.facts.code).toBe("x_1");
    expect(table.indicators().map(({ unit }) => unit)).toEqual(["EUR per inhabitant"]);
  });

  test("refuses a truncated row, and a cell that is not a number", async () => {
    const { refused } = await readText(
      "x.tsv",
      `${header}A,NR,DE\t1 \t2 \nA,NR,AT\t1 \nA,NR,FR\tabc\t2 \nA,NR\t1 \t2 \n`,
    );
    expect(refused.map(({ line, code }) => [line, code])).toEqual([
      [3, "columns"],
      [4, "not_a_number"],
      [5, "columns"],
    ]);
  });
});

describe("JSON-stat", () => {
  const cube = {
    class: "dataset",
    id: ["unit", "geo", "time"],
    size: [1, 2, 2],
    role: { time: ["time"], geo: ["geo"] },
    dimension: {
      unit: { category: { index: ["NR"] } },
      geo: { category: { index: { AT: 0, DE: 1 } } },
      time: { category: { index: { "2019": 0, "2020": 1 } } },
    },
    value: { "0": 1, "3": 4 },
    status: { "0": "d", "1": "." },
  };

  test("places sparse values by their offsets, and keeps a status as the reason of a gap", async () => {
    const { table } = await readText("x.json", JSON.stringify(cube), "publisher: Eurostat\n");
    expect(brief(figuresOf(table))).toEqual([
      ["AT", "2019", 1, null, "d"],
      ["DE", "2019", null, ":", ""],
      ["AT", "2020", null, ".", ""],
      ["DE", "2020", 4, null, ""],
    ]);
  });

  test("is refused if truncated, of another format, or larger than possible", async () => {
    const text = JSON.stringify(cube);
    expect((await refusalOf(readText("x.json", text.slice(0, 80)))).code).toBe("truncated");
    expect((await refusalOf(readText("x.json", '{"status":{"value":":"},"wsVersion":"V1_1"}'))).code).toBe("format");
    const bomb = { ...cube, size: [1, 1e6, 1e6] };
    expect((await refusalOf(readText("x.json", JSON.stringify(bomb)))).code).toBe("too_long");
  });
});

const mapping = "publisher: Me\nplace: {column: geo}\nperiod: {column: year}\nvalue: v\nunit: {fixed: persons}\n";

describe("plain tables", () => {
  test("detect decimal and thousands separators, and report them", async () => {
    const { table, staged } = await readText("a.csv", "geo;year;v\nDE;2020;1.234.567,5\nAT;2020;12\n", mapping);
    expect(figuresOf(table).map(({ value }) => value)).toEqual([12, 1234567.5]);
    expect(staged.reading.decided).toEqual({ encoding: "utf-8", delimiter: ";", decimal: ",", thousands: "." });
  });

  test("ask if a number can be read in two ways", async () => {
    const text = "geo;year;v\nDE;2020;1,234\nAT;2020;2,500\n";
    expect((await refusalOf(readText("a.csv", text, mapping))).hint).toContain("decimal");
    const { table } = await readText("a.csv", text, `${mapping}decimal: ","\n`);
    expect(figuresOf(table).map(({ value }) => value)).toEqual([2.5, 1.234]);
  });

  test("distinguish the reasons of missing figures, none of which is zero", async () => {
    const { table } = await readText(
      "a.csv",
      "geo;year;v\nDE;2018;-\nDE;2019;.\nDE;2020;...\nDE;2021;0\nDE;2022;\n",
      mapping,
    );
    expect(figuresOf(table).map(({ value, missing }) => [value, missing])).toEqual([
      [null, "-"],
      [null, "."],
      [null, "..."],
      [0, null],
      [null, ":"],
    ]);
  });

  test("refuse values of a column that changes its type midway", async () => {
    const rows = Array.from({ length: 3000 }, (_, i) => `DE;${1000 + i};${i < 2500 ? i : "n.v."}`).join("\n");
    const { refused, staged } = await readText("a.csv", `geo;year;v\n${rows}\n`, mapping);
    expect(staged.records).toBe(2500);
    expect(new Set(refused.map(({ code }) => code))).toEqual(new Set(["not_a_number"]));
  });

  test("are read wide by year, below a title and above a footer", async () => {
    const text = 'Source,World Bank\n\n"Country",2019,2020\n"Austria",1,2\n"Atlantis",3,4\nNote,,\nAustria,9,9\n';
    const wide =
      "publisher: W\nplace: {column: Country}\nperiod: {columns: '^\\d{4}$'}\nunit: {fixed: persons}\nheader_line: 3\nfooter: Note\n";
    const { table, refused } = await readText("a.csv", text, wide);
    expect(brief(figuresOf(table)).map(([place, period, value]) => [place, period, value])).toEqual([
      ["AT", "2019", 1],
      ["AT", "2020", 2],
    ]);
    expect(refused.map(({ line, code }) => [line, code])).toEqual([[5, "unknown_country"]]);
  });

  test("refuse a unit that the mapping does not list, and multiply one that it does", async () => {
    const units = `${mapping.replace("{fixed: persons}", "{column: u}")}units: {'1000': {unit: persons, multiply: 1000}}\n`;
    const { table, refused } = await readText("a.csv", "geo;year;v;u\nDE;2020;5;1000\nAT;2020;5;jew. ME\n", units);
    expect(figuresOf(table).map(({ value, unit }) => [value, unit])).toEqual([[5000, "persons"]]);
    expect(refused.map(({ line, code }) => [line, code])).toEqual([[3, "unit"]]);
  });

  test("in Windows-1250 are recognised, and damaged text is refused row by row", async () => {
    const central = Buffer.from("geo;year;v;n\nCZ;2020;1;\x8elutice ne\x9alo\n", "latin1");
    const named = `${mapping}group: [n]\n`;
    const { table, staged } = await readText("a.csv", central, named);
    expect([staged.reading.decided.encoding, figuresOf(table)[0]?.group]).toEqual([
      "windows-1250",
      { n: "Žlutice nešlo" },
    ]);
    const mixed = Buffer.concat([
      Buffer.from("geo;year;v;n\nCZ;2020;1;Žlutice a šťáva\nCZ;2021;1;"),
      central.subarray(24),
      Buffer.from("CZ;2022;1;Žlutice\n"),
    ]);
    const { refused, staged: kept } = await readText("a.csv", mixed, named);
    expect([kept.records, refused.map(({ line, code }) => [line, code])]).toEqual([2, [[3, "damaged_text"]]]);
  });

  test("in two encodings are refused in the rows of the less frequent one", async () => {
    const [western, wide] = [(text: string) => Buffer.from(text, "latin1"), (text: string) => Buffer.from(text)];
    const rows = [western("geo;year;v;n\nDE;2020;1;München\nDE;2021;1;Köln\nDE;2022;1;Düren\n")];
    rows.push(wide("DE;2023;1;Nürnberg – Süd\nDE;2024;1;Žilina\n"), western("DE;2025;1;Münster ÄÖÜ\n"));
    const said = `${mapping}group: [n]\n`;
    const { refused, staged, table } = await readText("a.csv", Buffer.concat(rows), said);
    expect([staged.reading.decided.encoding, figuresOf(table).map(({ group }) => group.n)]).toEqual([
      "windows-1252",
      ["München", "Köln", "Düren", "Münster ÄÖÜ"],
    ]);
    expect(refused.map(({ line, code }) => [line, code])).toEqual([
      [5, "damaged_text"],
      [6, "damaged_text"],
    ]);
    const forced = await readText("a.csv", Buffer.concat(rows), `${said}encoding: windows-1252\n`);
    expect(forced.refused).toEqual([]);
  });

  test("never compute: a formula in a cell is refused, in words as in figures", async () => {
    const { refused } = await readText(
      "a.csv",
      "geo;year;v;n\nDE;2020;=2+3;a\nAT;2020;1;=HYPERLINK(0)\nFR;2020;-1;b\nIT;2020;1;+cmd|' /C calc'!A0\nES;2020;1;-SUM(A1)\nPL;2020;1;- of it (all)\n",
      `${mapping}group: [n]\n`,
    );
    expect(refused.map(({ line, code }) => [line, code])).toEqual([
      [2, "formula"],
      [3, "formula"],
      [5, "formula"],
      [6, "formula"],
    ]);
  });

  test("report figures that are too large for all of their digits, in every format", async () => {
    const note = "figures beyond 9,007,199,254,740,991: 2, of which 15 digits are kept";
    const rows = "DE;2020;9007199254740993\nAT;2020;-9007199254740993\nFR;2020;9007199254740991\n";
    expect((await readText("a.csv", `geo;year;v\n${rows}`, mapping)).staged.reading.notes).toEqual([note]);
    const table = sdmx("~DE,2020,9007199254740993,\n~AT,2020,1e16,\n~FR,2020,0.1234567890123456,\n");
    expect((await readText("a.csv", table)).staged.reading.notes).toEqual([note]);
    expect((await readText("a.csv", "geo;year;v\nDE;2020;1\n", mapping)).staged.reading.notes).toEqual([]);
  });

  test("distinguish an extra empty cell from one that is filled", async () => {
    const { refused, staged } = await readText("a.csv", "geo;year;v\nDE;2020;1;\nAT;2020;1;2\nFR;2020\n", mapping);
    expect([staged.records, refused.map(({ line, code }) => [line, code])]).toEqual([
      1,
      [
        [3, "columns"],
        [4, "columns"],
      ],
    ]);
  });

  test("continue after a row with a misplaced quote, but not after one that is never closed", async () => {
    const { refused, staged } = await readText("a.csv", 'geo;year;v\nDE;2020;1\n"A"T;2020;1\nFR;2020;1\n', mapping);
    expect([staged.records, refused.map(({ line, code }) => [line, code])]).toEqual([2, [[3, "unknown_country"]]]);
    const open = readText("a.csv", 'geo;year;v\nDE;2020;1\n"AT;2020;1\nFR;2020;1\n', mapping);
    expect((await refusalOf(open)).code).toBe("malformed");
  });

  test("without a mapping, or with one that names none of their columns, are refused with a hint", async () => {
    expect((await refusalOf(readText("a.csv", "geo;year;v\nDE;2020;1\n"))).hint).toContain("--mapping");
    expect((await refusalOf(readText("a.csv", "geo;year;w\nDE;2020;1\n", mapping))).message).toContain('"v"');
  });
});

describe("columns with the same name", () => {
  const rows = "geo;year;v;v;V\nDE;2020;10;99;7\n";
  const naming = (value: string): string => mapping.replace("value: v", `value: "${value}"`);

  test("are refused if the mapping names them, with their positions, of which it may then name one", async () => {
    const { code, message, hint } = await refusalOf(readText("a.csv", rows, mapping));
    expect([code, message]).toEqual(["columns", '2 columns are called "v": #3, #4']);
    expect(hint).toContain('"#3"');
    for (const [value, figure] of [
      ["#3", 10],
      ["#4", 99],
      ["V", 7],
    ] as const) {
      const { table } = await readText("a.csv", rows, naming(value));
      expect([value, figuresOf(table)[0]?.value]).toEqual([value, figure]);
    }
  });

  test("are read if the mapping does not name them", async () => {
    const { table } = await readText("a.csv", "geo;year;v;note;note\nDE;2020;1;a;b\n", mapping);
    expect(figuresOf(table)).toMatchObject([{ value: 1 }]);
  });
});

/** Builds a workbook whose cells are XML; every sheet has the same content. */
function workbook(rows: readonly (readonly string[])[], sheets: readonly string[] = ["Data"]): Uint8Array {
  const main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
  const office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
  const related = (type: string, targets: readonly string[]): string =>
    `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${targets
      .map((target, i) => `<Relationship Id="rId${i + 1}" Type="${office}/${type}" Target="${target}"/>`)
      .join("")}</Relationships>`;
  const cells = rows.map(
    (row, i) =>
      `<row r="${i + 1}">${row.map((cell, k) => cell.replace("<c", `<c r="${"ABC"[k]}${i + 1}"`)).join("")}</row>`,
  );
  const files = sheets.map((_, i) => `worksheets/sheet${i + 1}.xml`);
  const listed = sheets.map((name, i) => `<sheet name="${name}" sheetId="${i + 1}" r:id="rId${i + 1}"/>`).join("");
  const sheet = strToU8(`<worksheet ${main}><sheetData>${cells.join("")}</sheetData></worksheet>`);
  return zipSync({
    "_rels/.rels": strToU8(related("officeDocument", ["xl/workbook.xml"])),
    "xl/_rels/workbook.xml.rels": strToU8(related("worksheet", files)),
    "xl/workbook.xml": strToU8(`<workbook ${main} xmlns:r="${office}"><sheets>${listed}</sheets></workbook>`),
    ...Object.fromEntries(files.map((file) => [`xl/${file}`, sheet])),
  });
}
const words = (text: string): string => `<c t="inlineStr"><is><t>${text}</t></is></c>`;

describe("workbooks", () => {
  test("are read with their row numbers; a formula's stored result is used, and reported", async () => {
    const rows = [
      [words("geo"), words("year"), words("v")],
      [words("DE"), "<c><v>2020</v></c>", "<c><v>12.5</v></c>"],
      [words("AT"), "<c><v>2020</v></c>", "<c><f>1+1</f><v>2</v></c>"],
      [words("QQ"), "<c><v>2020</v></c>", "<c><v>3</v></c>"],
    ];
    const { table, refused, staged } = await readText("a.xlsx", workbook(rows), mapping);
    expect(figuresOf(table).map(({ place, value }) => [place, value])).toEqual([
      ["AT", 2],
      ["DE", 12.5],
    ]);
    expect(refused.map(({ line, code }) => [line, code])).toEqual([[4, "unknown_country"]]);
    expect(staged.reading.notes).toEqual(["formulas in 1 cells: their stored results were read"]);
  });

  test("with several sheets report which was read, and which were not unless one is named", async () => {
    const row = [words("DE"), "<c><v>2020</v></c>", "<c><v>1</v></c>"];
    const book = workbook([[words("geo"), words("year"), words("v")], row], ["Lidé &amp; domy", "2020", "Poznámky"]);
    const read = async (sheet?: string) => {
      const said = sheet === undefined ? mapping : `${mapping}sheet: "${sheet}"\n`;
      const { decided, notes } = (await readText("a.xlsx", book, said)).staged.reading;
      return [decided.sheet, ...notes];
    };
    const note = 'only its first sheet, "Lidé & domy", was read, not "2020", "Poznámky": set `sheet` to read another';
    expect(await read()).toEqual(["Lidé & domy", note]);
    for (const [named, sheet] of [
      ["Poznámky", "Poznámky"],
      ["3", "Poznámky"],
      ["2020", "2020"],
      ["1", "Lidé & domy"],
    ])
      expect(await read(named)).toEqual([sheet]);
    const { code, message } = await refusalOf(readText("a.xlsx", book, `${mapping}sheet: Nikde\n`));
    expect([code, message.includes("Nikde")]).toEqual(["malformed", true]);
  });

  test("that are damaged, or exceed the limit when unpacked, are refused", async () => {
    const whole = workbook([[words("geo"), words("year"), words("v")]]);
    expect((await refusalOf(readText("a.xlsx", whole.subarray(0, whole.length / 2), mapping))).code).toBe("malformed");
    const bomb = zipSync({ "xl/worksheets/sheet1.xml": new Uint8Array(170 << 20) });
    expect((await refusalOf(readText("a.xlsx", bomb, mapping))).code).toBe("too_long");
  });
});

describe("input that is not a table", () => {
  test("an endless line is refused before it fills the memory", async () => {
    const bomb = Buffer.alloc(32 << 20, "x");
    Buffer.from("geo;year;v\nDE;2020;").copy(bomb);
    expect((await refusalOf(readText("a.csv", bomb, mapping))).code).toBe("too_long");
  });

  test("a picture, an empty file, XML and a publisher's error page are distinguished", async () => {
    expect((await refusalOf(readText("a.csv", new Uint8Array([0x89, 0x50, 0, 0, 1, 2])))).code).toBe("format");
    expect((await refusalOf(readText("a.csv", " \n"))).code).toBe("empty");
    expect((await refusalOf(readText("a.xml", "<a/>"))).hint).toContain("SDMX-CSV");
    const footer = '<mes:Footer><footer:Message code="413" severity="Information"/></mes:Footer>';
    expect((await refusalOf(readText("a.xml", footer))).message).toContain("413");
  });

  test("a mapping with an unknown word is refused with its line", async () => {
    expect(() => readText("a.csv", "a", "publisher: x\nvalues: 3\ncolour: red\n")).toThrow(/line 2.*\n.*line 3/);
  });
});

test("rows of entities have their fields under the mapping's names, by key", async () => {
  const text = "REG;NAME;ORT\n7;Müller & Co;Köln\n8;Maier;Ulm\n7;Again;Ulm\n;None;Ulm\n";
  const said = "publisher: R\nrows: entities\nkey: [REG]\nfields: {name: NAME, city: ORT}\n";
  const { table, refused } = await readText("a.csv", text, said, "entities");
  expect(table.entities("", 10)).toEqual([
    { key: "7", fields: { name: "Müller & Co", city: "Köln" }, line: 2 },
    { key: "8", fields: { name: "Maier", city: "Ulm" }, line: 3 },
  ]);
  expect(table.entities("7", 10).map(({ key }) => key)).toEqual(["8"]);
  expect(refused.map(({ line, code }) => [line, code])).toEqual([
    [4, "duplicate_key"],
    [5, "empty"],
  ]);
});
