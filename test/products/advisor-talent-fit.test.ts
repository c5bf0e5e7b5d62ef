import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { compactVerify, createLocalJWKSet } from "jose";
import { canonicalHash } from "../../src/platform/json.ts";
import { problems } from "../../src/platform/validate.ts";
import { roleProfile } from "../../src/products/capabilities/talent-intelligence/engine.ts";
import { RoleSummary } from "../../src/products/capabilities/talent-intelligence/schema.ts";
import { freshKey, refusal } from "../support/harness.ts";
import { expectSound } from "../support/invariants.ts";
import { packFirm, packWorld, restingRun } from "../support/pack-world.ts";

/** Words that occur nowhere else: finding one of them means that the text was stored. */
const input = {
  role_title: "Pojišťovací makléř Zvonokosov",
  analysis_goal: "Hledáme mladý kolektiv, který naslouchá zákazníkům a zná Brumbalice.",
};
const typed = ["Zvonokosov", "Brumbalice", "Hledáme"];

const useCase = "advisor-talent-fit";

async function talentWorld() {
  const world = await packWorld();
  await world.openGates(useCase);
  return { world, firm: await packFirm(world) };
}

describe("a run of Advisor Talent Fit", () => {
  test("keeps a summary of title and goal without personal data, from which the whole profile can be derived", async () => {
    const { world, firm } = await talentWorld();
    await using _ = world;
    const { id } = await world.accepted(firm, { useCase, input });
    const run = await restingRun(world, firm, id);
    expect(run.input).toEqual({
      language: "cs",
      role_family: "broker",
      is_outside: false,
      dimensions: ["needs"],
      countries: ["EU", "CZ"],
      red_flags: [{ kind: "age", excerpt: "mladý kolektiv" }],
    });
    expect(problems(RoleSummary, run.input, "")).toEqual([]);
    expect([run.status, run.result]).toEqual(["succeeded", roleProfile(input)]);
  });

  test("stores the text nowhere: not in the database, its WAL or the server's log", async () => {
    const { world, firm } = await talentWorld();
    await using _ = world;
    const { id } = await world.accepted(firm, { useCase, input, key: freshKey() });
    await restingRun(world, firm, id);
    const file = world.photograph();
    const stored = Buffer.concat([file, `${file}-wal`].map((part) => readFileSync(part))).toString();
    expect(stored).toContain("mladý kolektiv");
    for (const word of typed) {
      expect(stored).not.toContain(word);
      expect(world.logged.join("\n")).not.toContain(word);
    }
  });

  test("has a receipt that states the hash of the summary, and verifies", async () => {
    const { world, firm } = await talentWorld();
    await using _ = world;
    const { id } = await world.accepted(firm, { useCase, input });
    const run = await restingRun(world, firm, id);
    const receipt = await (await world.ask(run.receipt_url ?? "", { as: firm.key })).text();
    const keys = createLocalJWKSet({ keys: [...world.app.parts.keyring.jwks().keys] });
    const { payload } = await compactVerify(receipt, keys);
    const { input_sha256 } = JSON.parse(new TextDecoder().decode(payload)) as { input_sha256: string };
    expect(input_sha256).toBe(canonicalHash(run.input));
    await expectSound(world.store);
  });

  test("is replayed only for the same text, even if another text has the same summary", async () => {
    const { world, firm } = await talentWorld();
    await using _ = world;
    const key = freshKey();
    const first = await world.accepted(firm, { useCase, input, key });
    expect((await world.accepted(firm, { useCase, input, key })).id).toBe(first.id);
    const other = { ...input, analysis_goal: `${input.analysis_goal} Opravdu.` };
    const alike = await world.accepted(firm, { useCase, input: other, key: freshKey() });
    expect(alike.input).toEqual(first.input);
    expect(await refusal(await world.start(firm, { useCase, input: other, key }))).toEqual([
      409,
      "idempotency_conflict",
    ]);
  });
});
