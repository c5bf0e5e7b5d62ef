import { describe, expect, test } from "bun:test";
import aggregateCodes from "../../src/products/datasets/aggregate-codes.tsv" with { type: "text" };
import countryCodes from "../../src/products/datasets/country-codes.tsv" with { type: "text" };
import { isWholePlace, placeOf } from "../../src/products/datasets/places.ts";

const rowsOf = (list: string): string[][] =>
  list
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => line.split("\t"));
const unchanged = (codes: readonly string[]) => expect(codes.map(placeOf)).toEqual([...codes]);

describe("the places of a dataset", () => {
  test("are every country by either ISO code", () => {
    for (const [two = "", three = ""] of rowsOf(countryCodes))
      expect([placeOf(two), placeOf(three), isWholePlace(two)]).toEqual([two, two, true]);
  });

  test("are the aggregates of the World Bank by code and name, and not parts of the country they begin with", () => {
    for (const [code = "", name = ""] of rowsOf(aggregateCodes)) {
      expect([code, placeOf(code), isWholePlace(code)]).toEqual([code, code, true]);
      expect([name, isWholePlace(placeOf(name) ?? "")]).toEqual([name, true]);
    }
    unchanged(["EU27_2007", "EA20", "EFTA", "DE_TOT"]);
  });

  test("are regions in the forms of NUTS and the OECD, with those that belong to no region", () => {
    unchanged("CZ0 CZ010 DEA DEA1 DEA1A FI1B1 PT1A NO0A FRY5 ITC4C TRA TR1 UKI31 EL30 ME00 XK00".split(" "));
    unchanged("ATZ NOZZ FRZZZ US06 CA1 JP01".split(" "));
  });

  test("are not a mistyped country, or a word that begins with a country's letters", () => {
    for (const code of ["NRN", "ZZZ", "CZX", "SVL", "TOTAL", "PRAHA", "ASEAN", "BRICS", "ITEM", "DEBT", "NOT_FOUND"])
      expect([code, placeOf(code)]).toEqual([code, undefined]);
  });
});
