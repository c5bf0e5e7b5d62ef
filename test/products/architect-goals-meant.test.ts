import { beforeAll, describe, expect, test } from "bun:test";
import type { Meaning } from "../../src/contracts/meaning.ts";
import { Model } from "../../src/knowledge/meaning/model.ts";
import { weightFiles } from "../../src/knowledge/meaning/weights.ts";
import { present } from "../../src/platform/assert.ts";
import { readIntake } from "../../src/products/architect/intake.ts";
import { needsMeant } from "../../src/products/architect/meant.ts";
import { taxonomy } from "../../src/products/architect/taxonomy.ts";
import { usualIntake } from "../support/architect-world.ts";
import rows from "./architect-goals-unseen.tsv" with { type: "text" };

/** Goals that neither the phrases nor the vectors were made from, with what each needs; "-": none of the catalogue's. */
const unseen = rows
  .trim()
  .split("\n")
  .map((row) => row.split("\t"))
  .map(([, need = "", goal = ""]) => ({ need, goal }));

/** The encoder as it is, without the time limits of the thread that it has in the product. */
let encoder: Pick<Meaning, "vectorOf">;
beforeAll(async () => {
  const model = await Model.load(present(weightFiles, "the models"));
  encoder = { vectorOf: (text, kind) => model.vectorOf(`${kind}: ${text}`) };
});

const intakeOf = (goal: string) => ({ ...usualIntake, country: "", goals: [goal] });

/** What the words of a goal say it needs, and what it is asked about where they say nothing. */
async function foundIn(goal: string): Promise<{ recognised: string[]; asked: string | undefined }> {
  const { needs } = readIntake(intakeOf(goal));
  const meant = await needsMeant(needs, encoder);
  return { recognised: needs.filter(({ known }) => known).map(({ id }) => id), asked: meant.get(goal) };
}

describe("a goal that was not recognised by its words", () => {
  test("is asked about by the need that it means, for most of those that nobody had seen", async () => {
    const found = [];
    for (const { need, goal } of unseen.filter((one) => one.need !== "-")) {
      const { recognised, asked } = await foundIn(goal);
      found.push(recognised.includes(need) || asked === need);
    }
    expect(found).toHaveLength(30);
    expect(found.filter(Boolean).length).toBeGreaterThanOrEqual(23);
  });

  test("that is none of the catalogue's is seldom asked about", async () => {
    const asked = [];
    for (const { goal } of unseen.filter((one) => one.need === "-"))
      asked.push((await foundIn(goal)).asked !== undefined);
    expect(asked).toHaveLength(24);
    expect(asked.filter(Boolean).length).toBeLessThanOrEqual(5);
  });

  test("is asked about in words that are recognised", async () => {
    const goal = "Every sentence our bot writes should have proof in the source text";
    const { needs } = readIntake(intakeOf(goal));
    const { missing } = readIntake(intakeOf(goal), await needsMeant(needs, encoder));
    expect(missing.map(({ question }) => question)).toContainEqual(
      expect.stringContaining(`Is it “${taxonomy.needs.answer_filter?.titles.en}”?`),
    );
  });

  test("is asked about in general where there is no encoder", async () => {
    const { needs } = readIntake(intakeOf("Translate our website into French"));
    expect(await needsMeant(needs, { vectorOf: async () => null })).toEqual(new Map());
  });
});
