import { describe, expect, test } from "bun:test";
import type { Language } from "../../../src/surfaces/console/app/shared/languages.ts";
import { typedNumber } from "../../../src/surfaces/console/app/shared/typed-number.ts";

/** Typed text and the number that it is in each language, or undefined if it is invalid. */
const typed: readonly (readonly [text: string, read: Readonly<Record<Language, number | undefined>>])[] = [
  ...["0", "7", "007", "700", "-700", "+5", " 12 ", "1000000000000"].map(
    (text) => [text, { en: Number(text), cs: Number(text), de: Number(text) }] as const,
  ),
  ["−5", { en: -5, cs: -5, de: -5 }],
  ["10 000", { en: 10_000, cs: 10_000, de: 10_000 }],
  ["1 000 000", { en: 1_000_000, cs: 1_000_000, de: 1_000_000 }],
  ["1\u00a0000", { en: 1000, cs: 1000, de: 1000 }],
  ["1\u202f000", { en: 1000, cs: 1000, de: 1000 }],
  ["10,000", { en: 10_000, cs: undefined, de: undefined }],
  ["10.000", { en: undefined, cs: undefined, de: 10_000 }],
  ["-1,234,567", { en: -1_234_567, cs: undefined, de: undefined }],
];
const none = [
  ...[
    "",
    " ",
    "-",
    "2.5",
    "2,5",
    "1e3",
    "1E3",
    "0x10",
    "1 00",
    "10 0000",
    "1 000,000",
    "1,000.5",
    "5-",
    "--5",
    "5 000 kr",
  ],
  ...["five", "NaN", "Infinity", "½", "٣", "1_000", "1'00", "$5", "9007199254740993", "12\n3"],
];

describe("a typed whole number", () => {
  for (const [text, read] of typed)
    test(`${JSON.stringify(text)} is parsed in each language's format`, () => {
      for (const language of ["en", "cs", "de"] as const) expect(typedNumber(text, language)).toBe(read[language]);
    });

  for (const text of none)
    test(`${JSON.stringify(text)} is invalid, and is not corrected`, () => {
      for (const language of ["en", "cs", "de"] as const) expect(typedNumber(text, language)).toBeUndefined();
    });
});

test("a fraction is parsed if requested, with the language's decimal separator", () => {
  const read = (text: string) =>
    (["en", "cs", "de"] as const).map((language) => typedNumber(text, language, { fraction: true }));
  expect(read("2.5")).toEqual([2.5, undefined, undefined]);
  expect(read("-2,5")).toEqual([undefined, -2.5, -2.5]);
  expect(read("1 000,25")).toEqual([undefined, 1000.25, 1000.25]);
  expect(read("1e3")).toEqual([undefined, undefined, undefined]);
  expect(read("1.2.3")).toEqual([undefined, undefined, undefined]);
});
