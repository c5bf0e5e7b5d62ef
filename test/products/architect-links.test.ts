import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { openReader } from "../../db/sqlite/verification.ts";
import { unscoped } from "../../db/tenancy.ts";
import { day, minute } from "../../src/platform/clock.ts";
import type { BuilderSpec } from "../../src/products/architect/builder-spec.ts";
import type { Resumed, Unlocked } from "../../src/products/architect/schema.ts";
import { verifySolutions } from "../../src/products/architect/verify.ts";
import { askArchitect, begun, openArchitect, told, usualIntake } from "../support/architect-world.ts";
import { type Firm, refusal, type World } from "../support/harness.ts";

type Link = (typeof Unlocked)["static"];
type Seen = (typeof Resumed)["static"];

let world: World;
let firm: Firm;
beforeAll(async () => {
  world = await openArchitect();
  firm = await world.firm();
});
afterAll(() => world[Symbol.asyncDispose]());

const email = "reader@example.com";
const unlock = (solution_id: string, consent = true) =>
  askArchitect(world, firm, "unlock", { solution_id, email, consent });
const saved = async (intake: Partial<typeof usualIntake> = {}) => {
  const begunOne = await begun(world, firm, intake);
  return { ...begunOne, ...(await told<Link>(unlock(begunOne.solution_id))) };
};
const resume = (token: string, on = world) => on.ask(`/v1/solution-architect/resume/${token}`);
const spec = (token: string, template = "web-comparator", on = world) =>
  on.ask(`/v1/solution-architect/builder-spec/${token}?template=${template}`);
const nothing: [number, string] = [404, "not_found"];

const rowOf = (id: string) =>
  unscoped(world.store.read).selectFrom("solutions").selectAll().where("id", "=", id).executeTakeFirstOrThrow();

describe("unlocking", () => {
  test("without consent is 422, and nothing is saved", async () => {
    const { solution_id } = await begun(world, firm);
    expect(await refusal(await unlock(solution_id, false))).toEqual([422, "validation_error"]);
    expect(await rowOf(solution_id)).toMatchObject({ state: "described", saved_json: null, consent_email: null });
  });

  test("with an invalid address is 422", async () => {
    const { solution_id } = await begun(world, firm);
    const body = { solution_id, email: "nobody", consent: true };
    expect(await refusal(await askArchitect(world, firm, "unlock", body))).toEqual([422, "validation_error"]);
  });

  test("stores the consent with its time, and the audit log has no address", async () => {
    const { solution_id, saved_sha256 } = await saved();
    const consented_at = world.clock.now();
    expect(await rowOf(solution_id)).toMatchObject({
      state: "saved",
      consent_email: email,
      consented_at,
      saved_sha256,
    });
    const audit = await unscoped(world.store.read)
      .selectFrom("audit")
      .selectAll()
      .where("subject", "=", solution_id)
      .execute();
    expect(audit.map(({ action }) => action)).toEqual(["solution.intake", "solution.save"]);
    expect(JSON.stringify(audit)).not.toContain(email);
  });
});

describe("a link", () => {
  test("shows what was saved to anyone who has it, but not who consented", async () => {
    const { token, solution_id, saved_sha256, expires_at } = await saved();
    const text = await (await resume(token)).text();
    const seen = JSON.parse(text) as Seen;
    expect(seen).toMatchObject({ solution_id, state: "saved", expires_at, saved: { sha256: saved_sha256 } });
    expect(text).not.toContain(email);
  });

  test("continues to show what was saved, whatever is chosen afterwards", async () => {
    const { token, solution_id, saved_sha256 } = await saved();
    await told(
      askArchitect(world, firm, "design", { solution_id, choices: [{ need: "sourced_answers", product: null }] }),
    );
    const seen = (await (await resume(token)).json()) as Seen;
    expect(seen).toMatchObject({ state: "designed", saved: { sha256: saved_sha256 } });
    const { boundary } = (await (await spec(token)).json()) as BuilderSpec;
    expect(boundary.products).toEqual(["sourced-insurance-answers"]);
  });

  test("opens nothing when used again after another save", async () => {
    const { token, solution_id } = await saved();
    await told(
      askArchitect(world, firm, "design", { solution_id, choices: [{ need: "sourced_answers", product: null }] }),
    );
    const { token: newer } = await told<Link>(unlock(solution_id));
    expect(await refusal(await resume(token))).toEqual(nothing);
    expect(await refusal(await spec(token))).toEqual(nothing);
    expect((await resume(newer)).status).toBe(200);
  });

  test("works for seven days", async () => {
    await using own = await openArchitect();
    const other = await own.firm();
    const { solution_id } = await begun(own, other);
    const body = { solution_id, email, consent: true };
    const { token } = await told<Link>(askArchitect(own, other, "unlock", body));
    own.clock.advance(7 * day - minute);
    expect((await resume(token, own)).status).toBe(200);
    own.clock.advance(2 * minute);
    expect(await refusal(await resume(token, own))).toEqual(nothing);
    expect(await refusal(await spec(token, "web-comparator", own))).toEqual(nothing);
  });

  test("still works after a restart", async () => {
    const { token } = await saved();
    await using next = await world.restart();
    expect([(await resume(token, next)).status, (await spec(token, "web-comparator", next)).status]).toEqual([
      200, 200,
    ]);
  });

  test("opens nothing if it belongs to another installation or was altered anywhere", async () => {
    await using foreign = await openArchitect();
    const { token } = await saved();
    expect(await refusal(await resume(token, foreign))).toEqual(nothing);
    const parts = token.split(".");
    const [header = "", payload = "", signature = ""] = parts;
    const flipped = (text: string) => (text.startsWith("e") ? "f" : "e") + text.slice(1);
    const claims = JSON.parse(Buffer.from(payload, "base64url").toString());
    const later = Buffer.from(JSON.stringify({ ...claims, exp: claims.exp + 1 })).toString("base64url");
    for (const changed of [
      [flipped(header), payload, signature],
      [header, flipped(payload), signature],
      [header, payload, flipped(signature)],
      [header, later, signature],
      [header, payload, ""],
      [Buffer.from('{"alg":"none","typ":"assay-solution+jwt"}').toString("base64url"), payload, ""],
    ])
      expect(await refusal(await resume(changed.join(".")))).toEqual(nothing);
  });

  test("is not an access token, and an access token is not a link", async () => {
    const { token } = await saved();
    expect(await refusal(await world.ask("/v1/solution-architect/inventory", { as: token }))).toEqual([
      401,
      "invalid_api_key",
    ]);
    expect(await refusal(await resume(firm.people.owner.token))).toEqual(nothing);
  });

  test("from the intake shows only the intake, and computes nothing", async () => {
    const { resume_token, solution_id } = await begun(world, firm);
    await told(unlock(solution_id));
    const seen = (await (await resume(resume_token ?? "")).json()) as Seen;
    expect(seen).toMatchObject({ solution_id, saved: null, intake: { company: usualIntake.company } });
    expect(await refusal(await spec(resume_token ?? ""))).toEqual(nothing);
  });
});

