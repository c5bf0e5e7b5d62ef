import { describe, expect, setDefaultTimeout, test } from "bun:test";
import type { Extracted } from "../../src/knowledge/corpus/blocks.ts";
import { type Chunk, chunk } from "../../src/knowledge/corpus/chunk.ts";
import { extract } from "../../src/knowledge/corpus/extract.ts";
import { structure } from "../../src/knowledge/corpus/structure.ts";
import {
  docxBomb,
  docxOf,
  encryptedPdf,
  lines,
  noted,
  paragraph,
  pdfOf,
  scannedPdf,
  styled,
  tableOf,
} from "../support/corpus-files.ts";

setDefaultTimeout(600_000);

const quiet = () => undefined;
const read = (file: string, bytes: Uint8Array): Promise<Extracted> => extract(file, bytes, quiet);
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const textOf = ({ blocks }: Extracted): string => blocks.map(({ text }) => text).join("\n");
const chunksOf = ({ blocks, format }: Extracted): Chunk[] => chunk(structure(blocks, format)).chunks;
const shown = ({ blocks }: Extracted): string[] => blocks.map(({ kind, text }) => `${kind} ${text}`);
const refusalOf = (file: string, bytes: Uint8Array): Promise<unknown> =>
  read(file, bytes).then(
    () => "taken",
    (error: { code?: string }) => error.code ?? error,
  );

