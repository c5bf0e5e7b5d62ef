import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDraft } from "../../src/platform/files.ts";
import { assay, Installation, runToEnd } from "../support/operator.ts";
import { orderProblems, type SystemCall, systemCalls, tracerInto } from "../support/strace.ts";
import { commandLine } from "../support/under-test.ts";

/**
 * Tests what survives a power cut: every file that the product creates is written under another name, synced, renamed
 * into place, and its folder synced. If strace is available, it shows the order of the commands' system calls.
 */

setDefaultTimeout(600_000);

const folder = mkdtempSync(join(tmpdir(), "assay-durable-"));
const place = new Installation();
afterAll(async () => {
  await place[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

const permissions = (path: string): number => statSync(path).mode & 0o777;
let traces = 0;
const newTrace = (): string => join(folder, `trace-${++traces}`);
/** Returns the system calls of a traced command, or undefined without strace. */
const callsIn = (file: string): SystemCall[] | undefined =>
  tracerInto(file).length > 0 ? systemCalls(file) : undefined;

/** Runs a command, which must succeed, and returns its system calls. */
async function traced(args: readonly string[], env: Record<string, string> = {}): Promise<SystemCall[] | undefined> {
  const trace = newTrace();
  const { code, err } = await runToEnd([...tracerInto(trace), ...commandLine(args)], env);
  expect({ code, err: code === 0 ? "" : err }).toEqual({ code: 0, err: "" });
  return callsIn(trace);
}

/**
 * Checks that the file is accessible to its owner only, that nothing is left next to it, and that it was written in the
 * right order.
 */
function expectDurable(calls: SystemCall[] | undefined, path: string, mode = 0o600): void {
  expect({ path, mode: permissions(path) }).toEqual({ path, mode });
  expect(readdirSync(join(path, "..")).filter(isDraft)).toEqual([]);
  if (calls) expect(orderProblems(calls, path)).toEqual([]);
}

/** Returns whether a sync of the folder ended between two calls. */
const isSynced = (calls: readonly SystemCall[], path: string, after: SystemCall, before: SystemCall | undefined) =>
  calls.some(
    ({ name, args, began, ended }) =>
      name === "fsync" && args.includes(`<${path}>`) && began > after.ended && (!before || ended < before.began),
  );

/** Others may list the folder, so each file must have its own permissions. */
async function serveDemo(): Promise<SystemCall[] | undefined> {
  const trace = newTrace();
  const server = place.begin(
    ["--demo", "--bench"],
    ["/bin/sh", "-c", 'umask 022; exec "$0" "$@"', ...tracerInto(trace)],
  );
  await server.says("listening on");
  const { pid } = JSON.parse(readFileSync(join(place.data, "server.json"), "utf8"));
  for (const entry of readdirSync(place.data, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    // A draft may have been renamed in the meantime.
    const mode = statSync(path, { throwIfNoEntry: false })?.mode;
    if (mode !== undefined) expect([path, mode & 0o777]).toEqual([path, entry.isDirectory() ? 0o700 : 0o600]);
  }
  process.kill(pid, "SIGTERM");
  expect(await server.ended).toBe(0);
  return callsIn(trace);
}

describe("a first start", () => {
  let calls: SystemCall[] | undefined;
  beforeAll(async () => {
    calls = await serveDemo();
  });

  test.each([".assay-demo", "master.key", "bench-keys.txt", "demo-credentials.json"])("syncs %s to disk", (name) =>
    expectDurable(calls, join(place.data, name)),
  );

  test("announces itself in a complete file", () => {
    if (calls) expect(orderProblems(calls, join(place.data, "server.json"))).toEqual([]);
    expect(readdirSync(place.data)).not.toContain("server.json");
  });

  test("syncs its data folder and the database's name before anything is written to the database", () => {
    expect(permissions(place.data)).toBe(0o700);
    if (!calls) return;
    const made = (pattern: RegExp) => calls?.find(({ name, args }) => pattern.test(`${name}(${args}`));
    const folderMade = made(new RegExp(`^mkdir\\("${place.data}"`));
    const databaseMade = made(new RegExp(`"${place.database}", [A-Z_|]*O_EXCL`));
    const firstWrite = calls.find(({ name, args }) => name === "pwrite64" && args.includes(`<${place.database}`));
    if (!folderMade || !databaseMade || !firstWrite) throw new Error("the trace lacks what was made");
    expect(isSynced(calls, place.folder, folderMade, databaseMade)).toBe(true);
    expect(isSynced(calls, place.data, databaseMade, firstWrite)).toBe(true);
  });

  test("syncs the master key before anything is encrypted with it", () => {
    if (!calls) return;
    const key = calls.find(({ name, args }) => name === "link" && args.includes(`"${join(place.data, "master.key")}"`));
    if (!key) throw new Error("the trace lacks the master key");
    const next = calls.find(
      ({ name, args, began }) => name === "pwrite64" && args.includes(`<${place.database}`) && began > key.ended,
    );
    expect(isSynced(calls, place.data, key, next)).toBe(true);
  });
});

describe("a file created by a command is on disk when it exits:", () => {
  test("a backup and its checksum, and the files restored from them", async () => {
    const backup = join(folder, "backup.db");
    const written = await traced(["backup", backup, "--data", place.data]);
    expectDurable(written, backup);
    expectDurable(written, `${backup}.sha256`);
    const other = join(folder, "restored", "data");
    const restored = await traced(["restore", backup, "--data", other]);
    expectDurable(restored, join(other, "assay.db"));
    expect(permissions(other)).toBe(0o700);
  });

  test("the search index", async () => {
    expectDurable(await traced(["index", "rebuild", "--data", place.data]), join(place.data, "insurance.index"));
  });

  test("an MCP client's settings, and their previous version", async () => {
    const settings = join(folder, ".cursor", "mcp.json");
    const install = ["mcp", "install", "--client", "cursor", "--yes", "--base-url", "http://127.0.0.1:1", "--name"];
    expectDurable(await traced([...install, "one"], { HOME: folder }), settings);
    const again = await traced([...install, "two"], { HOME: folder });
    expectDurable(again, settings);
    expectDurable(again, `${settings}.assay-backup`);
  });
});

describe("with a server,", () => {
  test("the client's settings and a receipt are on disk too", async () => {
    const { url } = await place.serve("--demo", "--bench");
    const told = JSON.parse(readFileSync(join(place.data, "demo-credentials.json"), "utf8"));
    const [{ keys, seeded }] = told.firms;
    const home = { XDG_CONFIG_HOME: join(folder, "config"), ASSAY_BASE_URL: url };
    const login = newTrace();
    const key = join(folder, "key");
    writeFileSync(key, keys.all);
    const shell = ["/bin/sh", "-c", `exec "$0" "$@" < '${key}'`];
    const command = [...shell, ...tracerInto(login), ...commandLine(["login", "--api-key", "--base-url", url])];
    expect((await runToEnd(command, home)).code).toBe(0);
    expectDurable(callsIn(login), join(folder, "config", "assay", "config.json"));
    const receipt = join(folder, "receipt.jws");
    expectDurable(await traced(["receipt", "get", seeded.run_id, "--output", receipt], home), receipt, 0o644);
    expect((await assay(["receipt", "verify", receipt], home)).code).toBe(0);
  });
});