describe("a build specification", () => {
  for (const template of ["messaging-channel", "web-comparator"])
    test(`for a ${template} has its boundary from what was saved, and runnable tests`, async () => {
      const { token, saved_sha256 } = await saved({ goals: ["Test a hypothesis on personas"] });
      const found = (await (await spec(token, template)).json()) as BuilderSpec;
      expect(found).toMatchObject({ template, saved_sha256, buildable: true });
      const { products, maximum_credits, scopes } = found.boundary;
      expect(products).toEqual(found.products.map(({ slug }) => slug));
      expect(maximum_credits).toBe(found.products.reduce((sum, one) => sum + one.maximum_credits, 0));
      expect(scopes).toContain("runs:read");
      const commands = found.acceptance_tests.flatMap(({ command }) => command ?? []);
      expect(commands.length).toBeGreaterThanOrEqual(2 * products.length);
      for (const command of commands) {
        const shell = Bun.spawnSync(["bash", "-n", "-c", command]);
        expect([command, shell.exitCode]).toEqual([command, 0]);
      }
    });

  test("accepts only the template from a caller", async () => {
    const { token } = await saved();
    const more = "web-comparator&products=market-validator&solution_id=1&maximum_credits=999999";
    expect(await refusal(await spec(token, more))).toEqual([422, "validation_error"]);
  });

  test("for another template is 422", async () => {
    const { token } = await saved();
    expect(await refusal(await spec(token, "anything"))).toEqual([422, "validation_error"]);
  });

  test("reports that it can't be built if no product serves the solution", async () => {
    const { token } = await saved({ goals: ["Handle claims processing"] });
    expect(await (await spec(token)).json()).toMatchObject({
      buildable: false,
      boundary: { products: [], maximum_credits: 0 },
    });
  });
});

describe("assay verify", () => {
  const problems = () => {
    const reader = openReader(world.store.file);
    try {
      return verifySolutions(reader).problems;
    } finally {
      reader.close();
    }
  };
  const tamper = (id: string, change: (row: Awaited<ReturnType<typeof rowOf>>) => object) =>
    rowOf(id).then((row) =>
      world.store.write((tx) => unscoped(tx).updateTable("solutions").set(change(row)).where("id", "=", id).execute()),
    );

  test("finds nothing wrong with what was saved, and detects every alteration", async () => {
    const { solution_id } = await saved();
    const before = await rowOf(solution_id);
    expect(problems()).toEqual([]);
    const restored = () => tamper(solution_id, () => before);
    await tamper(solution_id, ({ saved_json }) => ({
      saved_json: saved_json?.replace('"markdown":"#', '"markdown":"x#'),
    }));
    expect(problems()).toEqual([`solution ${solution_id}: its document is not what was saved`]);
    await restored();
    await tamper(solution_id, () => ({ saved_sha256: "0".repeat(64) }));
    expect(problems()).toEqual([`solution ${solution_id}: its document is not what was saved`]);
    await restored();
    await tamper(solution_id, () => ({ state: "described" }));
    expect(problems()).toEqual([`solution ${solution_id} is described, its snapshot says saved`]);
    await restored();
    await tamper(solution_id, () => ({ saved_json: "{" }));
    expect(problems()).toEqual([expect.stringContaining("can't be read")]);
    await restored();
    expect(problems()).toEqual([]);
  });
});
