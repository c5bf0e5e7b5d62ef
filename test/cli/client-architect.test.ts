import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { openWorld, type World } from "../support/client-cli-world.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

const intake = {
  company: "Example Insurance",
  country: "CZ",
  industry: "insurance",
  goals: ["Answer questions from our own terms"],
  constraints: [],
  channels: ["web"],
  data_sources: [],
  consent: true,
};

describe("planning a solution at the terminal", () => {
  test("prints needs, open questions, options with the parts of their scores, and the document", async () => {
    const { code, out } = await world.assay(["architect", "--input", JSON.stringify(intake)]);
    expect(code).toBe(0);
    for (const part of ["Needs", "Open", "How many credits", "Options", "coverage", "# Solution for Example Insurance"])
      expect(out).toContain(part);
  });

  test("prints the server's document with --json from a file, and working links with --save", async () => {
    await Bun.write(world.file("intake.json"), JSON.stringify(intake));
    const asked = ["architect", "--input-file", world.file("intake.json"), "--json", "--save", "reader@example.com"];
    const { code, out, err } = await world.assay(asked);
    expect([code, JSON.parse(out).title]).toEqual([0, "Solution for Example Insurance"]);
    const [link = ""] = err.match(/http\S+\/resume\/\S+/) ?? [];
    expect(await (await fetch(link)).json()).toMatchObject({
      state: "saved",
      saved: { sha256: JSON.parse(out).sha256 },
    });
    expect(out).not.toContain(link);
  });

  test("asks a person for each part of the intake, and plans from the answers", async () => {
    const answers: [question: string, said: string][] = [
      ["Company: ", "Example Insurance"],
      ["Country (two letters): ", "CZ"],
      ["Industry: ", "insurance"],
      ["A goal, in a sentence: ", "Answer questions from our own terms"],
      ["Another goal (optional): ", "Handle claims"],
      ["Another goal (optional): ", ""],
      ["Constraints (separated by semicolons, optional): ", "No personal data; Free of charge"],
      ["Channels (separated by semicolons, optional): ", "web"],
      ["Data sources (separated by semicolons, optional): ", "our terms as PDF"],
      ["Budget in credits for one run of everything (optional): ", "100"],
      ["Allow it to be resumed through a link? [y/N] ", "n"],
    ];
    const asked: string[] = [];
    const ask = async (question: string) => {
      const [expected = "", said = ""] = answers[asked.push(question) - 1] ?? [];
      expect(question).toBe(expected);
      return said;
    };
    const lines = await world.onTerminal(100, ["architect"], { NO_COLOR: "1" }, ask);
    expect(asked).toHaveLength(answers.length);
    const out = lines.join("\n");
    expect(out).toContain("- Answer insurance questions from documents, with citations");
    expect(out).toContain("Handle claims: not served.");
    expect(out).toContain("- Checked: Free of charge");
    expect(out).toContain("within the budget of 100");
  });

  test("without an input or a terminal is a usage error with a hint", async () => {
    const { code, err } = await world.assay(["architect"]);
    expect([code, err.includes("--input-file")]).toEqual([2, true]);
  });

  test("with an invalid intake names the path", async () => {
    const { code, err } = await world.assay(["architect", "--input", JSON.stringify({ ...intake, goals: [] })]);
    expect([code, err.includes("/body/goals")]).toEqual([2, true]);
  });
});
