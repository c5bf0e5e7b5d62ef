import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { block, heading, tableBlocks } from "../../src/knowledge/corpus/blocks.ts";
import { chunk } from "../../src/knowledge/corpus/chunk.ts";
import { documentReading } from "../../src/knowledge/corpus/computation.ts";
import { extract } from "../../src/knowledge/corpus/extract.ts";
import { checkFacts } from "../../src/knowledge/corpus/facts.ts";
import { readManifest } from "../../src/knowledge/corpus/manifest.ts";
import { continues, LineJoiner } from "../../src/knowledge/corpus/paragraphs.ts";
import { structure } from "../../src/knowledge/corpus/structure.ts";
import { docxOf, paragraph, pdfOfContent } from "../support/corpus-files.ts";
import { computing } from "../support/services.ts";

/** Small files designed to be expensive. The work is bounded by a count: of depth, bytes or characters scanned. */

setDefaultTimeout(600_000);

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const blocksOf = async (file: string, text: string) => (await extract(file, bytesOf(text), () => undefined)).blocks;
const refusalOf = (file: string, bytes: Uint8Array): Promise<unknown> =>
  extract(file, bytes, () => undefined).then(
    () => "taken",
    (error: { code?: string }) => error.code ?? error,
  );

describe("nesting", () => {
  test("a Word document with elements nested deeper than a thousand is refused", async () => {
    const nested = (depth: number) => `${"<w:tbl><w:tr><w:tc>".repeat(depth)}${"</w:tc></w:tr></w:tbl>".repeat(depth)}`;
    expect(await refusalOf("a.docx", docxOf(paragraph("Byt") + nested(300)))).toBe("taken");
    const bomb = docxOf(nested(250_000));
    expect(bomb.length).toBeLessThan(60_000);
    expect(await refusalOf("a.docx", bomb)).toBe("broken");
  });

  test("a list's level and a number's text are limited to what word processors produce", async () => {
    const numbering = `<w:numbering xmlns:w="w"><w:abstractNum w:abstractNumId="1">
      <w:lvl w:ilvl="0"><w:start w:val="4000000"/><w:numFmt w:val="upperRoman"/><w:lvlText w:val="%1${"x".repeat(500)}"/></w:lvl>
      <w:lvl w:ilvl="900000000"><w:lvlText w:val="%1"/></w:lvl>
    </w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="1"/></w:num></w:numbering>`;
    const body = paragraph("one", 0) + paragraph("two", 900_000_000);
    const { blocks } = await extract("a.docx", docxOf(body, { numbering }), () => undefined);
    expect(blocks.map(({ text }) => text)).toEqual([`4000000${"x".repeat(98)} one`, "two"]);
  });

  test("Markdown with quotes or lists nested deeper than a hundred is refused", async () => {
    expect(await refusalOf("a.md", bytesOf(`${">".repeat(90)} text`))).toBe("taken");
    for (const mark of [">", "- ", "1. "])
      expect([mark, await refusalOf("a.md", bytesOf(`${mark.repeat(20_000)}text`))]).toEqual([mark, "broken"]);
  });

  test("HTML with elements nested deeper than five hundred is refused", async () => {
    expect(await refusalOf("a.html", bytesOf(`<p>text${"<div>".repeat(600)}`))).toBe("broken");
    expect(await refusalOf("a.md", bytesOf(`<table>\n${"<div>".repeat(600)}\n</table>`))).toBe("broken");
  });
});

describe("compressed content", () => {
  test("a Word document whose text unpacks to more than 24 MiB is refused before it is read", async () => {
    const cells = (count: number) =>
      docxOf(`<w:tbl><w:tr>${`<w:tc>${paragraph("a")}</w:tc>`.repeat(count)}</w:tr></w:tbl>`);
    const size = `<w:tc>${paragraph("a")}</w:tc>`.length;
    const bomb = cells(Math.ceil((25 * 2 ** 20) / size));
    expect(bomb.length).toBeLessThan(150_000);
    expect(await refusalOf("a.docx", bomb)).toBe("too_large");
    expect(await refusalOf("a.docx", cells(1_000))).toBe("taken");
  });

  test("a Word document that unpacks to almost as much is read within its memory budget, even as one paragraph", async () => {
    // A single letter outside Latin-1 doubles the memory of a text.
    const bytes = docxOf(paragraph(`ě${"some words ".repeat((23.9 * 2 ** 20) / 11)}`));
    expect(bytes.length).toBeLessThan(100_000);
    const told = { product_line: "all", carrier: "Testovna", document_type: "terms" } as const;
    const facts = checkFacts({ market: "CZ", provenance: "sample", language: "en", title: "Terms", ...told });
    const read = await computing.run(documentReading, { file: "a.docx", bytes, facts }, { firm: "operator" });
    // Everything was split into chunks, of which there were too many; running out of memory would give another error.
    const refused = { code: "too_large" as const, message: "it has more than 12000 passages: split it" };
    expect(read).toEqual({ refused });
  });

  test("a PDF whose content unpacks to more than 16 MiB is refused before it is read", async () => {
    const content = (bytes: number) =>
      Buffer.alloc(bytes, " ").fill("BT /F1 12 Tf 50 700 Td (Damage by fire and by water is insured) Tj ET", 0, 69);
    const bomb = pdfOfContent(content(17 * 2 ** 20));
    expect(bomb.length).toBeLessThan(200_000);
    expect(await refusalOf("a.pdf", bomb)).toBe("too_large");
    expect(await refusalOf("a.pdf", pdfOfContent(content(2 ** 20)))).toBe("taken");
  });

  test("a PDF page with more text than a page can hold is refused", async () => {
    const runs = Array.from(
      { length: 100_500 },
      (_, i) => `1 0 0 1 ${(i % 300) * 1.9} ${Math.floor(i / 300) * 2} Tm (a) Tj`,
    );
    expect(await refusalOf("a.pdf", pdfOfContent(Buffer.from(`BT /F1 1 Tf ${runs.join("\n")} ET`)))).toBe("too_large");
  });
});

