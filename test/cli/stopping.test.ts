import { Database } from "bun:sqlite";
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, readdirSync, readFileSync, watch, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { until } from "../support/harness.ts";
import { Installation, runToEnd, type Starting } from "../support/operator.ts";
import { commandLine } from "../support/under-test.ts";

// Every server is a separate process.
setDefaultTimeout(600_000);

/** Resolves as soon as the file exists. */
async function appeared(place: Installation, name: string): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const watcher = watch(place.data, (_, changed) => changed === name && resolve());
  await promise;
  watcher.close();
}

/** Checks for an orderly stop: nothing indicates a running server, and the next one starts and stops normally. */
async function expectGoodOrder(place: Installation, stopped: Starting, ...flags: string[]): Promise<void> {
  expect({ code: await stopped.ended, log: stopped.log() }).toEqual({
    code: 0,
    log: expect.stringContaining('"stopped"'),
  });
  expect(stopped.log()).not.toContain('"level":"error"');
  expect(readdirSync(place.data)).not.toContain("server.json");
  const next = await place.serve(...flags);
  expect((await fetch(`${next.url}/ready`)).status).toBe(200);
  expect(await next.end()).toBe(0);
  expect(next.log()).not.toContain('"level":"error"');
  expect(readdirSync(place.data)).not.toContain("server.json");
}

describe("a server stopped during its start stops in an orderly way:", () => {
  const demo = ["--demo", "--bench"];

  test.each([
    ".assay-demo",
    "assay.lock",
    "assay.db",
    "assay.db-wal",
    "master.key",
    "bench-keys.txt",
    "demo-credentials.json",
    "server.json",
  ])("a demo, when %s appears", async (name) => {
    await using place = new Installation();
    mkdirSync(place.data);
    const there = appeared(place, name);
    const server = place.begin(demo);
    await there;
    server.signal("SIGTERM");
    await expectGoodOrder(place, server, ...demo);
    const told = JSON.parse(readFileSync(join(place.data, "demo-credentials.json"), "utf8"));
    expect(told.firms).toHaveLength(2);
    expect(readFileSync(join(place.data, "bench-keys.txt"), "utf8").trim().split("\n")).toHaveLength(64);
    expect((await place.run("verify")).code).toBe(0);
  });

  test.each(["assay.lock", "assay.db", "master.key", "server.json"])(
    "another server, when %s appears",
    async (name) => {
      await using place = new Installation();
      mkdirSync(place.data);
      const there = appeared(place, name);
      const server = place.begin();
      await there;
      server.signal("SIGINT");
      await expectGoodOrder(place, server);
    },
  );

  test.each(["migrated the database", "no firm exists yet", "listening on"])("when it logs “%s”", async (line) => {
    await using place = new Installation();
    const server = place.begin();
    await server.says(line);
    server.signal("SIGTERM");
    await expectGoodOrder(place, server);
  });
});

test("a demo killed during its creation is created again", async () => {
  await using place = new Installation();
  mkdirSync(place.data);
  const there = appeared(place, "bench-keys.txt");
  const server = place.begin(["--demo", "--bench"]);
  await there;
  await server.end("SIGKILL");
  const next = await place.serve("--demo", "--bench");
  const told = JSON.parse(readFileSync(join(place.data, "demo-credentials.json"), "utf8"));
  const asked = await fetch(`${next.url}/v1/me`, { headers: { authorization: `Bearer ${told.firms[0].keys.all}` } });
  expect(asked.status).toBe(200);
  const [key = ""] = readFileSync(join(place.data, "bench-keys.txt"), "utf8").split("\n");
  const bench = await fetch(`${next.url}/v1/credits`, { headers: { authorization: `Bearer ${key}` } });
  expect(bench.status).toBe(200);
});

