import { describe, expect, test } from "bun:test";
import { PDFDocument, StandardFonts } from "pdf-lib";
import type { Extracted } from "../../src/knowledge/corpus/blocks.ts";
import { extract } from "../../src/knowledge/corpus/extract.ts";
import { docxOf, lines, noted, pdfOf, type Set as TextSet } from "../support/corpus-files.ts";

/** No part of a document changes or disappears silently: figures keep their values, and omissions are noted. */

const quiet = () => undefined;
const read = (file: string, text: string | Uint8Array): Promise<Extracted> =>
  extract(file, typeof text === "string" ? new TextEncoder().encode(text) : text, quiet);
const linesOf = ({ blocks }: Extracted): string[] => blocks.map(({ text }) => text);
const page = (body: string): Promise<Extracted> => read("page.html", `<!doctype html><body>${body}</body>`);

describe("HTML", () => {
  test.each([
    ["do výše 5 000<sup>1</sup> Kč", "do výše 5 000¹ Kč"],
    ['do výše 5 000<sup><a href="#fn12">12</a></sup> Kč', "do výše 5 000¹² Kč"],
    ["do výše 5 000<sup>1)</sup> Kč, 300<sup>a)</sup> Kč", "do výše 5 000¹⁾ Kč, 300a⁾ Kč"],
    ["10<sup>6</sup> Kč, 10<sup>2</sup> m, 80 m<sup>2</sup>", "10⁶ Kč, 10² m, 80 m²"],
    ["10<sup>-3</sup> a CO<sub>2</sub>", "10⁻³ a CO₂"],
    ["4<sup>99</sup> €", "4⁹⁹ €"],
    ["1<sup>st</sup>, § 36<sup>a</sup>, Art. 805<sup>1</sup>", "1st, § 36a, Art. 805¹"],
    ["částka<sup>5 000 Kč</sup>", "částka 5 000 Kč"],
    ["rok 12<sup>2026</sup>", "rok 12 2026"],
  ])("separates superscripts from figures: %s", async (html, text) => {
    expect(linesOf(await page(`<p>${html}</p>`))).toEqual([text]);
    expect(linesOf(await page(`<table><tr><td>${html}</td></tr></table>`))).toEqual([text]);
    expect(linesOf(await read("a.md", html))).toEqual([text]);
  });

  test.each([
    ["a form around the whole page", '<form><input type="hidden"><h2>Článek 1</h2>TEXT</form>'],
    ["a form with a field", '<form><input type="text"><h2>Článek 1</h2>TEXT<button>Tisk</button></form>'],
    ["an aside", "<main><h1>Podmínky</h1><aside>TEXT</aside></main>"],
    ["an element with a name from insurance", '<section class="social-insurance"><h2>Článek 1</h2>TEXT</section>'],
    ["an element with a clause's name", '<section id="consent-clause">TEXT</section>'],
    ["an element with a layout's name", '<div class="with-sidebar"><nav><a>Domů</a></nav><h1>Podmínky</h1>TEXT</div>'],
    ["a heading with a button", "<h3><button>TEXT</button></h3><p>Ano.</p>"],
  ])("keeps the text inside %s", async (_, html) => {
    const text = "Pojištění se vztahuje na krádež do výše 5 000 Kč.";
    expect(linesOf(await page(html.replace("TEXT", text)))).toContain(text);
  });

  test("notes the text around the main part, the longest piece first", async () => {
    const extracted = await page(`<header>Přihlášení</header><nav><a>Domů</a> <a>Produkty</a></nav>
      <aside><a>Související produkty</a></aside><div class="cookie-bar">Souhlas s cookies</div>
      <form><label>Hledat v dokumentech</label><input type="text"></form>
      <h1>Podmínky</h1><p>Kryjeme krádež.</p><p hidden>Skrytý limit 900 Kč</p><script>let limit = "jen kód";</script>`);
    expect(linesOf(extracted)).toEqual(["Podmínky", "Kryjeme krádež."]);
    expect(extracted.notes).toEqual([
      'left out as outside the main text: "Související produkty", "Hledat v dokumentech", "Souhlas s cookies" and 2 more',
      'left out as hidden: "Skrytý limit 900 Kč"',
    ]);
  });

  test("notes text next to the main part, and nothing if nothing is omitted", async () => {
    const { notes } = await page("<div><p>Mimo platí limit 300 Kč.</p><main><p>Hlavní text.</p></main></div>");
    expect(notes).toEqual(['left out as outside the main text: "Mimo platí limit 300 Kč."']);
    expect((await page("<h1>Podmínky</h1><p>Kryjeme krádež.</p>")).notes).toEqual([]);
  });

  test.each([
    "<del>5 000</del> <ins>7 000</ins>",
    "<s>5 000</s> 7 000",
    "<strike>5 000</strike> 7 000",
    '<span style="text-decoration: line-through">5 000</span> 7 000',
  ])("omits struck-out text, and reports it: %s", async (html) => {
    const extracted = await page(`<p>Limit ${html} Kč</p>`);
    expect(linesOf(extracted)).toEqual(["Limit 7 000 Kč"]);
    expect(extracted.notes).toEqual(["1 place with struck-out text is left out"]);
  });
});