describe("long texts", () => {
  test("lines are joined by inspecting only the last one", () => {
    const joiner = new LineJoiner();
    let looked = 0;
    for (let i = 0; i < 20_000; i++) {
      looked += joiner.lastLine.length + (joiner.asTitle?.length ?? 0);
      expect(joiner.isEmpty || continues(joiner, "b")).toBe(true);
      joiner.add("b");
    }
    // Two characters per line, and those of texts short enough for a title.
    expect(looked).toBeLessThan(20_000 * 2 + 60 * 60);
    expect(joiner.take()).toHaveLength(2 * 20_000 - 1);
    expect(joiner.isEmpty).toBe(true);
  });

  test("half a million lines of one letter are a paragraph, in text and in Markdown", async () => {
    const lines = "a\n".repeat(500_000);
    for (const file of ["a.txt", "a.md"])
      expect((await blocksOf(file, lines)).map(({ text }) => text.length)).toEqual([999_999]);
  });

  test("rows of dots and brackets, and unclosed tags and comments, are read in one pass", async () => {
    const many = 100_000;
    expect(structure([block("paragraph", `${". ".repeat(many)}x`)], "text")).toHaveLength(1);
    for (const part of ["[", "![a](", "[b](#c)", "<!-- ", "<a ", "`", "*a_", "[^", "<http:"])
      expect([part, (await blocksOf("a.md", `text ${part.repeat(many / part.length)}`)).length]).toEqual([part, 1]);
    expect(await blocksOf("a.html", `<p>text<i ${"<x ".repeat(many)}`)).toHaveLength(1);
  });

  test("HTML is refused if unclosed tags make more elements than the page has tags", async () => {
    const open = Array.from({ length: 300 }, (_, i) => `<code id="${i}">`).join("");
    expect(await refusalOf("a.html", bytesOf(`<p>${open}${"<p>text".repeat(300)}`))).toBe("broken");
    const closed = "<p><code>a</code><b>b<i>c</b></i>".repeat(300);
    expect(await blocksOf("a.html", closed)).toHaveLength(300);
  });

  test("a menu of fifty thousand entries leaves a page without text", async () => {
    const menu = '<i class="menu">x</i>'.repeat(25_000);
    expect((await blocksOf("a.html", `<body>${menu}<p>text</p>${menu}</body>`)).map(({ text }) => text)).toEqual([
      "text",
    ]);
  });

  test("a long title is truncated where each section repeats it, and a long text is no column heading", () => {
    const long = "x".repeat(100_000);
    const [first] = structure([heading(long, 1), block("paragraph", "text")], "markdown");
    expect(first?.path.map((title) => title.length)).toEqual([300]);
    const rows = tableBlocks(
      [
        [long, "b"],
        ["1", "2"],
        ["3", "4"],
      ],
      null,
      true,
    );
    expect(rows.map(({ text }) => text.length)).toEqual([100_003, 4, 4]);
  });

  test("titles without text below them become the text of one section, each once", () => {
    const titles = Array.from({ length: 50_000 }, (_, i) => heading(`T${i}`, 2));
    const sections = structure([heading("Top", 1), ...titles], "markdown");
    expect(sections.map(({ blocks }) => blocks.length)).toEqual([50_000]);
    expect(chunk(sections).chunks.length).toBeGreaterThan(200);
  });

  test("a manifest of a hundred thousand entries has the line of each", () => {
    const entries = Array.from({ length: 100_000 }, (_, i) => `{"file": "${i}.pdf"}`);
    const lines = readManifest("manifest.json", bytesOf(`[\n${entries.join(",\n")}\n]`)).map(({ line }) => line);
    expect([lines[0], lines[99_999]]).toEqual([2, 100_001]);
  });
});
