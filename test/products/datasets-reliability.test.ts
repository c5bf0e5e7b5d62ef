import { describe, expect, test } from "bun:test";
import type { DatasetVersion } from "../../db/datasets.ts";
import { answer } from "../../src/products/capabilities/eu-market-data/answer.ts";
import { understand } from "../../src/products/capabilities/eu-market-data/question.ts";
import { besideOthers, figureLabel, labelled, lowered } from "../../src/products/datasets/reliability.ts";
import { readText } from "../support/datasets.ts";

const none = { url: null, licence: null };
const statistics = { reliability: "A", retrieved: "2026-06-30", publisher: "Eurostat", title: "t", code: "t" } as const;
const register = { ...statistics, publisher: "DIHK", title: "Vermittlerregister" };
const at = (facts: Parameters<typeof figureLabel>[0], period: string, flags = "") =>
  figureLabel(facts, { period, flags });

describe("the label", () => {
  test("of a table is that of its publisher: official, the figure's owner, secondary, not traceable", () => {
    expect([
      labelled({ publisher: "Eurostat", ...none }),
      labelled({ publisher: "BaFin", ...none }),
      labelled({ publisher: "GDV", ...none }),
      labelled({ publisher: "cash-online", url: "https://example.com", licence: null }),
      labelled({ publisher: "somebody", ...none }),
    ]).toEqual(["A", "A", "B", "C", "D"]);
  });

  test("is one lower three years after the period, and after 18 months for a register", () => {
    const periods = ["2023", "2022", "2023-Q2", "2023-Q1", "2023-06", "2023-05"];
    expect(periods.map((period) => at(statistics, period)).join("")).toBe("ABABAB");
    expect(["2024-12-31", "2024-11-30", "2024"].map((period) => at(register, period))).toEqual(["A", "B", "A"]);
  });

  test("is one lower for a break, another definition or an unreliable figure; a forecast is D", () => {
    expect(["", "p", "b", "d", "u", "bd", "f"].map((flags) => at(statistics, "2025", flags))).toEqual([
      "A",
      "A",
      "B",
      "B",
      "B",
      "B",
      "D",
    ]);
    expect(at(statistics, "2015", "b")).toBe("C");
  });

  test("of a computed figure is one lower, and D is the lowest", () => {
    expect([lowered("A"), lowered("C"), lowered("D")]).toEqual(["B", "D", "D"]);
  });

  test("is one lower next to a figure with the same label that differs by over 5 %", () => {
    expect(besideOthers({ label: "B", value: 100 }, [{ label: "B", value: 94 }])).toMatchObject({
      label: "C",
      disputed: true,
    });
    expect(besideOthers({ label: "B", value: 100 }, [{ label: "B", value: 95 }])).toMatchObject({
      label: "B",
      disputed: false,
    });
    expect(besideOthers({ label: "B", value: 100 }, [{ label: "C", value: 10 }])).toMatchObject({
      label: "B",
      disputed: false,
    });
    expect(besideOthers({ label: "A", value: 0 }, [{ label: "A", value: 0 }])).toMatchObject({
      label: "A",
      disputed: false,
    });
  });

  test("of a C that another C matches to 1 % stays C, and is corroborated", () => {
    expect(besideOthers({ label: "C", value: 100 }, [{ label: "C", value: 99.5 }])).toEqual({
      label: "C",
      disputed: false,
      corroborated: true,
    });
    expect(besideOthers({ label: "C", value: 100 }, [{ label: "C", value: 98 }]).corroborated).toBe(false);
    expect(besideOthers({ label: "B", value: 100 }, [{ label: "B", value: 100 }]).corroborated).toBe(false);
  });
});

test("an answer reports where publishers with the same label differ or corroborate each other", async () => {
  const tableOf = async (publisher: string, name: string, value: number) => {
    const said = `publisher: ${publisher}\nname: ${name}\nreliability: C\nplace: {column: geo}\nperiod: {column: year}\nvalue: v\nunit: {fixed: persons}\nindicator: {fixed: population}\n`;
    return (await readText(`${name}.csv`, `geo;year;v\nDE;2025;${value}\n`, said)).table;
  };
  const ask = async (other: number) => {
    const tables = [await tableOf("One Paper", "one", 1000), await tableOf("Other Paper", "other", other)];
    const version: DatasetVersion = { dataset: "eu-data", number: 1, tables };
    return answer(version, understand({ question: "Population of Germany", countries: ["DE"] }, [], new Date(0)));
  };
  const apart = await ask(1100);
  expect(apart.aggregates).toMatchObject([{ reliability: "D", disputed: true }]);
  expect(apart.summary).toContain("clearly different figures");
  const alike = await ask(1005);
  expect(alike.aggregates).toMatchObject([{ reliability: "C", corroborated: true }]);
  expect(alike.aggregates[0]).not.toHaveProperty("disputed");
});