describe("Markdown", () => {
  test.each(["~~5 000~~ 7 000", "<del>5 000</del> <ins>7 000</ins>", "<s>5 000</s> 7 000"])(
    "omits struck-out text, and reports it: %s",
    async (marked) => {
      const table = `<table><tr><td>Limit <del>1</del>2</td></tr></table>`;
      const extracted = await read("a.md", `Limit ${marked} Kč\n\n${table}\n`);
      expect(linesOf(extracted)).toEqual(["Limit 7 000 Kč", "Limit 2"]);
      expect(extracted.notes).toEqual(["2 places with struck-out text are left out"]);
    },
  );

  test("keeps the text after markup that is never closed", async () => {
    const extracted = await read("a.md", "Limit ~~5 000 Kč, <del>nebo 7 000 Kč.\n");
    expect(linesOf(extracted)).toEqual(["Limit ~~5 000 Kč, nebo 7 000 Kč."]);
    expect(extracted.notes).toEqual([]);
  });
});

const run = (text: string, properties = ""): string =>
  `<w:r><w:rPr>${properties}</w:rPr><w:t xml:space="preserve">${text}</w:t></w:r>`;
const inParagraph = (content: string): string => `<w:p>${content}</w:p>`;
const raised = '<w:vertAlign w:val="superscript"/>';
const math = (content: string): string => `<m:oMath xmlns:m="http://schemas.openxmlformats.org/">${content}</m:oMath>`;
const term = (text: string): string => `<m:r><m:t>${text}</m:t></m:r>`;

