import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { chmodSync, chownSync, lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { unzipSync } from "fflate";
import { makeFolderDurably, own, writeDurably } from "../../src/platform/files.ts";
import type { HealthCheck } from "../../src/platform/health-check.ts";
import { browserAt } from "../support/browser-at.ts";
import { Installation, runToEnd, type Starting } from "../support/operator.ts";
import { commandLine } from "../support/under-test.ts";

/** Files created by root in the server user's data folder belong to that user, as with `sudo assay …` for a unit. */

// Every command is a separate process.
setDefaultTimeout(600_000);

/** The server's user. */
const user = 65_534;
const isRoot = process.getuid?.() === 0;
const asUser = ["setpriv", `--reuid=${user}`, `--regid=${user}`, "--clear-groups"];

/** Creates an empty folder of the user, closed to others. */
function place(): Installation {
  const made = new Installation();
  chmodSync(made.folder, 0o755);
  mkdirSync(made.data, { mode: 0o700 });
  chownSync(made.data, user, user);
  return made;
}

const everything = (folder: string): string[] =>
  ["", ...readdirSync(folder, { recursive: true, encoding: "utf8" })].map((name) => join(folder, name));

/** Returns files in the folder that belong to someone else, or are open to others. */
const strays = (folder: string): string[] =>
  everything(folder).filter((path) => {
    const { uid, gid, mode } = lstatSync(path);
    return uid !== user || gid !== user || (mode & 0o077) !== 0;
  });

async function serve(here: Installation): Promise<Starting & { url: string }> {
  const server = here.begin([], asUser);
  await server.says("listening on");
  const [, url = ""] = /listening on (http:[^"]+)"/.exec(server.log()) ?? [];
  return { ...server, url };
}

async function accessSaid(here: Installation, by: readonly string[] = []): Promise<HealthCheck | undefined> {
  const { out } = await runToEnd([...by, ...commandLine(["doctor", "--json", "--data", here.data])]);
  return (JSON.parse(out) as { checks: HealthCheck[] }).checks.find(({ about }) => about === "access");
}

const mapping =
  "publisher: Eurostat\nplace: {column: geo}\nperiod: {column: year}\nvalue: v\nunit: {fixed: persons}\nindicator: {fixed: population}\n";

function table(here: Installation): string {
  const file = join(here.folder, "people.csv");
  writeFileSync(file, "geo;year;v\nDE;2020;1\n");
  writeFileSync(`${file}.mapping.yaml`, mapping);
  return file;
}

describe.skipIf(!isRoot)("files created by root in another user's folder belong to that user:", () => {
  test("a file, a folder and its parents, and a folder filled by another program", async () => {
    await using here = place();
    const made = (name: string) => join(here.data, name);
    await makeFolderDurably(made("a/b"), 0o700);
    await writeDurably(made("a/b/file"), "text", { mode: 0o600 });
    await writeDurably(made("a/b/file"), "another", { mode: 0o600 });
    own(made("filled"));
    expect(strays(here.data)).toEqual([]);
    own(made("kept"), { isGiven: false });
    expect(lstatSync(made("kept")).uid).toBe(0);
    expect(lstatSync(here.folder).uid).toBe(0);
  });

  test("an installation, and an import during its server's operation, which the server uses", async () => {
    await using here = place();
    await here.init("--gates", "all");
    expect(strays(here.data)).toEqual([]);
    const server = await serve(here);
    expect((await here.run("import", "eu-data", table(here))).code).toBe(0);
    expect(readdirSync(here.data)).toContain("datasets");
    expect(strays(here.data)).toEqual([]);
    expect((await fetch(`${server.url}/v1/public/eu-overview`)).status).toBe(200);
    expect(await accessSaid(here, asUser)).toMatchObject({ state: "ok" });
  });

  test("the backup before a migration, next to which the server writes its own", async () => {
    await using here = place();
    const files = unzipSync(new Uint8Array(readFileSync(join(import.meta.dir, "..", "data", "release-0.3.zip"))));
    for (const [name, bytes] of Object.entries(files))
      if (name !== ".assay-demo") await writeDurably(join(here.data, name), bytes, { mode: 0o600 });
    expect((await here.run("migrate")).code).toBe(0);
    expect(readdirSync(here.data)).toContain("backups");
    expect(strays(here.data)).toEqual([]);
    await (await serve(here)).end();
  });

  test("a restored database, but not a backup written to a third user's folder", async () => {
    await using here = place();
    await using there = place();
    await here.init();
    const elsewhere = join(here.folder, "elsewhere");
    mkdirSync(elsewhere);
    chownSync(elsewhere, 65_533, 65_533);
    const backup = join(elsewhere, "b.db");
    expect((await here.run("backup", backup)).code).toBe(0);
    expect(lstatSync(backup).uid).toBe(0);
    expect((await there.run("restore", backup)).code).toBe(0);
    expect(strays(there.data)).toEqual([]);
  });
});

describe.skipIf(!isRoot)("files that belong to root are reported:", () => {
  test("by doctor, for any user, and by the routes that need them", async () => {
    await using here = place();
    const { owner, password_link } = await here.init();
    const backups = join(here.data, "backups");
    mkdirSync(backups, { mode: 0o700 });
    const advised = `chown -R --reference=${here.data}/. ${here.data}/`;
    expect(await accessSaid(here)).toMatchObject({
      state: "fail",
      found: `the owner of ${here.data} can't read and write ${backups}`,
      advice: expect.stringContaining(advised),
    });
    expect(await accessSaid(here, asUser)).toMatchObject({ state: "fail", found: expect.stringContaining(backups) });
    const server = await serve(here);
    const browser = await browserAt(server.url, owner.email, password_link);
    const ask = async (method: string) => {
      const answer = await browser.ask("/v1/operator/backups", { method });
      const body = (await answer.json()) as { error?: { code: string } };
      return [answer.status, body.error?.code];
    };
    for (const method of ["GET", "POST", "GET"]) expect(await ask(method)).toEqual([503, "backups_unavailable"]);
    expect((await runToEnd(["/bin/sh", "-c", advised])).code).toBe(0);
    expect(await accessSaid(here)).toMatchObject({ state: "ok" });
    expect((await ask("POST"))[0]).toBe(202);
  });
});