describe("PDF", () => {
  test("keeps pages, finds clauses, and omits headers, footers and hyphenation", async () => {
    const page = (number: number, texts: readonly string[]) => [
      { text: "Blue Lime Insurance - household terms", y: 40, size: 8 },
      ...lines(texts),
      { text: `Page ${number} of 3`, x: 280, y: 810, size: 8 },
    ];
    const extracted = await read(
      "terms.pdf",
      await pdfOf([
        page(1, [
          "Article 1 Subject",
          "1.1 The insurance covers the movable things that fur-",
          "nish the home of the policyholder.",
        ]),
        page(2, [
          "Article 2 Exclusions",
          "2.1 War and nuclear radiation are not covered, nor is the",
          "wear of things that",
        ]),
        page(3, ["were old already.", "2.2 Mould is not covered."]),
      ]),
    );
    expect(extracted.pages).toBe(3);
    const chunks = chunksOf(extracted);
    expect(chunks.map(({ page, heading, text }) => ({ page, heading, text }))).toEqual([
      {
        page: 1,
        heading: "Article 1 Subject > 1.1",
        text: "1.1 The insurance covers the movable things that furnish the home of the policyholder.",
      },
      {
        page: 2,
        heading: "Article 2 Exclusions > 2.1–2.2",
        text: "2.1 War and nuclear radiation are not covered, nor is the wear of things that were old already.\n2.2 Mould is not covered.",
      },
    ]);
  });

  test("treats larger and bold lines as headings, and takes the title from them or from the file", async () => {
    const sets = [
      { text: "Travel insurance", y: 60, size: 20 },
      { text: "Medical expenses", y: 100, bold: true },
      ...lines(["Necessary treatment abroad is paid up to the limit of the contract."], 115),
      { text: "Luggage", y: 150, bold: true },
      ...lines(["A single item is paid up to 400 euros, and the deductible is 20 euros."], 165),
    ];
    const extracted = await read("travel.pdf", await pdfOf([sets]));
    expect(extracted.title).toBe("Travel insurance");
    expect(chunksOf(extracted).map(({ heading }) => heading)).toEqual([
      "Travel insurance > Medical expenses",
      "Travel insurance > Luggage",
    ]);
    expect((await read("travel.pdf", await pdfOf([sets], "Travel terms 2026"))).title).toBe("Travel terms 2026");
    expect((await read("travel.pdf", await pdfOf([sets], "terms-final.html"))).title).toBe("Travel insurance");
  });

  test("repeats a table's header with each row", async () => {
    const row = (cells: readonly string[], y: number) => cells.map((text, i) => ({ text, x: 60 + i * 160, y }));
    const sets = [
      ...lines(["The limits of this contract are these:"], 80),
      ...row(["Peril", "Limit", "Deductible"], 110),
      ...row(["Flood", "300 000", "5 000"], 124),
      ...row(["Theft", "80 000", "1 000"], 138),
    ];
    expect(textOf(await read("limits.pdf", await pdfOf([sets])))).toContain(
      "Peril: Flood; Limit: 300 000; Deductible: 5 000\nPeril: Theft; Limit: 80 000; Deductible: 1 000",
    );
  });

  test("recognises a header centred over its columns, and never takes a row of values for one", async () => {
    const row = (cells: readonly string[], y: number, by = 0) =>
      cells.map((text, i) => ({ text, x: 60 + i * 160 + by, y }));
    const values = (y: number) => [
      ...row(["Flood", "300 000", "5 000"], y),
      ...row(["Theft", "80 000", "1 000"], y + 14),
      ...row(["Storm", "90 000", "2 000"], y + 28),
    ];
    const opening = lines(["The limits of this contract are these:"], 80);
    const centred = [...opening, ...row(["Peril", "Limit", "Deductible"], 110, 40), ...values(124)];
    expect(textOf(await read("limits.pdf", await pdfOf([centred])))).toContain(
      "Peril: Flood; Limit: 300 000; Deductible: 5 000\nPeril: Theft; Limit: 80 000; Deductible: 1 000",
    );
    expect(textOf(await read("limits.pdf", await pdfOf([[...opening, ...values(124)]])))).toContain(
      "Flood; 300 000; 5 000\nTheft; 80 000; 1 000",
    );
  });

  test("reads a page of two columns one after the other", async () => {
    const column = (word: string) =>
      Array.from({ length: 14 }, (_, i) => `${word} line ${i + 1} tells of the cover and its`);
    const sets = [...lines(column("left"), 100, 50), ...lines(column("right"), 100, 320)];
    const text = textOf(await read("columns.pdf", await pdfOf([sets])));
    expect(text.indexOf("left line 14")).toBeLessThan(text.indexOf("right line 1 "));
  });

  test("reports a file as encrypted, damaged, scanned or empty", async () => {
    expect(await refusalOf("a.pdf", await encryptedPdf())).toBe("encrypted");
    expect(await refusalOf("a.pdf", bytesOf("%PDF-1.7\nand then nothing that makes sense"))).toBe("broken");
    expect(await refusalOf("a.pdf", bytesOf("no PDF at all"))).toBe("broken");
    expect(await refusalOf("a.pdf", await scannedPdf(3))).toBe("scanned");
    expect(await refusalOf("a.pdf", new Uint8Array())).toBe("empty");
  });

  test("notes individual pages without text", async () => {
    const full = lines(["The insurance covers damage by fire and by water from pipes."]);
    const { notes } = await read("a.pdf", await pdfOf([full, [], full]));
    expect(notes).toEqual(["no text on 1 of 3 pages (2)"]);
  });

  test("reads 500 pages and reports progress for each", async () => {
    const pages = Array.from({ length: 500 }, (_, i) =>
      lines([`Article ${i + 1} Clause`, `Cover number ${i + 1} holds for the whole period of insurance.`]),
    );
    const reported: number[] = [];
    const extracted = await extract("long.pdf", await pdfOf(pages), (page, of) => void reported.push(page / of));
    expect(reported).toHaveLength(500);
    expect(reported.at(-1)).toBe(1);
    const chunks = chunksOf(extracted);
    expect(chunks).toHaveLength(500);
    expect(chunks[499]).toMatchObject({ page: 500, heading: "Article 500 Clause" });
  });
});

