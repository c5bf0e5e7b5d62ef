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

/** Goals used for neither the phrases nor the vectors, with the need of each; "-" for none of the catalogue's needs. */
const unseen = rows
  .trim()
  .split("\n")
  .map((row) => row.split("\t"))
  .map(([, need = "", goal = ""]) => ({ need, goal }));

/** The encoder itself, without the time limits of its worker thread in the product. */
let encoder: Pick<Meaning, "vectorOf">;
beforeAll(async () => {
  const model = await Model.load(present(weightFiles, "the models"));
  encoder = { vectorOf: (text, kind) => model.vectorOf(`${kind}: ${text}`) };
});

const intakeOf = (goal: string) => ({ ...usualIntake, country: "", goals: [goal] });

/** Returns the needs recognised by the goal's words and, if there are none, the need that is asked about. */
async function foundIn(goal: string): Promise<{ recognised: string[]; asked: string | undefined }> {
  const { needs } = readIntake(intakeOf(goal));
  const meant = await needsMeant(needs, encoder);
  return { recognised: needs.filter(({ known }) => known).map(({ id }) => id), asked: meant.get(goal) };
}

describe("a goal whose words were not recognised", () => {
  test("prompts a question about the need that it means, for most of the unseen goals", async () => {
    const found = [];
    for (const { need, goal } of unseen.filter((one) => one.need !== "-")) {
      const { recognised, asked } = await foundIn(goal);
      found.push(recognised.includes(need) || asked === need);
    }
    expect(found).toHaveLength(30);
    expect(found.filter(Boolean).length).toBeGreaterThanOrEqual(23);
  });

  test("seldom prompts a question if it is not one of the catalogue's", async () => {
    const asked = [];
    for (const { goal } of unseen.filter((one) => one.need === "-"))
      asked.push((await foundIn(goal)).asked !== undefined);
    expect(asked).toHaveLength(24);
    expect(asked.filter(Boolean).length).toBeLessThanOrEqual(5);
  });

  test("prompts a question in words that are recognised", async () => {
    const goal = "Every sentence our bot writes should have proof in the source text";
    const { needs } = readIntake(intakeOf(goal));
    const { missing } = readIntake(intakeOf(goal), await needsMeant(needs, encoder));
    expect(missing.map(({ question }) => question)).toContainEqual(
      expect.stringContaining(`Is it “${taxonomy.needs.answer_filter?.titles.en}”?`),
    );
  });

  test("prompts a general question without an encoder", async () => {
    const { needs } = readIntake(intakeOf("Translate our website into French"));
    expect(await needsMeant(needs, { vectorOf: async () => null })).toEqual(new Map());
  });
});
