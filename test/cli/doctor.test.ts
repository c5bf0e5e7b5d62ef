import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { chmodSync, chownSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { HealthCheck } from "../../src/platform/health-check.ts";
import { assay, Installation, runToEnd } from "../support/operator.ts";
import { commandLine } from "../support/under-test.ts";

// Every command is a separate process.
setDefaultTimeout(600_000);

/** Returns the checks of `doctor --json`. */
async function doctor(place: Installation, env: Record<string, string> = {}): Promise<HealthCheck[]> {
  const { out } = await assay(["doctor", "--json", "--data", place.data], env);
  return JSON.parse(out).checks;
}

test("a port used by another program prevents the start, and doctor reports it beforehand", async () => {
  await using place = new Installation();
  await using other = new Installation();
  const { url } = await other.serve();
  const { port } = new URL(url);
  const { code, err } = await place.run("serve", "--port", port);
  expect([code, err]).toEqual([1, expect.stringContaining(`port ${port} on 127.0.0.1 is in use`)]);
  expect(await doctor(place, { ASSAY_PORT: port })).toContainEqual({
    about: "port",
    state: "warn",
    found: `port ${port} on 127.0.0.1 is in use`,
    advice: "Stop what listens there, or start the server with another --port.",
  });
  // Its own server does not count.
  expect((await doctor(other, { ASSAY_PORT: port })).map(({ about }) => about)).not.toContain("port");
});

/**
 * Returns each file below a folder with the hash of its content and its permissions, except files without data:
 * SQLite's index of a log, and what a killed holder of the lock left.
 */
const filesOf = (folder: string) =>
  readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && !/-shm$|lock-journal$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((file) => [file, Bun.hash(readFileSync(file)), statSync(file).mode]);

describe("doctor changes no file", () => {
  const left: readonly [string, (place: Installation) => Promise<unknown>][] = [
    ["where a server was stopped", async (place) => (await place.serve()).end()],
    [
      "where a server was killed, with what it wrote last in the log",
      async (place) => {
        await (await place.serve()).end("SIGKILL");
        expect(statSync(`${place.database}-wal`).size).toBeGreaterThan(0);
      },
    ],
    [
      "of a restored backup, which has no log yet",
      async (place) => {
        const backup = join(place.folder, "backup.db");
        await place.run("backup", backup);
        rmSync(place.database);
        await place.run("restore", backup);
      },
    ],
  ];
  for (const [name, leave] of left)
    test(name, async () => {
      await using place = new Installation();
      await place.init();
      await leave(place);
      chmodSync(join(place.data, "assay.lock"), 0o644);
      const before = filesOf(place.data);
      const checks = await doctor(place, { ASSAY_MAIL_URL: "smtp://mail.example" });
      expect(checks).toContainEqual({ about: "firms", state: "ok", found: "1" });
      const keys = name.includes("server")
        ? "1, readable with the master key"
        : "none yet; the first start creates one";
      expect(checks).toContainEqual({ about: "signing keys", state: "ok", found: keys });
      expect(checks.map(({ about }) => about)).toContain("outbox");
      expect(checks.filter(({ state }) => state === "fail")).toEqual([]);
      expect(filesOf(place.data)).toEqual(before);
    });
});

/** Returns the checks by subject, and whether doctor printed its settings too. */
async function found(command: readonly string[]) {
  const { code, out } = await runToEnd(command);
  const { settings, checks } = JSON.parse(out) as { settings: unknown[]; checks: HealthCheck[] };
  const failed = Object.fromEntries(checks.filter(({ state }) => state === "fail").map((one) => [one.about, one]));
  return { code, settings: settings.length, count: checks.length, failed };
}

const doctorOn = (data: string): string[] => commandLine(["doctor", "--json", "--data", data]);

test("on a full disk doctor reports all that it can, and failing checks report themselves", async () => {
  await using place = new Installation();
  await place.init();
  const command = doctorOn(place.data)
    .map((word) => `'${word}'`)
    .join(" ");
  // No file may grow: each write fails as on a full disk.
  const { code, settings, count, failed } = await found(["bash", "-c", `trap '' XFSZ; ulimit -f 0; exec ${command}`]);
  expect([code, settings > 20, count > 8]).toEqual([1, true, true]);
  expect(Object.keys(failed)).toContain("server");
  expect(JSON.stringify(failed)).not.toContain("backup");
  for (const { found: said, advice } of Object.values(failed)) expect([said, advice]).not.toContain(undefined);
});

test("a data folder that is a file is reported, without advice to create an installation", async () => {
  await using place = new Installation();
  writeFileSync(place.data, "");
  const { code, failed } = await found(doctorOn(place.data));
  expect([code, failed["data folder"]?.advice]).toEqual([
    1,
    expect.stringContaining("name another folder with --data"),
  ]);
  for (const command of [["verify"], ["backup", join(place.folder, "b.db")], ["admin", "firms", "list"]]) {
    const { code, err } = await place.run(...command);
    expect([code, err]).toEqual([1, expect.stringMatching(/ENOTDIR[\s\S]*name another folder with --data/)]);
  }
});

describe("missing permissions are distinguished from damaged or missing files:", () => {
  const nobody = 65_534;
  const isRoot = process.getuid?.() === 0;
  // Root has every permission, and only root can run a command as another user.
  const by = (user: number, command: readonly string[]) => ["setpriv", `--reuid=${user}`, "--clear-groups", ...command];

  const cases: [string, string, (data: string) => void, string][] = [
    ["the data folder", "data folder", (data) => chmodSync(data, 0o000), "permission to read and write"],
    ["the database", "database", (data) => chmodSync(join(data, "assay.db"), 0o000), "permission to read and write"],
    [
      "writing the database",
      "access",
      (data) => chmodSync(join(data, "assay.db"), 0o400),
      "permission to read and write",
    ],
    ["writing the folder", "access", (data) => chmodSync(data, 0o500), "permission to read and write"],
    ["the lock", "server", (data) => chmodSync(join(data, "assay.lock"), 0o000), "permission to read and write"],
    [
      "the master key",
      "signing keys",
      (data) => chmodSync(join(data, "master.key"), 0o000),
      "permission to read and write",
    ],
  ];

  test.skipIf(!isRoot).each(cases)("%s", async (_, about, close, advice) => {
    await using place = new Installation();
    await place.init();
    chmodSync(place.folder, 0o755);
    for (const name of ["", ...readdirSync(place.data)]) chownSync(join(place.data, name), nobody, nobody);
    close(place.data);
    const { code, settings, failed } = await found(by(nobody, doctorOn(place.data)));
    expect([code, settings > 20]).toEqual([1, true]);
    expect(failed[about]?.advice).toContain(advice);
    expect(JSON.stringify(failed)).not.toMatch(/backup|assay init/);
  });

  test.skipIf(!isRoot)("the lock, when a server starts", async () => {
    await using place = new Installation();
    await place.init();
    chmodSync(place.folder, 0o755);
    for (const name of ["", ...readdirSync(place.data)]) chownSync(join(place.data, name), nobody, nobody);
    chmodSync(join(place.data, "assay.lock"), 0o000);
    const { code, err } = await runToEnd(by(nobody, commandLine(["serve", "--port", "0", "--data", place.data])));
    expect([code, err]).toEqual([1, expect.stringContaining("assay.lock can't be used")]);
  });
});