describe("DOCX", () => {
  test("keeps headings, list numbers and tables", async () => {
    const extracted = await read(
      "podminky.docx",
      docxOf(
        [
          styled("Pojištění domácnosti", "Nadpis1"),
          paragraph("Předmět pojištění", 0),
          paragraph("Pojištěny jsou věci movité.", 1),
          paragraph("elektronika,", 2),
          paragraph("oděvy.", 2),
          paragraph("Výluky", 0),
          paragraph("Pojištění se nevztahuje na válku & terorismus.", 1),
          tableOf([
            ["Předmět", "Limit"],
            ["Cennosti", "80 000 Kč"],
          ]),
        ].join(""),
      ),
    );
    expect(textOf(extracted).split("\n")).toEqual([
      "Pojištění domácnosti",
      "Článek 1 Předmět pojištění",
      "1.1 Pojištěny jsou věci movité.",
      "a) elektronika,",
      "b) oděvy.",
      "Článek 2 Výluky",
      "2.1 Pojištění se nevztahuje na válku & terorismus.",
      "Předmět: Cennosti; Limit: 80 000 Kč",
    ]);
    expect(chunksOf(extracted).map(({ heading }) => heading)).toEqual([
      "Pojištění domácnosti > Článek 1 Předmět pojištění > 1.1",
      "Pojištění domácnosti > Článek 2 Výluky > 2.1",
    ]);
    expect(extracted.title).toBe("Pojištění domácnosti");
  });

  test("reads tracked changes as if they were accepted", async () => {
    const body = `<w:p><w:r><w:t>Limit je </w:t></w:r><w:del><w:r><w:delText>100</w:delText></w:r></w:del><w:ins><w:r><w:t>200 Kč.</w:t></w:r></w:ins></w:p>`;
    expect(textOf(await read("a.docx", docxOf(body)))).toBe("Limit je 200 Kč.");
  });

  test("keeps the number that a heading has from its style, and continues the numbering", async () => {
    const body = [styled("Předmět", "Nadpis2"), paragraph("Byt.", 1), styled("Výluky", "Nadpis2")].join("");
    expect(shown(await read("a.docx", docxOf(body)))).toEqual([
      "heading Článek 1 Předmět",
      "paragraph 1.1 Byt.",
      "heading Článek 2 Výluky",
    ]);
  });

  test("reads a footnote once, after the paragraph or table with its mark", async () => {
    const sign = '<w:r><w:footnoteReference w:id="2"/></w:r>';
    const body = [
      `<w:p><w:r><w:t>Limit 100</w:t></w:r>${sign}<w:r><w:t xml:space="preserve"> Kč.</w:t></w:r></w:p>`,
      `<w:tbl><w:tr><w:tc><w:p><w:r><w:t>Cell</w:t></w:r><w:r><w:endnoteReference w:id="2"/></w:r></w:p></w:tc></w:tr></w:tbl>`,
      `<w:p><w:r><w:t>Again</w:t></w:r>${sign}</w:p>`,
    ].join("");
    const notes = { footnotes: noted("footnote", "2", "Per year."), endnotes: noted("endnote", "2", "At the end.") };
    expect(shown(await read("a.docx", docxOf(body, notes)))).toEqual([
      "paragraph Limit 100 Kč.",
      "paragraph Per year.",
      "row Cell",
      "paragraph At the end.",
      "paragraph Again",
    ]);
  });

  test("reads nested tables, text boxes and content controls in their places", async () => {
    const inner = tableOf([
      ["a", "1"],
      ["b", "2"],
    ]);
    const table = `<w:tbl><w:tr><w:tc>${paragraph("Peril")}</w:tc><w:tc>${paragraph("Limits")}</w:tc></w:tr><w:tr><w:tc>${paragraph("Flood")}</w:tc><w:tc>${inner}</w:tc></w:tr></w:tbl>`;
    const box = `<w:p><w:r><w:t>Outside</w:t></w:r><w:r><w:txbxContent>${styled("inside", "Nadpis1")}</w:txbxContent></w:r></w:p>`;
    const control = `<w:sdt><w:sdtContent>${paragraph("Controlled")}</w:sdtContent></w:sdt>`;
    expect(shown(await read("a.docx", docxOf(table + box + control)))).toEqual([
      "row Peril: Flood; Limits: a 1 b 2",
      "paragraph Outside inside",
      "paragraph Controlled",
    ]);
  });

  test("reads no deleted or moved text, and no properties from before a change", async () => {
    const run = "<w:r><w:t>Text</w:t></w:r>";
    const body = [
      `<w:p><w:moveFrom>${run}</w:moveFrom><w:moveTo><w:r><w:t>Moved here</w:t></w:r></w:moveTo></w:p>`,
      `<w:p><w:pPr><w:pPrChange><w:pPr><w:pStyle w:val="Nadpis1"/></w:pPr></w:pPrChange></w:pPr>${run}</w:p>`,
      "<w:p><w:r><w:instrText>PAGE</w:instrText></w:r><w:r><w:t>3</w:t></w:r></w:p>",
    ].join("");
    expect(shown(await read("a.docx", docxOf(body)))).toEqual([
      "paragraph Moved here",
      "paragraph Text",
      "paragraph 3",
    ]);
  });

  test("refuses archives that exceed the limit when unpacked, without unpacking everything", async () => {
    const bomb = docxBomb(72 * 2 ** 20);
    expect(bomb.length).toBeLessThan(500_000);
    expect(await refusalOf("bomb.docx", bomb)).toBe("too_large");
  });

  test("refuses damaged archives, other archives and encrypted documents", async () => {
    const whole = docxOf(paragraph("Pojištění"));
    expect(await refusalOf("a.docx", whole.slice(0, whole.length / 3))).toBe("broken");
    expect(await refusalOf("a.docx", bytesOf("this is no archive"))).toBe("broken");
    expect(await refusalOf("a.docx", Uint8Array.from([0xd0, 0xcf, 0x11, 0xe0, 1, 2, 3]))).toBe("encrypted");
  });
});

