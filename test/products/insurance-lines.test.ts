import { describe, expect, test } from "bun:test";
import { linesNamed } from "../../src/products/capabilities/insurance-assistant/lines.ts";

describe("The line of insurance in a question", () => {
  test("is found in everyday words, with their endings and accents", () => {
    expect([...linesNamed("Vykradli nám sklep, co teď?")]).toEqual(["household"]);
    expect([...linesNamed("Mein Koffer ist weg")]).toEqual(["travel"]);
    expect([...linesNamed("Naboural jsem")].sort()).toEqual(["car", "motor_liability"]);
  });

  test("is undefined if no word names one, even if a longer word starts with a name", () => {
    expect(linesNamed("Kdy dostanu peníze?").size).toBe(0);
    expect(linesNamed("Is a carpenter's tool insured?").size).toBe(0);
  });
});
