import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { unzipSync } from "fflate";
import { lockInstallation, pathsOf } from "../../src/cli/installation.ts";
import { Installation } from "../support/operator.ts";

// Every command is a separate process.
setDefaultTimeout(600_000);

/** Creates a data folder of release 0.3 that is not marked as a demo. */
function released(): Installation {
  const place = new Installation();
  mkdirSync(place.data, { mode: 0o700 });
  const files = unzipSync(new Uint8Array(readFileSync(join(import.meta.dir, "..", "data", "release-0.3.zip"))));
  for (const [name, bytes] of Object.entries(files))
    if (name !== ".assay-demo") writeFileSync(join(place.data, name), bytes, { mode: 0o600 });
  return place;
}

const backupsOf = ({ data }: Installation): string[] => readdirSync(join(data, "backups")).sort();

describe("before a database of an earlier version is migrated", () => {
  test("serve makes a backup, names it, and the backup can be restored and served", async () => {
    await using place = released();
    const server = await place.serve();
    const line = server
      .log()
      .split("\n")
      .find((each) => each.includes("backed up the database before its migration"));
    const { file } = JSON.parse(line ?? "{}");
    await server.end();
    expect(backupsOf(place)).toEqual([expect.stringMatching(/^before-0013_\w+-\d{8}T\d{6}Z\.db$/), expect.any(String)]);
    expect([statSync(file).mode & 0o777, statSync(join(place.data, "backups")).mode & 0o777]).toEqual([0o600, 0o700]);
    await using other = new Installation();
    const restored = await other.run("restore", file);
    expect({ code: restored.code, err: restored.err }).toMatchObject({ code: 0 });
    writeFileSync(join(other.data, "master.key"), readFileSync(join(place.data, "master.key")), { mode: 0o600 });
    const next = await other.serve();
    expect((await fetch(`${next.url}/ready`)).status).toBe(200);
    // There is nothing left to migrate, and so no backup.
    await next.end();
    const again = await other.serve();
    expect(again.log()).not.toContain("backed up");
    expect(backupsOf(other)).toHaveLength(2);
  });

  test("migrate makes a backup too, keeps the newest three and deletes partial ones left by a power cut", async () => {
    await using place = released();
    const folder = join(place.data, "backups");
    mkdirSync(folder);
    for (const year of [2023, 2024, 2025]) {
      writeFileSync(join(folder, `before-0009_corpus-${year}0101T000000Z.db`), "");
      writeFileSync(join(folder, `before-0009_corpus-${year}0101T000000Z.db.sha256`), "");
    }
    writeFileSync(join(folder, "before-0009_corpus-20250101T000001Z.db.partial"), "");
    writeFileSync(join(folder, "mine.db"), "");
    const { code, err } = await place.run("migrate");
    expect([code, err]).toEqual([0, expect.stringContaining("backed up the database to")]);
    expect(backupsOf(place).filter((name) => name.endsWith(".db"))).toEqual([
      "before-0009_corpus-20240101T000000Z.db",
      "before-0009_corpus-20250101T000000Z.db",
      expect.stringMatching(/^before-0013_/),
      "mine.db",
    ]);
    expect(backupsOf(place)).not.toContain("before-0009_corpus-20230101T000000Z.db.sha256");
    expect(backupsOf(place).some((name) => name.endsWith(".partial"))).toBe(false);
  });

  test("commands advise to wait while a server migrates it, and to migrate it otherwise", async () => {
    await using place = released();
    const advice = async () => {
      const { out } = await place.run("doctor");
      return [out, (await place.run("verify")).err].map((text) => /[^.\n]*(wait until|Run `assay mig)/.exec(text)?.[1]);
    };
    expect(await advice()).toEqual(["Run `assay mig", "Run `assay mig"]);
    const lock = lockInstallation(pathsOf({ data: place.data }));
    expect(await advice()).toEqual(["wait until", "wait until"]);
    lock.release();
  });

  test("a backup that fails stops the migration, with nothing changed", async () => {
    await using place = released();
    writeFileSync(join(place.data, "backups"), "in the way");
    const { code, err } = await place.run("serve", "--port", "0");
    expect([code, err]).toEqual([1, expect.stringContaining("could not be backed up before its migration")]);
    expect(err).toContain("--no-backup");
    expect((await place.run("admin", "firms", "list")).err).toContain("Run `assay migrate`");
    expect((await place.run("migrate", "--no-backup")).code).toBe(0);
  });
});

test("a first start makes no backup", async () => {
  await using place = new Installation();
  await (await place.serve()).end();
  expect(readdirSync(place.data)).not.toContain("backups");
});
