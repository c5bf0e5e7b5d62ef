import { describe, expect, test } from "bun:test";
import { readIntake } from "../../src/products/architect/intake.ts";
import { languages, taxonomy } from "../../src/products/architect/taxonomy.ts";
import { usualIntake } from "../support/architect-world.ts";
import rows from "./architect-goals.tsv" with { type: "text" };

/** Goals in people's own words: language, needs of which one must be found ("-" for none on offer), and the goal. */
const goals = rows
  .trim()
  .split("\n")
  .map((row) => row.split("\t"))
  .map(([language = "", needs = "", goal = ""]) => ({ language, needs: needs.split(","), goal }));

const needsOf = (goal: string, language: string): string[] =>
  readIntake({ ...usualIntake, country: language === "en" ? "GB" : language, goals: [goal] })
    .needs.filter(({ known }) => known)
    .map(({ id }) => id);

describe("a goal in plain words", () => {
  for (const { language, needs, goal } of goals.filter(({ needs: [need] }) => need !== "-"))
    test(`finds its need, in ${language}: ${goal}`, () => {
      expect(needsOf(goal, language).filter((id) => needs.includes(id))).not.toEqual([]);
    });

  test("finds no product if it is not one of the catalogue's", () => {
    const isSold = (id: string) => Object.keys(taxonomy.needs[id]?.products ?? {}).length > 0;
    const found = goals
      .filter(({ needs: [need] }) => need === "-")
      .map(({ language, goal }) => [goal, needsOf(goal, language).filter(isSold)]);
    expect(found.filter(([, ids]) => ids?.length)).toEqual([]);
  });
});

describe("a need", () => {
  test.each(languages)("is recognised by its product's own words in %s", (language) => {
    for (const [id, { titles }] of Object.entries(taxonomy.needs))
      expect([titles[language], needsOf(titles[language], language)]).toEqual([
        titles[language],
        expect.arrayContaining([id]),
      ]);
  });

  test("names the words of the goal in which it was found", () => {
    const goals = ["Find out whether young families would buy our app before we build it"];
    const { needs } = readIntake({ ...usualIntake, goals });
    expect(needs.map(({ id, words }) => [id, words])).toEqual([
      ["proposition_test", ["whether would buy", "families would buy", "before build"]],
    ]);
  });

  test("is not found by words that are too far apart", () => {
    const goals = ["Ask whether the colleague from the quiet office at the end would buy a house"];
    expect(needsOf(goals[0] ?? "", "en")).toEqual([]);
  });
});
