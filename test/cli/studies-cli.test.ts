import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Installation } from "../support/operator.ts";
import { bicycles } from "../support/validator-world.ts";

const persona = { age: 41, role: "teacher", bio: "41 years old.", juster: 7, answer: "I would rather buy it." };
const study = (given: object = {}): string =>
  JSON.stringify({
    id: crypto.randomUUID(),
    hypothesis: bicycles,
    decision_size: "L",
    audience: { id: crypto.randomUUID(), name: "Riders", description: "People who ride.", market: "Česko" },
    verdict: "GO",
    confidence: 0.4,
    summary: "Seven of ten would buy.",
    created_at: "2026-01-05T10:00:00Z",
    personas: Array.from({ length: 6 }, () => persona),
    ...given,
  });

interface Audience {
  readonly id: string;
  readonly market: string;
  readonly source: string;
}

test("studies are imported on the command line, each line reported by number, and an operator deletes an audience", async () => {
  await using here = new Installation();
  await here.init();
  const file = join(here.folder, "studies.jsonl");
  const none = study({ personas: [], verdict: null, confidence: null, summary: null });
  writeFileSync(file, [study(), "{ not json", study({ decision_size: "XXL" }), "", none].join("\n"));
  const dry = await here.run("import", "studies", file, "--dry-run");
  expect([dry.code, dry.out.trim()]).toEqual([1, "dry run, nothing was written: 2 imported, 0 unchanged, 2 refused"]);
  expect(await here.json<Audience[]>("admin", "audiences", "list")).toEqual([]);
  const done = await here.run("import", "studies", file);
  expect([done.code, done.out.trim()]).toEqual([1, "2 imported, 0 unchanged, 2 refused"]);
  for (const line of [
    `${file}:2: refused: is not valid JSON`,
    `${file}:3: refused: /decision_size must be one of S, M, L, XL`,
    `${file}:5: imported: has no personas: nothing can be charged for it`,
    "2 of 4 studies were refused",
  ])
    expect(done.err).toContain(line);
  const again = await here.run("import", "studies", file);
  expect(again.out.trim()).toBe("0 imported, 2 unchanged, 2 refused");
  const [one, ...others] = await here.json<Audience[]>("admin", "audiences", "list");
  expect(others).toHaveLength(1);
  expect(one).toMatchObject({ market: "CZ", source: "imported" });
  expect((await here.run("admin", "audiences", "delete", one?.id ?? "")).code).toBe(0);
  expect(await here.json<Audience[]>("admin", "audiences", "list")).toEqual(others);
  const gone = await here.run("admin", "audiences", "delete", one?.id ?? "");
  expect([gone.code, gone.err.includes("has no audience")]).toEqual([2, true]);
  expect((await here.run("verify")).code).toBe(0);
});

test("an existing study with different content is refused with the difference, as is an audience under another's id", async () => {
  await using here = new Installation();
  await here.init();
  const file = join(here.folder, "studies.jsonl");
  const id = crypto.randomUUID();
  const audience = { id: crypto.randomUUID(), name: "Hikers CZ", description: "People who hike.", market: "CZ" };
  const given = { id, audience };
  const lines = [
    study(given),
    study({ audience: { ...audience, name: "Skiers SK", market: "SK" } }),
    study({ ...given, verdict: "NO-GO", summary: "Two of ten would buy.", personas: [persona] }),
    study(given),
    study({ audience: { ...audience, description: "Whoever hikes." } }),
    // A market has several names, and a time several formats.
    study({ ...given, audience: { ...audience, market: "Česko" }, created_at: "2026-01-05T11:00:00+01:00" }),
  ];
  writeFileSync(file, lines.join("\n"));
  interface Report {
    readonly studies: readonly { readonly line: number; readonly status: string; readonly notes: readonly string[] }[];
  }
  const outcomes = async (...args: string[]) => {
    const { code, out } = await here.run("import", "studies", file, "--json", ...args);
    expect(code).toBe(1);
    return (JSON.parse(out) as Report).studies.map(({ line, status, notes }) => [line, status, ...notes]);
  };
  const other = "/audience/id belongs to an existing audience with a different /audience/name, /audience/market";
  const changed = "/id belongs to an existing study with a different /verdict, /summary, /personas";
  const own = `${changed}: use a new id`;
  const kept = "/audience/description is stored with the study; the existing audience keeps its own";
  const first: (string | number)[][] = [
    [1, "imported"],
    [2, "refused", other],
    [3, "refused", own],
    [4, "unchanged"],
    [5, "imported", kept],
    [6, "unchanged"],
  ];
  expect(await outcomes("--dry-run")).toEqual(first);
  expect(await outcomes()).toEqual(first);
  const again = first.map((told) => (told[1] === "imported" ? told.with(1, "unchanged").slice(0, 2) : told));
  expect(await outcomes()).toEqual(again);
  expect(await here.json<Audience[]>("admin", "audiences", "list")).toMatchObject([{ id: audience.id, market: "CZ" }]);
});
