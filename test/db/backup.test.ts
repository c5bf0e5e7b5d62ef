import { Database } from "bun:sqlite";
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { copyFileSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { sha256Hex } from "../../src/platform/ids.ts";
import { type Firm, World } from "../support/harness.ts";
import { assay, Installation } from "../support/operator.ts";

// Every command is a separate process.
setDefaultTimeout(600_000);

interface Made {
  readonly file: string;
  readonly bytes: number;
  readonly sha256: string;
}

/** Backs an installation up to a file next to its data folder; returns the path. */
async function backedUp(place: Installation): Promise<string> {
  await place.init("--credits", "700");
  const file = join(place.folder, "good.db");
  expect((await place.run("backup", file)).code).toBe(0);
  return file;
}

describe("assay backup", () => {
  test("writes a file readable only by its owner, and a checksum for sha256sum", async () => {
    await using place = new Installation();
    await place.init();
    const file = join(place.folder, "b.db");
    const made = await place.json<Made>("backup", file);
    const bytes = readFileSync(file);
    expect(made).toEqual({ file, bytes: bytes.length, sha256: sha256Hex(bytes) });
    expect(readFileSync(`${file}.sha256`, "utf8")).toBe(`${made.sha256}  ${basename(file)}\n`);
    for (const name of [file, `${file}.sha256`]) expect(statSync(name).mode & 0o777).toBe(0o600);
    expect(existsSync(`${file}.partial`)).toBe(false);
  });

  test("does not contain the master key, and says that it must be kept too", async () => {
    await using place = new Installation();
    await place.init();
    const file = join(place.folder, "b.db");
    const { err } = await place.run("backup", file);
    expect(err).toContain(join(place.data, "master.key"));
    const key = readFileSync(join(place.data, "master.key"), "utf8").trim();
    expect(readFileSync(file).includes(key)).toBe(false);
    expect(readFileSync(file).includes(Buffer.from(key, "base64"))).toBe(false);
  });

  test("overwrites nothing", async () => {
    await using place = new Installation();
    const file = await backedUp(place);
    const before = readFileSync(file);
    const { code, err } = await place.run("backup", file);
    expect([code, err]).toEqual([2, expect.stringContaining("already exists")]);
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  test.each([
    ["a missing installation", "b.db", 1, "there is no installation"],
    ["a missing folder", "no/such/folder/b.db", 2, "no such file or directory"],
  ] as const)("leaves no file behind when it fails for %s", async (_, name, exit, message) => {
    await using place = new Installation();
    if (name !== "b.db") await place.init();
    const file = join(place.folder, name);
    const { code, err } = await place.run("backup", file);
    expect([code, err]).toEqual([exit, expect.stringContaining(message)]);
    expect(existsSync(file) || existsSync(`${file}.partial`)).toBe(false);
  });

  test("is consistent even while runs are written, and verifies when restored", async () => {
    await using world = await World.open();
    const firm = await world.firm({ credits: 1_000_000 });
    await using target = new Installation();
    const file = join(target.folder, "b.db");
    const before = await world.settled(firm);
    let done = false;
    const backup = assay(["backup", file, "--data", dirname(world.store.file)]).finally(() => {
      done = true;
    });
    const written = await runsUntil(world, firm, () => done);
    expect((await backup).code).toBe(0);
    expect(written).toBeGreaterThan(0);
    expect((await target.run("restore", file)).code).toBe(0);
    const verified = await target.run("verify");
    expect([verified.code, verified.out]).toEqual([0, expect.not.stringContaining("WRONG")]);
    const database = new Database(target.database, { readonly: true });
    expect(database.query("select status from runs where id = ?").get(before.id)).toEqual({ status: "succeeded" });
    database.close();
  });
});

/** Starts runs one after another until `isOver`; returns their number. */
async function runsUntil(world: World, firm: Firm, isOver: () => boolean): Promise<number> {
  let runs = 0;
  for (; !isOver(); runs++) await world.settled(firm);
  return runs;
}

describe("assay restore", () => {
  test("restores a backup, after which the server returns the same data", async () => {
    await using place = new Installation();
    const made = await place.init("--credits", "700");
    const file = join(place.folder, "good.db");
    await place.run("backup", file);
    await using other = new Installation();
    const { code, out, err } = await other.run("restore", file);
    expect([code, out]).toEqual([0, `restored ${other.database}\n`]);
    expect(err).toContain("Put back its master key");
    copyFileSync(join(place.data, "master.key"), join(other.data, "master.key"));
    const { url } = await other.serve();
    const answer = await fetch(`${url}/v1/credits`, { headers: { authorization: `Bearer ${made.api_key.secret}` } });
    expect(await answer.json()).toMatchObject({ balance: { available: 700, reserved: 0 } });
  });

  test("never overwrites a database, whatever it is", async () => {
    await using place = new Installation();
    const file = await backedUp(place);
    const before = readFileSync(place.database);
    const { code, err } = await place.run("restore", file);
    expect([code, err]).toEqual([1, expect.stringContaining("already exists")]);
    expect(readFileSync(place.database).equals(before)).toBe(true);
  });

  test.each([
    ["one byte changed", (file: string) => flip(file), "does not match its checksum"],
    [
      "a truncated file",
      (file: string) => writeFileSync(file, readFileSync(file).subarray(0, -4_096)),
      "does not match",
    ],
    ["no checksum file", (file: string) => Bun.file(`${file}.sha256`).delete(), "its checksum is missing"],
    [
      "another file's checksum",
      (file: string) => writeFileSync(`${file}.sha256`, `${"0".repeat(64)}  x\n`),
      "does not match",
    ],
    ["damage that its checksum covers", (file: string) => sealed(file, () => flip(file, 4_096)), "damaged"],
    ["content that is not a database", (file: string) => sealed(file, () => writeFileSync(file, "hello")), "damaged"],
    [
      "another program's tables",
      (file: string) => sealed(file, () => foreign(file)),
      "not a backup of an installation",
    ],
    ["a newer schema", (file: string) => sealed(file, () => newer(file)), "made by a newer version"],
  ])("refuses a backup with %s, and leaves nothing behind", async (_, spoil, message) => {
    await using place = new Installation();
    const file = await backedUp(place);
    await spoil(file);
    await using other = new Installation();
    const { code, out, err } = await other.run("restore", file);
    expect([code, out]).toEqual([1, ""]);
    expect(err).toContain(message);
    for (const suffix of ["", "-wal", "-shm", ".restoring"]) expect(existsSync(other.database + suffix)).toBe(false);
  });

  test("refuses a missing file with exit code 2, and creates no folder", async () => {
    await using place = new Installation();
    expect((await place.run("restore", join(place.folder, "nothing.db"))).code).toBe(2);
    expect(existsSync(place.data)).toBe(false);
  });

  test("restores a backup without its checksum only if asked to, and never against its checksum", async () => {
    await using place = new Installation();
    const file = await backedUp(place);
    await using other = new Installation();
    const sum = readFileSync(`${file}.sha256`);
    rmSync(`${file}.sha256`);
    expect((await other.run("restore", file)).err).toContain("--no-checksum");
    writeFileSync(`${file}.sha256`, `${"0".repeat(64)}  x\n`);
    expect((await other.run("restore", file, "--no-checksum")).err).toContain("does not match its checksum");
    rmSync(`${file}.sha256`);
    const truncated = join(place.folder, "truncated.db");
    writeFileSync(truncated, readFileSync(file).subarray(0, -4_096));
    expect((await other.run("restore", truncated, "--no-checksum")).err).toContain("the backup is damaged");
    expect(await other.run("restore", file, "--no-checksum")).toMatchObject({
      code: 0,
      out: `restored ${other.database}\n`,
    });
    expect(sum.toString()).toStartWith(sha256Hex(readFileSync(file)));
  });

  test("verify reports a missing master key, and doctor finds it in a service's variables", async () => {
    await using place = new Installation();
    await place.init();
    await (await place.serve()).end();
    const file = join(place.folder, "good.db");
    await place.run("backup", file);
    await using other = new Installation();
    await other.run("restore", file);
    const { code, err } = await other.run("verify");
    expect([code, err]).toEqual([0, expect.stringContaining("The master key was not checked")]);
    expect((await other.run("doctor")).out).toContain("FAIL  signing keys: the master key is missing");
    const variables = join(other.folder, "assay.env");
    const key = readFileSync(join(place.data, "master.key"), "utf8");
    writeFileSync(variables, `ASSAY_MASTER_KEY=${key}`);
    expect(await other.run("doctor", "--env-file", variables)).toMatchObject({
      code: 0,
      out: expect.stringContaining("signing keys: 1, readable with the master key"),
    });
    expect((await other.run("verify", "--env-file", variables)).err).not.toContain("master key");
  });
});

/** Overwrites 64 bytes. */
function flip(file: string, at = 200): void {
  const bytes = readFileSync(file);
  for (let i = at; i < at + 64; i++) bytes[i] = 255 - (bytes[i] ?? 0);
  writeFileSync(file, bytes);
}

/** Changes a backup and updates its checksum, as a mistaken operator might. */
function sealed(file: string, change: () => void): void {
  change();
  writeFileSync(`${file}.sha256`, `${sha256Hex(readFileSync(file))}  ${basename(file)}\n`);
}

function newer(file: string): void {
  const database = new Database(file);
  database.run("insert into kysely_migration (name, timestamp) values ('9999_later', '2030-01-01')");
  database.close();
}

function foreign(file: string): void {
  writeFileSync(file, "");
  const database = new Database(file);
  database.run("create table cats (name text)");
  database.close();
}
