import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { openWorld, type World } from "../support/client-cli-world.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

const question = ["ask", "Is", "theft", "covered?"];

describe("asking about insurance", () => {
  test("prints the answer, how far it can be relied on, and each source with page and excerpt", async () => {
    const { code, out, err } = await world.assay([...question, "--country", "CZ"]);
    expect([code, err]).toEqual([0, ""]);
    expect(out).toMatch(/^OK {2}confidence 80 %/);
    expect(out).toContain("Theft is covered up to CZK 40,000 [1].");
    expect(out).toContain("[1] Bicycle insurance, general terms");
    expect(out).toContain("Example Insurance · terms · sample · en · page 12");
    expect(out).toContain("“Theft of the insured bicycle is covered up to CZK 40,000.”");
    expect(out).toContain("https://insurance.example/terms.pdf");
  });

  test("says so if there is no evidence, and lists no sources", async () => {
    const { code, out } = await world.assay([...question, "--country", "SK"]);
    expect(code).toBe(0);
    expect(out).toMatch(/^FAIL/);
    expect(out).not.toContain("Sources");
  });

  test("prints the API's response with --json, and reads a question of - from stdin", async () => {
    const stdin = "Is theft covered?\n";
    const { out } = await world.assay(["ask", "-", "--country", "cz", "--language", "en", "--json"], { stdin });
    expect(JSON.parse(out)).toMatchObject({
      trust_state: "OK",
      sources: [{ page: 12 }],
      engine: { name: "bench-noop" },
    });
  });

  test("without a country, or with an unknown code, is a usage error; a question too short is refused by the server", async () => {
    expect((await world.assay(question)).code).toBe(2);
    expect((await world.assay([...question, "--country", "Czechia"])).code).toBe(2);
    expect((await world.assay(["ask", "x", "--country", "CZ"])).err).toContain("/body/question");
    const country = await world.assay([...question, "--country", "XX"]);
    expect([country.code, country.err]).toEqual([2, expect.stringContaining("  --country must be the two letters")]);
    const narrow = { env: { ASSAY_API_KEY: world.key.readOnly } };
    expect((await world.assay([...question, "--country", "CZ"], narrow)).code).toBe(3);
  });

  test("fits every line into 40 columns except addresses", async () => {
    const lines = await world.onTerminal(40, [...question, "--country", "CZ"], { NO_COLOR: "1" });
    for (const line of lines.filter((told) => !told.includes("https://")))
      expect(`${Bun.stringWidth(line) <= 40} ${line}`).toBe(`true ${line}`);
  });
});
