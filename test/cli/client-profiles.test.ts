import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Stored } from "../../src/cli/client/store.ts";
import { openWorld, type World } from "../support/client-cli-world.ts";
import { decideInBrowser, talking } from "../support/client-sign-in-world.ts";

let one: World;
let two: World;
beforeAll(async () => {
  one = await openWorld();
  two = await openWorld();
});
afterAll(async () => {
  await one.close();
  await two.close();
});

let homes = 0;
/** A person with separate settings and an otherwise empty environment. */
function somebody() {
  const folder = one.file(`profiles${++homes}`);
  const env = { ASSAY_API_KEY: "", ASSAY_BASE_URL: "", XDG_CONFIG_HOME: folder };
  return {
    env,
    stored: (): Stored => JSON.parse(readFileSync(join(folder, "assay", "config.json"), "utf8")),
    assay: (args: readonly string[], stdin?: string) => one.assay(args, { env, ...(stdin !== undefined && { stdin }) }),
    async signIn(world: World, ...more: string[]) {
      const login = talking(one, ["login", "--no-browser", "--base-url", world.baseUrl, ...more], env);
      const url = await login.said(/http\S+\/oauth\/authorize\S+/);
      await fetch(await decideInBrowser(world, url, "allow"));
      const ended = await login.ended();
      if (ended.code !== 0) throw new Error(ended.err);
      return ended;
    },
  };
}
const whoIn = (out: string): { base_url: string } => JSON.parse(out);
const works = async (world: World, key: string | undefined): Promise<boolean> =>
  (await fetch(`${world.baseUrl}/v1/me`, { headers: { authorization: `Bearer ${key}` } })).ok;

describe("several servers and accounts", () => {
  test("keep the first sign-in working after one at a second server", async () => {
    const person = somebody();
    await person.signIn(one);
    const first = person.stored().api_key;
    const said = await person.signIn(two);
    const name = new URL(one.baseUrl).host;
    expect(said.err).toContain(`Other profiles: ${name}`);
    expect(await works(one, first)).toBe(true);
    expect(whoIn((await person.assay(["whoami", "--json"])).out).base_url).toBe(two.baseUrl);
    expect((await person.assay(["profile", "use", name])).code).toBe(0);
    expect(whoIn((await person.assay(["whoami", "--json"])).out).base_url).toBe(one.baseUrl);
    expect(person.stored().api_key).toBe(first ?? "");
    const listed = (await person.assay(["profile", "list"])).out.split("\n");
    expect(listed[0]).toBe("in use\tprofile\tserver\tcredential");
    expect(listed[1]).toStartWith(`yes\t${name}\t${one.baseUrl}\tassay_sk_`);
    expect(listed[2]).toStartWith(`\t${new URL(two.baseUrl).host}\t${two.baseUrl}\t`);
    expect(listed.join()).not.toContain(first ?? "no key");
  });

  test("of one server are distinguished by name, and a single command can use another", async () => {
    const person = somebody();
    await person.assay(["login", "--base-url", one.baseUrl, "--api-key"], one.key.all);
    await person.assay(["login", "--base-url", one.baseUrl, "--api-key", "--profile", "poor"], one.key.poor);
    const host = new URL(one.baseUrl).host;
    const credits = async (...more: string[]) =>
      (await person.assay(["credits", "--jq", ".balance.available", ...more])).out.trim();
    expect(await credits()).toBe("0");
    expect(await credits("--profile", host)).toBe("100000");
    const chosen = await one.assay(["credits", "--json"], { env: { ...person.env, ASSAY_PROFILE: host } });
    expect(JSON.parse(chosen.out).balance.available).toBe(100_000);
    expect(person.stored().profile).toBe("poor");
    const listed = JSON.parse((await person.assay(["profile", "list", "--json"])).out);
    expect(listed.profiles.map(({ name }: { name: string }) => name)).toEqual(["poor", host]);
  });

  test("are found by address alone, and no other server gets the key", async () => {
    const person = somebody();
    await person.assay(["login", "--base-url", one.baseUrl, "--api-key"], one.key.all);
    await person.assay(["login", "--base-url", two.baseUrl, "--api-key"], two.key.all);
    expect((await person.assay(["credits", "--base-url", one.baseUrl])).code).toBe(0);
    expect((await person.assay(["credits"])).code).toBe(0);
    const crossed = await person.assay(["credits", "--base-url", one.baseUrl, "--profile", new URL(two.baseUrl).host]);
    expect([crossed.code, crossed.err]).toEqual([3, expect.stringContaining("Sign in")]);
  });

  test("are revoked one by one when removed, and an unknown one is a usage error", async () => {
    const person = somebody();
    await person.signIn(one);
    const gone = person.stored().api_key;
    await person.signIn(two);
    const kept = person.stored().api_key;
    expect((await person.assay(["profile", "remove", new URL(one.baseUrl).host])).code).toBe(0);
    expect([await works(one, gone), await works(two, kept)]).toEqual([false, true]);
    expect(person.stored().profiles).toBeUndefined();
    for (const args of [
      ["use", "nothing"],
      ["remove", "nothing"],
    ]) {
      const { code, err } = await person.assay(["profile", ...args]);
      expect([code, err]).toEqual([2, expect.stringContaining(`Known: ${new URL(two.baseUrl).host}`)]);
    }
    const out = await person.assay(["logout"]);
    expect(out.code).toBe(0);
    expect(await works(two, kept)).toBe(false);
  });

  test("warn that a given key remains valid when removed", async () => {
    const person = somebody();
    await person.assay(["login", "--base-url", one.baseUrl, "--api-key"], one.key.all);
    const { code, err } = await person.assay(["profile", "remove", new URL(one.baseUrl).host]);
    expect([code, err]).toEqual([0, expect.stringContaining(`still works. Revoke it at ${one.baseUrl}/account`)]);
    expect(await works(one, one.key.all)).toBe(true);
  });

  test("have their sessions renewed separately", async () => {
    const person = somebody();
    await person.signIn(one, "--profile", "first");
    await person.signIn(two, "--profile", "second");
    const before = person.stored();
    const first = before.profiles?.first;
    expect(first?.session).toBeDefined();
    const { code } = await person.assay(["approvals", "list", "--profile", "first"]);
    expect(code).toBe(0);
    expect(person.stored().api_key).toBe(before.api_key ?? "");
  });
});
