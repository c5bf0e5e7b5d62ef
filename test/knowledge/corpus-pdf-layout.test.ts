import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import type { Extracted } from "../../src/knowledge/corpus/blocks.ts";
import { extract } from "../../src/knowledge/corpus/extract.ts";
import { lines, pdfOf, type Set as TextSet } from "../support/corpus-files.ts";

/**
 * Whole printed documents and how they are read. The expected results are in `golden/NAME.json`, one line per block
 * with page, kind and text. After an intended change, `GOLDEN=write bun test` of this file updates them.
 */

const row = (cells: readonly string[], y: number, by = 0): TextSet[] =>
  cells.flatMap((text, i) => (text === "" ? [] : [{ text, x: 60 + i * 150 + (i === 0 ? 0 : by), y }]));

const sentences = [
  "The insurer pays for damage to the insured things",
  "that is caused by fire, lightning, explosion or the",
  "fall of an aircraft. The limit for a single event is",
  "named in the policy, and the deductible is taken off",
  "each claim once. Damage that is caused on purpose is",
  "not covered, and neither is damage that the insured",
  "person could have prevented without any effort. A",
  "claim is made in writing within thirty days of the",
  "event, and the insurer answers within fifteen days.",
];
const column = (word: string): string[] => [
  `${word} column begins with these words and goes on.`,
  ...sentences,
  ...sentences,
];

const twoColumns: TextSet[][] = [
  [
    { text: "Household insurance: the most important terms on one page", y: 60, size: 18 },
    ...lines(column("The left"), 100, 50),
    ...lines(column("The right"), 100, 320),
    { text: "A sentence across both columns ends what is above it on this page of the policy wording.", x: 50, y: 380 },
    ...lines(column("The lower left"), 410, 50),
    ...lines(column("The lower right"), 410, 320),
  ],
];

const headings: TextSet[][] = [
  [
    { text: "General policy conditions for the insurance of", y: 60, size: 20 },
    { text: "household contents and liability", y: 84, size: 20 },
    { text: "Part A General provisions", y: 130, size: 15 },
    { text: "What is insured", y: 160, bold: true },
    ...lines(sentences.slice(0, 3), 176),
    { text: "A1-3.2 nor does the insurance", y: 224, bold: true },
    ...lines(["cover damage by war, nor by nuclear energy."], 237),
    { text: "Article 4 Exclusions", y: 270, bold: true },
    ...lines(["Mould, rot and wear are not covered by this contract.", "The same holds for vermin."], 286),
    { text: "Part B Liability", y: 340, size: 15 },
    ...lines(sentences.slice(3, 6), 366),
  ],
];

const tables: TextSet[][] = [
  [
    ...lines(["The limits of this contract are these, for each of the perils:"], 80),
    ...row(["Peril", "Limit", "Deductible"], 110),
    ...row(["Flood", "300 000", "5 000"], 124),
    ...row(["Theft", "80 000", ""], 138),
    ...row(["Storm", "90 000", "2 000"], 152),
    ...lines(["The next table has its header in the middle of its columns:"], 190),
    ...row(["Line", "Premium", "Discount"], 220, 30),
    ...row(["Motor", "4 000", "10 %"], 234),
    ...row(["Home", "2 500", "5 %"], 248),
    ...row(["Travel", "900", "0 %"], 262),
    ...lines(["Values alone have no header, and two short cells in one line are no table:"], 300),
    ...row(["Brno", "120", "14"], 330),
    ...row(["Praha", "340", "21"], 344),
    ...row(["Plzen", "75", "9"], 358),
    ...lines(["Signed in Brno by both parties on the first of May."], 400),
    ...row(["The insurer", "The policyholder"], 430),
  ],
];

const recurring = (number: number, body: readonly string[]): TextSet[] => [
  { text: "Blue Lime Insurance", x: 60, y: 30, size: 8 },
  { text: `HH-2026/${number}`, x: 480, y: 30, size: 8 },
  ...lines(body, 80),
  { text: "Valid from 1 January 2026", x: 60, y: 800, size: 8 },
  { text: `Page ${number} of 4`, x: 480, y: 812, size: 8 },
];
const headersAndFooters: TextSet[][] = [
  recurring(1, [
    "Article 1 Subject",
    "1.1 The contract covers the movable things that furnish the home, and",
    "those of",
  ]),
  recurring(2, ["guests who live there for a short time.", "1.2 Money is covered up to 500 euros."]),
  recurring(3, ["Article 2 Exclusions", "2.1 War is not covered.", "2.2 Mould is not covered."]),
  recurring(4, ["Article 3 Claims", "3.1 A claim is made in writing within thirty days of the event."]),
];

const clausesAndLists: TextSet[][] = [
  [
    ...lines(
      [
        "Article 1 Subject of the insurance",
        "(1) The insurance covers the movable things that fur-",
        "nish the home, among them",
        "a) furniture, clothes and books,",
        "b) machines for the house-",
        "hold, and their accessories,",
        "- also those in the cellar,",
        "- also those in the garage.",
        "(2) It does not cover vehicles.",
      ],
      80,
    ),
    ...lines(["A paragraph of its own follows after a gap, and", "goes on in the next line."], 230),
  ],
];

const documents: Readonly<Record<string, TextSet[][]>> = {
  "two-columns": twoColumns,
  headings,
  tables,
  "headers-and-footers": headersAndFooters,
  "clauses-and-lists": clausesAndLists,
};

const shown = ({ title, pages, blocks }: Extracted) => ({
  title,
  pages,
  blocks: blocks.map(({ page, kind, level, text }) => `${page} ${kind}${level === 0 ? "" : ` ${level}`}: ${text}`),
});

describe("the layout of printed pages", () => {
  for (const [name, pages] of Object.entries(documents))
    test(`is read as expected: ${name.replaceAll("-", " ")}`, async () => {
      const file = Bun.file(join(import.meta.dir, "golden", `${name}.json`));
      const read = shown(await extract(`${name}.pdf`, await pdfOf(pages), () => undefined));
      if (Bun.env.GOLDEN === "write") await file.write(`${JSON.stringify(read, null, 2)}\n`);
      expect(read).toEqual(await file.json());
    });
});
