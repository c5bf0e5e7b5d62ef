import { afterAll, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { problems } from "../../src/platform/validate.ts";
import { enterpriseOnly } from "../../src/products/germany/fields.ts";
import { GermanySummary } from "../../src/products/germany/schema.ts";
import { wordsOf } from "../../src/products/germany/words.ts";
import { callersOf, get, importGermany, market, openGermany, refusalIn, secrets } from "../support/germany-world.ts";
import { callTool } from "../support/mcp-world.ts";

const world = await openGermany();
const { full, standard, keys } = await callersOf(world);
const empty = await openGermany();
const emptyCallers = await callersOf(empty);
await importGermany(world, market);
afterAll(async () => {
  await world[Symbol.asyncDispose]();
  await empty[Symbol.asyncDispose]();
});

const all = [
  "de/dashboard",
  "de/entities",
  "de/entities/p1",
  "de/entities/p2",
  "de/entities?fields=name,network,city",
  "de/universe/counts",
  "de/universe/c1",
  "de/universe/c3",
  "de/research-playbook",
  "de/structure",
  "depth",
];

describe("access to the German market", () => {
  test("the summary is public, matches its schema, and has the same bytes until an import", async () => {
    const one = await get(world, "de/summary");
    expect([one.status, problems(GermanySummary, one.body, "")]).toEqual([200, []]);
    expect((await get(world, "de/summary")).text).toBe(one.text);
    const etag = (await world.ask("/v1/market-intelligence/de/summary")).headers.get("etag") ?? "";
    const again = await world.ask("/v1/market-intelligence/de/summary", { headers: { "if-none-match": etag } });
    expect(again.status).toBe(304);
  });

  test("every other route requires scope and entitlement, and the universe the enterprise tier", async () => {
    const scopeless = (await world.key(full, ["runs:read"])).secret;
    for (const path of [...all, "de/universe"]) {
      expect({ path, status: (await get(world, path, keys.none)).status }).toEqual({ path, status: 403 });
      expect({ path, status: (await get(world, path, scopeless)).status }).toEqual({ path, status: 403 });
      expect({ path, status: (await get(world, path)).status }).toEqual({ path, status: 401 });
      expect({ path, status: (await get(world, path, keys.full)).status }).toEqual({ path, status: 200 });
    }
    for (const path of all) expect((await get(world, path, keys.standard)).status).toBe(200);
    expect((await get(world, "de/universe", keys.standard)).status).toBe(403);
  });

  test("`access` states this in advance, for any credential", async () => {
    const tier = async (as: string) => (await get(world, "de/access", as)).body;
    expect(await tier(keys.full)).toMatchObject({ "market-intelligence:read": "granted", tier: "enterprise" });
    expect(await tier(keys.standard)).toMatchObject({ tier: "standard", universe: "missing" });
    expect(await tier(keys.none)).toMatchObject({ "market-intelligence:read": "missing", tier: "none" });
  });
});

describe("data of the enterprise tier", () => {
  test("are on no route for others, and reported as withheld", async () => {
    for (const path of [...all, "de/summary", "de/access"])
      expect({ path, found: secrets.exec((await get(world, path, keys.standard)).text)?.[0] }).toEqual({
        path,
        found: undefined,
      });
    const profile = (await get(world, "de/entities/p1", keys.standard)).body;
    expect(profile.withheld.toSorted()).toEqual([...enterpriseOnly].sort());
    for (const field of enterpriseOnly) expect(profile[field]).toBeNull();
    expect(profile).toMatchObject({ city: "Köln", lines: "motor", reliability: "B" });
    expect((await get(world, "de/entities/p1", keys.full)).body).toMatchObject({ network: "Geheimbund", withheld: [] });
  });

  test("can't be found out by searching for them", async () => {
    for (const query of ["Zauberhut", "Geheimbund", "Wundersuite", "Rabattplan", "AAAA", "Bauer"]) {
      const found = async (as: string) => (await get(world, `de/entities?query=${query}`, as)).body.total;
      expect({ query, standard: await found(keys.standard), full: await found(keys.full) }).toEqual({
        query,
        standard: 0,
        full: 1,
      });
    }
    expect((await get(world, "de/entities?query=koeln", keys.standard)).body.total).toBe(1);
  });

  test("are in no run, receipt or log, and not in the overview's tool", async () => {
    const run = await world.settled(standard, { slug: "germany-market-intelligence", input: {}, as: keys.standard });
    expect(run.status).toBe("succeeded");
    const receipt = await (await world.ask(run.receipt_url ?? "", { as: keys.standard })).text();
    const payload = Buffer.from(receipt.split(".")[1] ?? "", "base64url").toString();
    const tool = await callTool(world, keys.standard, "germany_market_overview", {});
    expect(JSON.stringify(tool.value)).toContain("intermediaries");
    for (const text of [JSON.stringify(run), payload, JSON.stringify(tool), world.logged.join("\n")])
      expect(text).not.toMatch(secrets);
  });
});

describe("an installation without an import", () => {
  test("reports in every response that there are no data", async () => {
    const { keys: own, full: firm } = emptyCallers;
    for (const path of [
      "de/summary",
      "de/dashboard",
      "de/entities",
      "de/universe",
      "de/universe/counts",
      "de/structure",
    ])
      expect({ path, said: (await get(empty, path, own.full)).body.caveats[0] }).toEqual({
        path,
        said: "Nothing has been imported: there are no rows and no profiles to show.",
      });
    expect((await get(empty, "de/summary")).body.holdings).toMatchObject({ state: "empty", rows: 0, profiles: 0 });
    expect((await get(empty, "de/access", own.full)).body.data).toBe("empty");
    expect(JSON.stringify((await get(empty, "depth", own.full)).body.notes)).toContain("No rows");
    expect((await get(empty, "de/universe/c1", own.full)).status).toBe(404);
    const run = await empty.settled(firm, { slug: "germany-market-intelligence", input: {}, as: own.full });
    expect(JSON.stringify(run.result)).toContain("No rows or profiles of the German market have been imported");
  });
});

describe("the search", () => {
  const ids = async (query: string) =>
    (await get(world, `de/universe?${query}`, keys.full)).body.items.map(({ candidate_id }) => candidate_id);

  test("finds umlauts in both spellings, without accents and without legal forms", async () => {
    for (const query of [
      "Müller",
      "mueller",
      "MULLER",
      "muell",
      "Müller%20GmbH",
      "zauberhut%20k%C3%B6ln",
      "Mueller%20KG",
    ])
      expect({ query, ids: await ids(`query=${query}`) }).toEqual({ query, ids: ["c1", "c2"] });
    expect(await ids("query=Soehne")).toEqual(["c3"]);
    expect(await ids("query=Bauer")).toEqual(["c3"]);
    expect(await ids("query=GmbH")).toEqual([]);
    expect(await ids("query=nordrhein")).toEqual(["c1", "c2"]);
  });

  test("filters by exact values, and by several at once", async () => {
    expect(await ids("city=K%C3%96LN")).toEqual(["c1", "c2"]);
    expect(await ids("city=koeln&tier=a")).toEqual(["c1"]);
    expect(await ids("sector=brok")).toEqual([]);
    expect(await ids("tier=C&query=zauberhut")).toEqual([]);
  });

  test("paginates by offset and by cursor, and refuses the cursor of other data", async () => {
    expect(await ids("offset=2")).toEqual(["c3"]);
    expect(await ids("offset=20000")).toEqual([]);
    const first = (await get(world, "de/universe?limit=2", keys.full)).body;
    expect([first.total, first.items.length]).toEqual([3, 2]);
    const second = (await get(world, `de/universe?limit=2&cursor=${first.next_cursor}`, keys.full)).body;
    expect([second.items[0]?.candidate_id, second.next_cursor]).toEqual(["c3", null]);
    const old = Buffer.from("999:2").toString("base64url");
    for (const cursor of [old, "nonsense"])
      expect(refusalIn((await get(world, `de/entities?cursor=${cursor}`, keys.full)).text)?.path).toBe("/query/cursor");
  });

  test("refuses values out of bounds, and unknown fields", async () => {
    for (const path of [
      "de/universe?offset=20001",
      "de/universe?limit=0",
      `de/universe?city=${"x".repeat(61)}`,
      "de/entities?fields=salary",
      "de/research-playbook?country=QQ",
    ])
      expect({ path, status: (await get(world, path, keys.full)).status }).toEqual({ path, status: 422 });
    const chosen = (await get(world, "de/entities?fields=city,%20sector", keys.full)).body.items;
    expect(JSON.stringify(chosen[0])).toBe(
      JSON.stringify({ target_key: "p1", sector: "broker", city: "Köln", withheld: [] }),
    );
  });

  test("compares names in one normalised form only", () => {
    const umlauts = fc.string({ unit: fc.constantFrom("ä", "ö", "ü", "b", "n", "r", " "), maxLength: 12 });
    const spelt = { ä: "ae", ö: "oe", ü: "ue" };
    fc.assert(
      fc.property(umlauts, (name) => {
        // No name has two umlauts in a row.
        fc.pre(!/[äöü]{2}/.test(name));
        const written = name.replace(/[äöü]/g, (letter) => spelt[letter as keyof typeof spelt]);
        expect(wordsOf(written)).toEqual(wordsOf(name));
      }),
    );
  });
});

describe("duplicates", () => {
  test("are proposed by register number, and by name and place, and never merged", async () => {
    const { possible_duplicates } = (await get(world, "de/universe/c1", keys.standard)).body;
    expect(possible_duplicates).toEqual([
      { candidate_id: "c2", because: ["name_and_place"] },
      { candidate_id: "c3", because: ["register_number"] },
    ]);
    expect((await get(world, "de/universe/counts", keys.full)).body).toMatchObject({ rows: 3 });
  });
});

describe("the structure", () => {
  test("is summed from the rows, and always the same", async () => {
    const one = await get(world, "de/structure", keys.standard);
    expect(one.text).toBe((await get(world, "de/structure", keys.standard)).text);
    const { geography, capacity, composition, rows } = one.body;
    for (const parts of [geography, capacity, composition])
      expect(parts.reduce((sum, part) => sum + part.rows, 0)).toBe(rows);
    expect(geography.find((part) => part.land === "DE-NW")).toMatchObject({ rows: 2, persons: 15 });
    expect(capacity.find((part) => part.size === "unknown")?.rows).toBe(1);
  });

  test("puts Germany on the last rung of the ladder, which it leaves if there are no rows", async () => {
    const levelOf = async (on: typeof world, as: string) =>
      (await get(on, "depth", as)).body.countries.find((one) => one.country === "DE")?.level;
    expect([await levelOf(world, keys.full), await levelOf(empty, emptyCallers.keys.full)]).toEqual([5, 4]);
  });
});

test("every number of the overview's summary is among its metrics", async () => {
  const { summary, metrics } = (await get(world, "de/summary")).body;
  const known = new Set(metrics.flatMap((one) => [String(one.value), ...one.period.split("-")]));
  const numbers = [
    ...String(summary)
      .replace(/(\d),(?=\d)/g, "$1")
      .matchAll(/\d+(?:\.\d+)?/g),
  ].map(([number]) => number);
  expect(numbers.filter((number) => !known.has(number))).toEqual([]);
  expect(numbers.length).toBeGreaterThan(20);
});

test("every figure of the overview has the title that its source has", async () => {
  const { metrics, sources } = (await get(world, "de/summary")).body;
  const titles = new Set(metrics.map(({ title }) => title));
  expect(sources.map(({ title }) => title).filter((title) => !titles.has(title))).toEqual([]);
  expect(metrics.find(({ indicator }) => indicator === "brokers_change")?.title).toBe("Insurance brokers, change");
});
