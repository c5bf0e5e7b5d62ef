import { expect, test } from "bun:test";
import { join } from "node:path";
import { Glob } from "bun";
import { World } from "../support/harness.ts";
import { operationsOf } from "../support/operations.ts";
import { routes } from "./requirement-routes.ts";
import { rules } from "./requirements.ts";

/** Returns the names of all tests as written in their files: tests, groups and table rows. */
async function testNames(): Promise<Set<string>> {
  const names = new Set<string>();
  for (const file of new Glob("**/*.test.ts").scanSync(join(import.meta.dir, ".."))) {
    const text = await Bun.file(`${import.meta.dir}/../${file}`).text();
    for (const [, name = ""] of text.matchAll(/(?:\b(?:test|describe)(?:\.each\([^)]*\))?\(|\bname:)\s*"([^"]+)"/g))
      names.add(name);
  }
  return names;
}

const names = await testNames();

test("every requirement is proved by tests that exist", () => {
  const unproved = rules.filter(({ tests }) => tests.length === 0 || tests.some((name) => !names.has(name)));
  expect(unproved.map(({ says, tests }) => [says, tests.filter((name) => !names.has(name))])).toEqual([]);
});

test("every served route is proved by tests that exist, and no other is listed", async () => {
  await using world = await World.open();
  const served = (await operationsOf(world)).map(({ method, path }) => `${method} ${path}`);
  expect(Object.keys(routes).sort()).toEqual(served.sort());
  const unproved = Object.entries(routes).filter(([, tests]) => !tests.some((name) => names.has(name)));
  expect(unproved).toEqual([]);
  expect(
    Object.values(routes)
      .flat()
      .filter((name) => !names.has(name)),
  ).toEqual([]);
});

test("no requirement is listed twice", () => {
  expect(new Set(rules.map(({ says }) => says)).size).toBe(rules.length);
});
