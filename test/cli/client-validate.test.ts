import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { marketValidator } from "../../src/products/capabilities/market-validator/manifest.ts";
import { openWorld, type World } from "../support/client-cli-world.ts";
import { bicycles } from "../support/validator-world.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld([marketValidator]);
});
afterAll(() => world.close());

const assay = (args: readonly string[], stdin?: string) =>
  world.assay(args, { env: { ASSAY_API_KEY: world.key.validator }, ...(stdin !== undefined && { stdin }) });
const asked = ["validate", "--market", "CZ", "--hypothesis", bicycles];

describe("validating a hypothesis at the terminal", () => {
  test("waits for the verdict with its progress, and prints interval, ladder and the reliability note", async () => {
    const { code, out, err } = await assay([...asked, "--size", "M", "--wait"]);
    expect(code).toBe(0);
    expect(out).toMatch(/^(GO|NO-GO|CONDITIONAL)\n/);
    for (const words of ["80 % interval", "Price ladder", "Objections", "Simulated people, not a survey.", "10 of 10"])
      expect(out).toContain(words);
    expect(err).toContain("of 10 personas have answered");
  });

  test("without waiting prints the id for list, get and watch", async () => {
    const { out, err } = await assay(asked);
    const id = out.trim();
    expect(err).toContain(`assay validations watch ${id}`);
    expect((await assay(["validations", "watch", id])).code).toBe(0);
    expect((await assay(["validations", "get", id])).out).toContain(id);
    expect((await assay(["validations", "list", "--limit", "5"])).out).toContain(id);
    expect(JSON.parse((await assay(["validations", "get", id, "--json"])).out)).toMatchObject({ simulation_id: id });
  });

  test("creates, lists and shows audiences, and asks one of them about a hypothesis from stdin", async () => {
    const described = ["--description", "Parents who live in towns", "--market", "Slovakia", "--size", "6"];
    const id = (await assay(["audiences", "create", "--name", "Parents", ...described])).out.trim();
    expect((await assay(["audiences", "list"])).out).toContain(id);
    const shown = (await assay(["audiences", "get", id])).out;
    for (const words of ["Parents who live in towns", "SK", "Preview"]) expect(shown).toContain(words);
    const given = ["validate", "--audience", id, "--hypothesis", "-", "--wait", "--json"];
    const { code, out } = await assay(given, bicycles);
    expect([code, JSON.parse(out)]).toMatchObject([0, { audience_id: id, progress: { completed: 6, total: 6 } }]);
  });

  test("creates the audience of a market's adults once, and none for a hypothesis that is refused", async () => {
    const named = async (name: string) => {
      const { audiences } = JSON.parse((await assay(["audiences", "list", "--json"])).out);
      return audiences.filter((one: { name: string }) => one.name === name).length;
    };
    const slovak = (...more: string[]) => ["validate", "--market", "SK", ...more];
    const short = await assay(slovak("--hypothesis", "tiny"));
    expect([short.code, short.err]).toEqual([2, "assay: --hypothesis must have at least 10 characters.\n"]);
    expect(await named("Adults of SK")).toBe(0);
    const unreadable = slovak("--hypothesis", "?!?!?!?!?!?!");
    expect([(await assay(unreadable)).code, (await assay(unreadable)).code]).toEqual([2, 2]);
    expect((await assay(slovak("--hypothesis", bicycles))).code).toBe(0);
    expect(await named("Adults of SK")).toBe(1);
    expect((await assay(slovak("--hypothesis", bicycles, "--personas", "7"))).code).toBe(0);
    expect(await named("Adults of SK")).toBe(2);
    const described = ["--description", "Adults of PL who cycle", "--market", "PL"];
    await assay(["audiences", "create", "--name", "Adults of PL", ...described]);
    expect((await assay(["validate", "--market", "PL", "--hypothesis", bicycles])).code).toBe(0);
    expect(await named("Adults of PL")).toBe(2);
  });

  test("does not need to read the audiences that exist", async () => {
    expect((await world.assay(asked, { env: { ASSAY_API_KEY: world.key.orders } })).code).toBe(0);
  });

  test("refuses invalid input with its path, and has the exit codes of other commands", async () => {
    const atlantis = await assay(["validate", "--market", "Atlantis", "--hypothesis", bicycles]);
    expect([atlantis.code, atlantis.err]).toEqual([2, expect.stringMatching(/\n {2}--market /)]);
    expect(atlantis.err).not.toMatch(/arguments|then call again/);
    expect(atlantis.err).toContain("CZ (Czechia)");
    const nowhere = await assay(["validate", "--hypothesis", bicycles]);
    expect([nowhere.code, nowhere.err]).toEqual([2, expect.stringContaining("--market")]);
    expect((await assay([...asked, "--size", "XXL"])).code).toBe(2);
    for (const size of ["4", "51", "-1", "6.5", "six"]) {
      const made = await assay(["audiences", "create", "--name", "A", "--description", "Adults", "--size", size]);
      expect([size, made.code, made.err]).toEqual([size, 2, "assay: --size takes a whole number from 5 to 50.\n"]);
    }
    expect((await assay([...asked, "--personas", "4"])).err).toContain("--personas takes a whole number from 5 to 50.");
    expect((await assay(["validations", "list", "--limit", "0"])).code).toBe(2);
    expect((await assay(["validations", "get", "01980c61-2b44-7f0e-8d17-5c9a3e7f4d60"])).err).toContain("not_found");
    const bare = await world.assay(asked, { env: { ASSAY_API_KEY: world.key.readOnly } });
    expect(bare.code).toBe(3);
  });
});