test("a second signal immediately ends a server that waits for a request", async () => {
  await using place = new Installation();
  const server = await place.serve();
  const { port } = new URL(server.url);
  const socket = connect(Number(port), "127.0.0.1");
  const head = `POST /v1/use-cases/x/quote HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\ncontent-type: application/json\r\n`;
  const { promise: isUnderWay, resolve } = Promise.withResolvers<Buffer>();
  socket.on("data", resolve);
  socket.on("error", () => undefined);
  // The server confirms that it is processing the request, and waits for a body that never arrives.
  socket.write(`${head}content-length: 10\r\nexpect: 100-continue\r\n\r\n`);
  expect((await isUnderWay).toString()).toContain("100 Continue");
  socket.write("{");
  server.signal("SIGTERM");
  await server.says("stopping");
  expect(await server.end("SIGTERM")).toBe(1);
  socket.destroy();
});

test("a run that waits for the search index when the server stops finishes after the next start", async () => {
  await using place = new Installation();
  const server = await place.serve("--demo");
  expect(await server.end()).toBe(0);
  expect(server.log()).not.toContain('"level":"error"');
  const next = await place.serve("--demo");
  const asked = () => {
    using database = new Database(place.database, { readonly: true });
    return database
      .query<{ status: string }, []>("select status from runs where capability = 'insurance-assistant'")
      .all()
      .map(({ status }) => status);
  };
  await until(() => asked().every((status) => !["queued", "running"].includes(status)), "the question is answered");
  expect(asked()).toEqual(["succeeded"]);
  expect(await next.end()).toBe(0);
});

test("an open stream does not delay a stopping server, and gets its final event", async () => {
  using site = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response("later", { status: 503 }) });
  await using place = new Installation();
  const settings = `outbound_allow_private = "127.0.0.1:${site.port}"\nshutdown_grace_seconds = 600\n`;
  writeFileSync(join(place.folder, "assay.toml"), settings);
  const server = await place.serveDemo("--config", join(place.folder, "assay.toml"));
  const [{ keys }] = JSON.parse(readFileSync(join(place.data, "demo-credentials.json"), "utf8")).firms;
  const called = performance.now();
  const response = await fetch(`${server.url}/mcp`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${keys.all}`,
      accept: "application/json, text/event-stream",
      "content-type": "application/json",
    },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: {
        name: "analyze_company_url",
        arguments: { company_url: `http://127.0.0.1:${site.port}/` },
        _meta: { progressToken: "p" },
      },
    }),
  });
  expect(response.headers.get("content-type")).toContain("text/event-stream");
  let heard = "";
  for await (const bytes of response.body ?? []) {
    const isFirst = heard === "";
    heard += new TextDecoder().decode(bytes);
    if (isFirst) server.signal("SIGTERM");
  }
  expect(await server.ended).toBe(0);
  expect(heard).toContain("notifications/progress");
  // On a busy machine the job may not have started when the stop is requested.
  expect(heard).toMatch(/: (queued|running)\. Poll it with get_job/);
  // Sooner than a call's own timeout.
  expect(performance.now() - called).toBeLessThan(45_000);
});

describe("a server that can't start gives the reason and exits:", () => {
  test("on a file that is not a database", async () => {
    await using place = new Installation();
    await (await place.serve()).end();
    writeFileSync(place.database, "x".repeat(8_192));
    const { code, err } = await place.run("serve", "--port", "0");
    expect(code).toBe(1);
    expect(err).toContain(`${place.database} can't be used: file is not a database`);
    expect(err).toContain("restore the last good backup");
    expect(readFileSync(place.database, "utf8")).toBe("x".repeat(8_192));
  });

  test.each([0, 16, 512])("on a disk that limits files to %d KiB", async (kibibytes) => {
    await using place = new Installation();
    // Writes over the limit fail as on a full disk, instead of ending the process.
    const limited = ["/bin/bash", "-c", `trap '' XFSZ; ulimit -f ${kibibytes}; exec "$0" "$@"`];
    const { code, err } = await runToEnd([
      ...limited,
      ...commandLine(["serve", "--demo", "--port", "0", "--data", place.data]),
    ]);
    expect({ code, err }).toEqual({ code: 1, err: expect.stringMatching(/^assay: /m) });
    const next = await place.serve("--demo");
    expect((await fetch(`${next.url}/ready`)).status).toBe(200);
    expect(await next.end()).toBe(0);
  });
});
