import { afterAll, describe, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { draftDatasetFile, openDatasetFile } from "../../db/sqlite/dataset-file.ts";
import { fileWith } from "../support/datasets.ts";
import { callersOf, get, importGermany, market, openGermany, refusalIn } from "../support/germany-world.ts";

const world = await openGermany();
const { keys } = await callersOf(world);
afterAll(() => world[Symbol.asyncDispose]());

const row = { candidate_id: "ok", name: "Gute Firma" };
const imported = async (rows: readonly Record<string, string>[], table = "universe") => {
  const { files, version } = await importGermany(world, { [table]: rows }, true);
  const [file] = files;
  return {
    version,
    refused: file?.refused.map(({ line, code, reason }) => `${line} ${code}: ${reason}`),
    reason: file?.reason,
  };
};

describe("an import of the German market", () => {
  const wrong: readonly [string, Record<string, string>, RegExp][] = [
    ["a row without a name", { candidate_id: "a", name: "" }, /name is empty/],
    ["an unknown Land", { ...row, candidate_id: "a", land: "Atlantis" }, /not one of the sixteen/],
    ["people that are not a number", { ...row, candidate_id: "a", persons: "many" }, /not a whole number/],
    ["an unknown label", { ...row, candidate_id: "a", reliability: "E" }, /not A, B, C or D/],
    ["a site that is not an address", { ...row, candidate_id: "a", website: "javascript:alert(1)" }, /not an address/],
    ["a formula", { ...row, candidate_id: "a", city: "=1+1" }, /formula/],
    ["a key that contains part of the name", { ...row, candidate_id: "gute-1" }, /contains part of its name/],
    ["a key with a path", { ...row, candidate_id: "../a" }, /its key is not/],
    ["a very long field", { ...row, candidate_id: "a", city: "x".repeat(401) }, /longer than 400/],
    ["a duplicate key", { ...row, candidate_id: "ok" }, /line 2 already has the same/],
  ];
  for (const [what, one, reason] of wrong)
    test(`refuses ${what}, and names its line`, async () => {
      const { refused = [] } = await imported([row, one]);
      expect(refused.length).toBe(1);
      expect(refused[0]).toMatch(/^3 /);
      expect(refused[0]).toMatch(reason);
    });

  test("refuses a file with an unknown column, and one that is not one of its tables", async () => {
    expect((await imported([{ ...row, salary: "1" }])).reason?.hint).toContain("Name the columns to take");
    expect((await imported([row], "people")).reason?.message).toContain("universe and profiles");
  });

  test("serves the new version immediately, with the other tables unchanged, and refuses an old cursor", async () => {
    await importGermany(world, market);
    expect((await get(world, "de/universe/counts", keys.full)).body).toMatchObject({ version: 1, rows: 3 });
    const cursor = (await get(world, "de/universe?limit=1", keys.full)).body.next_cursor;
    await importGermany(world, { universe: [row] });
    expect((await get(world, "de/universe/counts", keys.full)).body).toMatchObject({ version: 2, rows: 1 });
    const old = await get(world, `de/universe?cursor=${cursor}`, keys.full);
    expect(refusalIn(old.text)?.message).toContain("another import has replaced");
    expect((await get(world, "de/entities", keys.full)).body.total).toBe(2);
  });
});

/** Runs a search to completion and returns its result. */
function ended<T>(search: Generator<undefined, T>): T {
  for (;;) {
    const step = search.next();
    if (step.done) return step.value;
  }
}

describe("the index", () => {
  test("finds exactly what a scan of all rows finds, over several segments, at any offset", () => {
    const file = join(fileWith("x", ""), "..", "index.table");
    const facts = {
      name: "t",
      title: "t",
      publisher: "t",
      code: null,
      licence: null,
      url: null,
      retrieved: "2026-01-01",
    };
    const rows = 70_000;
    const termsOf = (at: number) => [`tier ${at % 3}`, `any w${at % 35_000}`, ...(at % 5 === 0 ? ["any even"] : [])];
    const draft = draftDatasetFile(file);
    for (let at = 0; at < rows; at++) {
      const keys = { terms: termsOf(at), signs: [], dimensions: { tier: String(at % 3) }, amount: at % 2 };
      draft.entity({ key: `k${at}`, fields: {}, line: at + 2 }, keys);
    }
    draft.finish({ ...facts, reliability: "D", note: null });
    draft.close();
    const table = openDatasetFile(file);
    const all = Array.from({ length: rows }, (_, at) => termsOf(at));
    const terms = fc.uniqueArray(fc.constantFrom("tier 0", "tier 1", "any even", "any w7", "any w34999"), {
      maxLength: 3,
    });
    const beginnings = fc.uniqueArray(fc.constantFrom("any w1", "any w34", "any e", "any x"), { maxLength: 2 });
    fc.assert(
      fc.property(
        terms,
        beginnings,
        fc.nat(12_000),
        fc.integer({ min: 1, max: 40 }),
        (exact, begins, offset, limit) => {
          const fits = all.flatMap((own, at) =>
            exact.every((term) => own.includes(term)) && begins.every((b) => own.some((term) => term.startsWith(b)))
              ? [at]
              : [],
          );
          const found = ended(table.find({ terms: exact, beginnings: begins, offset, limit }));
          expect(found.total).toBe(fits.length);
          expect(found.entities.map(({ key }) => key)).toEqual(
            fits.slice(offset, offset + limit).map((at) => `k${at}`),
          );
        },
      ),
      { numRuns: 12 },
    );
    const counted = table.cells().map(({ rows, amount }) => [rows, amount]);
    expect(counted).toEqual(
      [0, 1, 2].map((tier) => {
        const own = all.flatMap((_, at) => (at % 3 === tier ? [at % 2] : []));
        return [own.length, own.reduce((sum, odd) => sum + odd, 0)];
      }),
    );
    table.close();
    rmSync(file);
  });
});