describe("DOCX", () => {
  const body = (content: string, parts?: Record<string, string>) => read("a.docx", docxOf(content, parts));

  test("separates superscripts and subscripts from figures, by the run or by its style", async () => {
    const style = `<w:style w:type="character" w:styleId="Znak"><w:name w:val="footnote reference"/><w:rPr>${raised}</w:rPr></w:style>`;
    const based = `<w:style w:type="character" w:styleId="Dalsi"><w:name w:val="x"/><w:basedOn w:val="Znak"/></w:style>`;
    const content = [
      `${run("Limit je 5 000")}${run("1", raised)}${run(" Kč, 10")}${run("6", raised)}${run(" Kč")}`,
      `${run("Limit je 300")}${run("2", '<w:rStyle w:val="Znak"/>')}${run(" Kč a 400")}${run("3", '<w:rStyle w:val="Dalsi"/>')}`,
      `${run("CO")}${run("2", '<w:vertAlign w:val="subscript"/>')}${run(" 1", '<w:vertAlign w:val="baseline"/>')}`,
    ];
    const extracted = await body(content.map(inParagraph).join(""), {
      styles: `<w:styles xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">${style}${based}</w:styles>`,
    });
    expect(linesOf(extracted)).toEqual(["Limit je 5 000¹ Kč, 10⁶ Kč", "Limit je 300² Kč a 400³", "CO₂ 1"]);
    expect(extracted.notes).toEqual([]);
  });

  test("omits hidden and struck-out text, and reports it", async () => {
    const content = [
      run("Limit "),
      run("5 000 &amp; 1", "<w:strike/>"),
      run("7 000", '<w:strike w:val="0"/>'),
      run(" Kč"),
      run("skryto &amp; dál", "<w:vanish/>"),
      run(" zde", '<w:vanish w:val="false"/>'),
      run(" jinde", "<w:dstrike/>"),
    ];
    const note = noted("footnote", "2", "Per year.").replace("<w:r>", "<w:r><w:rPr><w:vanish/></w:rPr>");
    const extracted = await body(inParagraph(content.join("")), { footnotes: note });
    expect(linesOf(extracted)).toEqual(["Limit 7 000 Kč zde"]);
    expect(extracted.notes).toEqual([
      "2 places with struck-out text are left out",
      "2 places with hidden text are left out",
    ]);
  });

  test("decodes the characters of symbol fonts, and marks unknown ones", async () => {
    const symbol = (font: string, code: string) => `<w:r><w:sym w:font="${font}" w:char="${code}"/></w:r>`;
    const content = [
      `${run("věk ")}${symbol("Symbol", "F0B3")}${run(" 18 a ")}${symbol("Symbol", "00A3")}${run(" 65 let")}`,
      `${symbol("Wingdings", "F0FE")}${run(" ano ")}${symbol("Wingdings", "F0A8")}${run(" ne ")}${symbol("Arial", "2265")}`,
      run("\uf0b1 5 %", '<w:rFonts w:ascii="Symbol" w:hAnsi="Symbol"/>'),
      `${symbol("Monotype Sorts", "F041")}${run(" jiné")}`,
    ];
    const extracted = await body(content.map(inParagraph).join(""));
    expect(linesOf(extracted)).toEqual(["věk ≥ 18 a ≤ 65 let", "☑ ano ◻ ne ≥", "± 5 %", "\ufffd jiné"]);
    expect(extracted.notes).toEqual(["1 of its symbols is unknown, and shown as \ufffd"]);
  });

  test.each([
    [`<m:sSup><m:e>${term("10")}</m:e><m:sup>${term("6")}</m:sup></m:sSup>`, "10^6"],
    [`<m:sSup><m:e><m:d><m:e>${term("1+r")}</m:e></m:d></m:e><m:sup>${term("n+1")}</m:sup></m:sSup>`, "(1+r)^(n+1)"],
    [`<m:f><m:num>${term("a")}</m:num><m:den>${term("b+1")}</m:den></m:f>${term("≥2")}`, "a/(b+1)≥2"],
    [`<m:rad><m:deg/><m:e>${term("2")}</m:e></m:rad>`, "√2"],
    [
      `<m:d><m:dPr><m:begChr m:val="["/><m:endChr m:val="]"/></m:dPr><m:e>${term("a")}</m:e><m:e>${term("b")}</m:e></m:d>`,
      "[a | b]",
    ],
    [
      `<m:nary><m:naryPr><m:chr m:val="∑"/></m:naryPr><m:sub>${term("i")}</m:sub><m:sup>${term("n")}</m:sup><m:e>${term("x")}</m:e></m:nary>`,
      "∑_i^nx",
    ],
  ])("writes formulas in a line, and reports them: %s", async (formula, text) => {
    const extracted = await body(inParagraph(`${run("Plnění ")}${math(formula)}${run(" Kč")}`));
    expect(linesOf(extracted)).toEqual([`Plnění ${text} Kč`]);
    expect(extracted.notes).toEqual(["1 of its formulas is written on one line, as in a/b and 10^6"]);
  });

  test("notes linked content", async () => {
    const object = "<w:r><w:object><w:t>x</w:t></w:object></w:r>";
    const { notes } = await body(`${inParagraph(run("Text"))}<w:altChunk/>${inParagraph(object)}`);
    expect(notes).toEqual(["2 inserted documents, objects, charts or diagrams are left out"]);
  });
});

