import { describe, expect, test } from "bun:test";
import type { Extracted } from "../../src/knowledge/corpus/blocks.ts";
import { chunk } from "../../src/knowledge/corpus/chunk.ts";
import { extract } from "../../src/knowledge/corpus/extract.ts";
import { structure } from "../../src/knowledge/corpus/structure.ts";

const read = (file: string, bytes: Uint8Array): Promise<Extracted> => extract(file, bytes, () => undefined);
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const shown = ({ blocks }: Extracted): string[] => blocks.map(({ kind, text }) => `${kind} ${text}`);
const chunksOf = ({ blocks, format }: Extracted) => chunk(structure(blocks, format)).chunks;

describe("Markdown and text", () => {
  test("Markdown's markup is not text, and its tables repeat their header", async () => {
    const extracted = await read(
      "a.md",
      bytesOf(
        "---\ntitle: X\n---\n# Podmínky\n\nKryjeme **požár** a [vodu](http://x.cz).\n\n| Věc | Limit |\n|---|---|\n| Kolo | 30 000 Kč |\n\n- první\n- druhá\n\nVýluky\n------\n\n5\\.1 Válka\\.\n",
      ),
    );
    expect(shown(extracted)).toEqual([
      "heading Podmínky",
      "paragraph Kryjeme požár a vodu.",
      "row Věc: Kolo; Limit: 30 000 Kč",
      "item první",
      "item druhá",
      "heading Výluky",
      "paragraph 5.1 Válka.",
    ]);
  });

  const markdown = async (text: string) => shown(await read("a.md", bytesOf(text)));

  test("Markdown's lists keep their numbers, lose their bullets, and end where they should", async () => {
    expect(await markdown("1. one\n2) two\n\n   more of it\n\n* a\n  b\n    - c\n\nText\n- d\n\n3.\n\nAlone")).toEqual([
      "item 1. one",
      "item 2) two",
      "paragraph more of it",
      "item a b",
      "item c",
      "paragraph Text",
      "item d",
      "paragraph 3.",
      "paragraph Alone",
    ]);
    expect(await markdown("\\- escaped\n\n    indented is no code\n\n12. 5. 2026 is a day")).toEqual([
      "item escaped",
      "paragraph indented is no code",
      "item 12. 5. 2026 is a day",
    ]);
  });

  test("Markdown's headings are lines with # and underlined lines, not a line above a rule", async () => {
    const long =
      "A paragraph which is long enough that the dashes below it are a rule between it and the next, and certainly no sign of a title.";
    expect(await markdown(`One\n===\n\ntwo\nlines\n---\n\n${long}\n---\n\n### Three ###\n#no`)).toEqual([
      "heading One",
      "paragraph two lines",
      `paragraph ${long}`,
      "heading Three",
      "paragraph #no",
    ]);
  });

  test("Markdown's links, notes, code, breaks, entities and tags are read as their text", async () => {
    const text =
      'See [the **law**](http://x.cz "T"), <http://y.cz>, ![picture](p.png)`a*b` and [ref].[^1]\nfur-\nnish<br>&amp; <b>bold</b> [2](#n2) 3 < 5 <!-- a\n\ncomment -->\n\n[^1]: Footnote.\n\n[ref]: http://z.cz\n\n```\none\n\ntwo\n```';
    expect(await markdown(text)).toEqual([
      "paragraph See the law, http://y.cz, a*b and ref. furnish & bold 3 < 5",
      "paragraph Footnote.",
      "paragraph one",
      "paragraph two",
    ]);
  });

  test("Markdown may contain HTML tables and lists, with blank lines inside", async () => {
    const table = "<table>\n<tr><th>Peril</th><th>Limit</th></tr>\n\n<tr><td>Fire</td><td>100</td></tr>\n</table>";
    expect(
      await markdown(
        `Before\n${table}\nAfter **it**\n\n<ul>\n<li>a\n\n<li>b\n</ul>\n\n| x | y |\n|---|:-:|\n| 1 \\| 2 | *3* |`,
      ),
    ).toEqual([
      "paragraph Before",
      "row Peril: Fire; Limit: 100",
      "paragraph After it",
      "item a",
      "item b",
      "row x: 1 | 2; y: 3",
    ]);
  });

  test("Markdown's marked page breaks count its pages", async () => {
    const { blocks, pages } = await read(
      "a.md",
      bytesOf('one\n\n<!-- PageBreak -->\n\n<!-- PageHeader="x" -->\n\ntwo\n\n\\newpage\n\nthree'),
    );
    expect(pages).toBe(3);
    expect(blocks.map(({ page, text }) => `${page} ${text}`)).toEqual(["1 one", "2 two", "3 three"]);
  });

  test("clauses of a text are found, and a form feed ends a page", async () => {
    const extracted = await read(
      "a.txt",
      bytesOf("POJISTNÉ PODMÍNKY\n\nČlánek 1\nPředmět\n1.1 Pojištěn je\nbyt.\n\f§ 2 Výluky\n\nVálka není kryta."),
    );
    expect(chunksOf(extracted).map(({ page, heading, text }) => [page, heading, text])).toEqual([
      [1, "POJISTNÉ PODMÍNKY > Článek 1 Předmět > 1.1", "1.1 Pojištěn je byt."],
      [2, "POJISTNÉ PODMÍNKY > § 2 Výluky", "Válka není kryta."],
    ]);
  });

  test("a number that a law prints before its group's title stays with its section", async () => {
    const extracted = await read(
      "a.md",
      bytesOf("##### § 2766\n\n#### Pojištěný\n\nPojištěným je osoba.\n\n##### § 2767\n\nDruhý."),
    );
    expect(chunksOf(extracted).map(({ heading }) => heading)).toEqual(["Pojištěný > § 2766", "Pojištěný > § 2767"]);
  });

  test("a table of contents is omitted, and a title without text is kept", async () => {
    const extracted = await read(
      "a.txt",
      bytesOf(
        "Obsah\n\nČlánek 1 Předmět ........ 3\nČlánek 2 Výluky ......... 4\n\nČlánek 1 Předmět\n\nByt je pojištěn.\n\nČlánek 2 Výluky\n\n2.1 Válka\n\n2.2 Povodeň",
      ),
    );
    expect(chunksOf(extracted).map(({ heading, text }) => `${heading}: ${text}`)).toEqual([
      "Článek 1 Předmět: Byt je pojištěn.",
      "Článek 2 Výluky > 2.1–2.2: 2.1 Válka\n2.2 Povodeň",
    ]);
  });
});