describe("HTML", () => {
  test("omits navigation around the text, and keeps headings, lists and tables", async () => {
    const extracted = await read(
      "page.html",
      bytesOf(`<!doctype html><html lang="cs"><head><title>Pojišťovna</title><script>alert(1)</script></head><body>
        <header>Přihlášení</header><nav><a>Domů</a></nav><div class="cookie-banner">Souhlas s cookies</div>
        <main><h1>Cestovní pojištění</h1><p>Kryjeme <b>léčebné</b> výlohy.</p><h2>Limity</h2>
        <table><tr><th>Oblast</th><th>Limit</th></tr><tr><td>Evropa</td><td>5 000 000 Kč</td></tr></table>
        <ul><li>Zavazadla</li><li>Odpovědnost</li></ul></main><footer>© Pojišťovna</footer></body></html>`),
    );
    expect(textOf(extracted).split("\n")).toEqual([
      "Cestovní pojištění",
      "Kryjeme léčebné výlohy.",
      "Limity",
      "Oblast: Evropa; Limit: 5 000 000 Kč",
      "Zavazadla",
      "Odpovědnost",
    ]);
    expect([extracted.title, extracted.language]).toEqual(["Cestovní pojištění", "cs"]);
  });

  test("refuses elements nested too deep", async () => {
    const deep = `<body><p>Top</p>${"<div>".repeat(50_000)}deep${"</div>".repeat(50_000)}</body>`;
    expect(await refusalOf("deep.html", bytesOf(deep))).toBe("broken");
  });
});

test("files whose content does not match their extension are refused with that reason", async () => {
  const word = docxOf(paragraph("Pojištění kryje krádež."));
  const pdf = await pdfOf([lines(["Theft is covered."])]);
  const page = bytesOf("\uFEFF\n<!DOCTYPE html><title>Podmínky</title><p>Pojištění kryje krádež.</p>");
  const reasonOf = (file: string, bytes: Uint8Array): Promise<unknown> =>
    read(file, bytes).then(
      ({ format }) => format,
      ({ message }: Error) => message,
    );
  const said = "its content does not match its name: it is";
  expect(await reasonOf("a.pdf", word)).toBe(`${said} a Word file or another archive`);
  expect(await reasonOf("a.html", word)).toBe(`${said} a Word file or another archive`);
  for (const name of ["a.txt", "a.md"]) {
    expect(await reasonOf(name, pdf)).toBe(`${said} a PDF`);
    expect(await reasonOf(name, page)).toBe(`${said} HTML`);
  }
  expect(await reasonOf("a.docx", page)).toBe(`${said} HTML`);
  expect(await reasonOf("a.html", page)).toBe("html");
});