/** Text that starts at the top of each page, with lines 13 points apart. */
const pagesOf = (pages: readonly (readonly string[])[]) => pdfOf(pages.map((texts) => lines(texts, 40)));
const filling = (name: string): string[] => [
  `The insurer pays for the repair of the bicycle of a ${name} customer.`,
  `The ${name} customer keeps the bill and hands it over when asked.`,
  `Wear and tear is not covered for ${name}.`,
  `Loss of keys is covered for ${name} customers.`,
];
const variants = [
  { name: "Basic", sum: 10_000, deductible: 500, days: 3 },
  { name: "Comfort", sum: 25_000, deductible: 250, days: 6 },
  { name: "Premium", sum: 60_000, deductible: 100, days: 12 },
];

describe("PDF", () => {
  test("keeps lines that differ from page to page only in their amounts", async () => {
    const extracted = await read(
      "tariff.pdf",
      await pagesOf(
        variants.map(({ name, sum, deductible, days }) => [
          `Variant ${name}`,
          `Sum insured ${sum} EUR`,
          `Deductible ${deductible} EUR`,
          ...filling(name),
          "Report damage within",
          `${days} days`,
        ]),
      ),
    );
    const text = linesOf(extracted).join(" ");
    for (const { sum, deductible, days } of variants)
      for (const part of [
        `Sum insured ${sum} EUR`,
        `Deductible ${deductible} EUR`,
        `Report damage within ${days} days`,
      ])
        expect(text).toContain(part);
    expect(extracted.notes).toEqual([]);
  });

  test("keeps both halves of a sentence broken at an amount, and numbers that increase with the pages", async () => {
    const extracted = await read(
      "wrap.pdf",
      await pagesOf(
        variants.map(({ name, sum, deductible }, i) => [
          `Risk class ${i + 1}`,
          `The insurer pays at most ${sum} EUR and`,
          `for accessories at most ${deductible} EUR.`,
          ...filling(name),
          `${sum}`,
        ]),
      ),
    );
    const text = linesOf(extracted).join(" ");
    for (const [i, { sum, deductible }] of variants.entries()) {
      expect(text).toContain(`Risk class ${i + 1}`);
      expect(text).toContain(`at most ${sum} EUR and for accessories at most ${deductible} EUR.`);
    }
    expect(extracted.notes).toEqual([]);
  });

  test("omits headers and footers that are set apart or number the pages, and quotes them in a note", async () => {
    const pages = variants.map(({ name, sum }, i) => [
      { text: `Blue Lime ${i + 7}`, y: 30 },
      ...lines([`Sum insured ${sum} EUR`, ...filling(name)], 90),
      { text: "Terms of 2026", y: 800, size: 8 },
      { text: `Page ${i + 7} of 90`, y: 812, size: 8 },
    ]);
    const extracted = await read("terms.pdf", await pdfOf(pages));
    expect(linesOf(extracted).join(" ")).not.toMatch(/Blue Lime|Terms of|Page/);
    expect(linesOf(extracted).join(" ")).toContain("Sum insured 25000 EUR");
    expect(extracted.notes).toEqual([
      'left out as headers and footers: "Terms of 2026", "Page 7 of 90", "Blue Lime 7"',
    ]);
  });

  test("separates superscript digits from figures", async () => {
    const font = await (await PDFDocument.create()).embedFont(StandardFonts.Helvetica);
    const width = (text: string) => font.widthOfTextAtSize(text, 10);
    const raisedAfter = (text: string, sign: string, rest: string, y: number, by: number): TextSet[] => [
      { text, x: 60, y },
      { text: sign, x: 60 + width(text), y: y - by, size: 6 },
      { text: rest, x: 60 + width(text) + 4, y },
    ];
    const sets = [
      ...raisedAfter("Theft of a tureen is covered up to 5000", "1", " EUR for every claim.", 80, 3),
      ...raisedAfter("Theft of a soupspoon is covered up to 7000", "2", " EUR for every claim.", 110, 5.5),
      { text: "1", x: 60, y: 137, size: 6 },
      { text: "The amounts hold for the year 2026.", x: 64, y: 140 },
    ];
    expect(linesOf(await read("terms.pdf", await pdfOf([sets])))).toEqual([
      "Theft of a tureen is covered up to 5000¹ EUR for every claim.",
      "Theft of a soupspoon is covered up to 7000² EUR for every claim.",
      "¹The amounts hold for the year 2026.",
    ]);
  });
});
