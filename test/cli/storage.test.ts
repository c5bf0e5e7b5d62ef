import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import {
  chmodSync,
  closeSync,
  cpSync,
  mkdirSync,
  openSync,
  rmSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { freePort, isFree } from "../support/free-port.ts";
import { until } from "../support/harness.ts";
import { Installation, runToEnd, type Serving } from "../support/operator.ts";

// Every server is a separate process.
setDefaultTimeout(600_000);

const demoKey = async (place: Installation): Promise<string> =>
  (await Bun.file(join(place.data, "demo-credentials.json")).json()).firms[0].keys.all;

/** Returns status and code of a response. */
async function asked(url: string, init: RequestInit = {}): Promise<string> {
  const response = await fetch(url, init);
  const body = (await response.json()) as { error?: { code: string } };
  return `${response.status} ${body.error?.code ?? "fine"}`;
}

let runs = 0;
const startRun = (server: Serving, key: string): Promise<Response> =>
  fetch(`${server.url}/v1/capabilities/exa-filter/runs`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${key}`,
      "content-type": "application/json",
      "idempotency-key": `storage-${++runs}`,
    },
    body: JSON.stringify({
      input: { question: "Is theft covered?", answer: "It is.", sources: ["Theft is covered."] },
    }),
  });

describe("a server whose files are removed", () => {
  test.each(["deleted", "replaced by an empty one"])(
    "stops writing, reports it, continues reading, and loses nothing acknowledged: the log is %s",
    async (how) => {
      await using place = new Installation();
      const server = await place.serveDemo();
      const key = await demoKey(place);
      const accepted: string[] = [];
      for (let i = 0; i < 10; i++) {
        const response = await startRun(server, key);
        const run = (await response.json()) as { id: string };
        expect({ status: response.status, run }).toMatchObject({ status: 202 });
        accepted.push(run.id);
      }
      rmSync(`${place.database}-wal`);
      if (how !== "deleted") writeFileSync(`${place.database}-wal`, "");
      // Detected even without a write.
      await server.says("was deleted or replaced");
      // Only the start of a server, and no old WAL, brings back writing.
      expect(server.log()).toContain("Restart the server");
      expect(server.log()).not.toContain("put the right file back");
      expect(await asked(`${server.url}/ready`)).toBe("503 database_unavailable");
      expect(await asked(`${server.url}/health`)).toBe("200 fine");
      expect((await startRun(server, key)).status).toBe(503);
      const headers = { authorization: `Bearer ${key}` };
      const readAll = async () => {
        for (const id of accepted) expect(await asked(`${server.url}/v1/runs/${id}`, { headers })).toBe("200 fine");
      };
      await readAll();
      // This server must not look up in the old log what another process writes to a new one.
      for (let i = 0; i < 3; i++) await place.json("admin", "firms", "create", "--name", `Another ${i}`);
      await readAll();
      await server.end("SIGKILL");
      const next = await place.serve("--demo");
      expect(await asked(`${next.url}/ready`)).toBe("200 fine");
      for (const id of accepted) expect(await asked(`${next.url}/v1/runs/${id}`, { headers })).toBe("200 fine");
      expect(await place.json<unknown[]>("admin", "firms", "list")).toHaveLength(6);
      expect((await place.run("verify")).code).toBe(0);
    },
  );

  test("stops writing when the database file is replaced", async () => {
    await using place = new Installation();
    const server = await place.serveDemo();
    cpSync(place.database, `${place.database}.copy`);
    rmSync(place.database);
    cpSync(`${place.database}.copy`, place.database);
    await server.says("assay.db was deleted or replaced");
    expect(server.log()).toContain("put the right file back");
    expect((await startRun(server, await demoKey(place))).status).toBe(503);
    expect(await asked(`${server.url}/ready`)).toBe("503 database_unavailable");
  });
});

test("a server on a full disk is not ready, continues reading, and recovers automatically", async () => {
  await using place = new Installation();
  const server = await place.serveDemo();
  const key = await demoKey(place);
  const limit = async (bytes: string) =>
    expect((await runToEnd(["prlimit", "--pid", String(server.pid), `--fsize=${bytes}:unlimited`])).code).toBe(0);
  // No file may grow: each write fails as on a full disk.
  await limit("0");
  expect((await startRun(server, key)).status).toBe(503);
  expect(await asked(`${server.url}/ready`)).toBe("503 database_unavailable");
  expect(await asked(`${server.url}/health`)).toBe("200 fine");
  const seeded = (await Bun.file(join(place.data, "demo-credentials.json")).json()).firms[0].seeded.run_id;
  const headers = { authorization: `Bearer ${key}` };
  expect(await asked(`${server.url}/v1/runs/${seeded}`, { headers })).toBe("200 fine");
  expect(await asked(`${server.url}/v1/capabilities`)).toBe("200 fine");
  await limit("unlimited");
  await until(async () => (await asked(`${server.url}/ready`)) === "200 fine", "ready again");
  expect((await startRun(server, key)).status).toBe(202);
  expect(await server.end()).toBe(0);
});

test("readiness detects a full disk before any request", async () => {
  await using place = new Installation();
  const server = await place.serve();
  expect((await runToEnd(["prlimit", "--pid", String(server.pid), "--fsize=0:unlimited"])).code).toBe(0);
  await until(async () => (await asked(`${server.url}/ready`)) === "503 database_unavailable", "not ready");
});

describe("a server that can't use its data gives the reason and a hint, exits with 1, and frees its port:", () => {
  let made: Installation;
  beforeAll(async () => {
    made = new Installation();
    await (await made.serve()).end();
  });
  afterAll(() => made[Symbol.asyncDispose]());

  const overwrite = (file: string, at: number, text: string) => {
    const opened = openSync(file, "r+");
    writeSync(opened, text, at);
    closeSync(opened);
  };

  const cases: [string, (data: string, database: string) => void, RegExp, string][] = [
    ["a foreign header", (_, db) => overwrite(db, 0, "garbage".repeat(20)), /not a database/, "restore"],
    ["an unreadable schema", (_, db) => overwrite(db, 100, "garbage".repeat(500)), /malformed/, "restore"],
    ["a truncated file", (_, db) => truncateSync(db, 5_000), /malformed|not a database/, "restore"],
    [
      "a folder in place of the database",
      (_, db) => {
        rmSync(db);
        mkdirSync(db);
      },
      /unable to open|EISDIR/,
      "permission to read and write",
    ],
    [
      "a data folder that is a file",
      (data) => {
        rmSync(data, { recursive: true });
        writeFileSync(data, "");
      },
      /EEXIST|ENOTDIR/,
      "name another folder with --data",
    ],
  ];

  test.each(cases)("%s", async (_, spoil, reason, hint) => {
    await using place = new Installation();
    cpSync(made.data, place.data, { recursive: true });
    spoil(place.data, place.database);
    const port = await freePort();
    const { code, err } = await place.run("serve", "--port", String(port));
    expect({ code, err }).toEqual({ code: 1, err: expect.stringMatching(reason) });
    expect(err).toContain(hint);
    expect(err).not.toContain("    at ");
    expect(await isFree(port)).toBe(true);
  });

  test("a folder without permission", async () => {
    await using place = new Installation();
    cpSync(made.data, place.data, { recursive: true });
    chmodSync(place.folder, 0o755);
    chmodSync(place.data, 0o500);
    chmodSync(place.database, 0o400);
    // Root is never refused access.
    const other = process.getuid?.() === 0 ? ["setpriv", "--reuid=65534", "--clear-groups"] : [];
    const server = place.begin([], other);
    expect(await server.ended).toBe(1);
    expect(server.log()).toMatch(/EACCES|permission denied|unable to open/i);
    expect(server.log()).toContain("permission to read and write");
  });
});
