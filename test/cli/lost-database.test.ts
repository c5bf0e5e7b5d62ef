import { Database } from "bun:sqlite";
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { HealthCheck } from "../../src/platform/health-check.ts";
import { assay, Installation } from "../support/operator.ts";

/** If an installation's database is missing, emptied or another program's, no new one is created next to the rest. */

// Every command is a separate process.
setDefaultTimeout(600_000);

/** A server's folder after a kill: the last acknowledged data are only in the WAL. */
let killed: Installation;
let acknowledged: string;
let key: string;

beforeAll(async () => {
  killed = new Installation();
  ({ secret: key } = (await killed.init("--credits", "100", "--gates", "platform,exa-filter")).api_key);
  const server = await killed.serve();
  const started = await fetch(`${server.url}/v1/capabilities/exa-filter/runs`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json", "idempotency-key": "acknowledged" },
    body: JSON.stringify({
      input: { question: "Is theft covered?", answer: "It is.", sources: ["Theft is covered."] },
    }),
  });
  expect(started.status).toBe(202);
  ({ id: acknowledged } = (await started.json()) as { id: string });
  await server.end("SIGKILL");
});
afterAll(() => killed[Symbol.asyncDispose]());

/** Returns a copy of the killed server's folder. */
function left(): Installation {
  const place = new Installation();
  cpSync(killed.data, place.data, { recursive: true });
  return place;
}

const log = ({ database }: Installation): string => `${database}-wal`;

/** Returns the messages of each command that could create a database; all of them must refuse. */
async function refusals(place: Installation): Promise<string[]> {
  const commands = [
    ["serve", "--port", "0"],
    ["init", "--email", "new@acme.test", "--firm", "New"],
    ["migrate"],
    ["verify"],
    ["admin", "firms", "list"],
    ["backup", join(place.folder, "b.db")],
  ];
  const said: string[] = [];
  for (const command of commands) {
    const { code, err } = await place.run(...command);
    expect([command[0], code]).toEqual([command[0], 1]);
    said.push(err);
  }
  return said;
}

async function databaseCheck(place: Installation): Promise<HealthCheck | undefined> {
  const { code, out } = await assay(["doctor", "--json", "--data", place.data]);
  const { ok, checks } = JSON.parse(out) as { ok: boolean; checks: HealthCheck[] };
  expect([code, ok]).toEqual([1, false]);
  return checks.find(({ about }) => about === "database");
}

describe("the log of a database", () => {
  const cases: [string, (database: string) => void, string][] = [
    ["that is gone", (database) => rmSync(database), "there is no assay.db in"],
    ["that was emptied", (database) => writeFileSync(database, ""), "assay.db is empty"],
  ];

  test.each(cases)("%s is kept, and its run is available again once the database is", async (_, lose, words) => {
    await using place = left();
    const saved = join(place.folder, "saved.db");
    cpSync(place.database, saved);
    const before = readFileSync(log(place));
    lose(place.database);
    for (const said of await refusals(place)) {
      expect(said).toContain(words);
      expect(said).toContain("assay.db-wal, master.key, server.json");
      expect(said).toContain("Put back the assay.db that it belongs to, then run `assay verify`");
    }
    expect(await databaseCheck(place)).toMatchObject({ state: "fail", advice: expect.stringContaining("Keep ") });
    expect(readFileSync(log(place)).equals(before)).toBe(true);
    rmSync(place.database, { force: true });
    renameSync(saved, place.database);
    const server = await place.serve();
    const found = await fetch(`${server.url}/v1/runs/${acknowledged}`, { headers: { authorization: `Bearer ${key}` } });
    expect(found.status).toBe(200);
  });

  test("must be moved before a backup can replace the database", async () => {
    await using place = left();
    const backup = join(place.folder, "b.db");
    expect((await killed.run("backup", backup)).code).toBe(0);
    rmSync(place.database);
    const refused = await place.run("restore", backup);
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining("assay.db-wal already exists")]);
    renameSync(log(place), join(place.folder, "kept.db-wal"));
    expect((await place.run("restore", backup)).code).toBe(0);
    expect((await place.run("verify")).code).toBe(0);
  });
});

describe("a lost database without its log is not recreated either, next to", () => {
  const cases = ["master.key", "server.json", "datasets", "uploads", "backups", "insurance.index"];

  test.each(cases)("%s", async (name) => {
    await using place = new Installation();
    mkdirSync(place.data, { mode: 0o700 });
    if (name.includes(".")) writeFileSync(join(place.data, name), "");
    else mkdirSync(join(place.data, name));
    const { code, err } = await place.run("serve", "--port", "0");
    expect([code, err]).toEqual([1, expect.stringContaining(`other files of an installation are there: ${name}`)]);
    expect(err).toContain("A new installation needs an empty folder.");
    expect(existsSync(place.database)).toBe(false);
  });
});

test("a first start interrupted before anything was written can be repeated", async () => {
  await using place = new Installation();
  mkdirSync(place.data, { mode: 0o700 });
  for (const name of ["assay.lock", "assay.db"]) writeFileSync(join(place.data, name), "");
  const server = await place.serve();
  expect((await fetch(`${server.url}/ready`)).status).toBe(200);
});

test("a database lost during operation makes doctor fail, and prevents the next start", async () => {
  await using place = left();
  const server = await place.serve();
  rmSync(place.database);
  await server.says("was deleted or replaced");
  expect(await databaseCheck(place)).toMatchObject({ state: "fail" });
  await server.end();
  const { code, err } = await place.run("serve", "--port", "0");
  expect([code, err]).toEqual([1, expect.stringContaining("there is no assay.db in")]);
});

test("another program's database is left unchanged", async () => {
  await using place = new Installation();
  mkdirSync(place.data, { mode: 0o700 });
  const other = new Database(place.database, { create: true });
  other.run("create table notes (text)");
  other.close();
  const before = readFileSync(place.database);
  for (const said of await refusals(place)) expect(said).toContain("is another program's database");
  expect(await databaseCheck(place)).toMatchObject({
    state: "fail",
    advice: expect.stringContaining("It was not changed"),
  });
  expect(readFileSync(place.database).equals(before)).toBe(true);
  expect(existsSync(log(place))).toBe(false);
});

test("a demo whose database is missing says that its folder can be deleted", async () => {
  await using place = new Installation();
  await (await place.serveDemo()).end();
  rmSync(place.database);
  const { code, err } = await place.run("serve", "--demo", "--port", "0");
  expect([code, err]).toEqual([1, expect.stringContaining("delete the folder")]);
});
