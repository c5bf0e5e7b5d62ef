import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Client as NewClient } from "@modelcontextprotocol/client";
import { StdioClientTransport as NewTransport } from "@modelcontextprotocol/client/stdio";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as OldTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { reasonFor } from "../../src/cli/client/mcp-messages.ts";
import { openWorld, type World } from "../support/client-cli-world.ts";
import { commandLine } from "../support/under-test.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

const [command = "", ...args] = commandLine(["mcp", "stdio"]);
const information = { name: "test", version: "1" };
const versionMember = "io.modelcontextprotocol/protocolVersion";

/** Starts the bridge as a client would. */
const program = (more: Readonly<Record<string, string>> = {}) => ({
  command,
  args,
  env: {
    PATH: process.env.PATH ?? "",
    HOME: world.folder,
    ASSAY_BASE_URL: world.baseUrl,
    ASSAY_API_KEY: world.key.all,
    ...more,
  },
  stderr: "ignore" as const,
});

type Message = Readonly<Record<string, unknown>>;

const hello = {
  jsonrpc: "2.0",
  id: "hello",
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: information },
};
const discover = (id: string | number) => ({
  jsonrpc: "2.0",
  id,
  method: "server/discover",
  params: {
    _meta: {
      [versionMember]: "2026-07-28",
      "io.modelcontextprotocol/clientInfo": information,
      "io.modelcontextprotocol/clientCapabilities": {},
    },
  },
});

/** The bridge as seen by a client that writes lines itself. */
function bridge(more: Readonly<Record<string, string>> = {}) {
  const { env } = program(more);
  const child = Bun.spawn([command, ...args], { env, stdin: "pipe", stdout: "pipe", stderr: "pipe" });
  const lines: Message[] = [];
  let err = "";
  const listeners = new Set<() => void>();
  const told = () => {
    for (const listener of listeners) listener();
  };
  const hearing = Promise.all([
    (async () => {
      let rest = "";
      const decoder = new TextDecoder();
      for await (const bytes of child.stdout) {
        const parts = (rest + decoder.decode(bytes, { stream: true })).split("\n");
        rest = parts.pop() ?? "";
        for (const line of parts) lines.push(JSON.parse(line));
        told();
      }
    })(),
    (async () => {
      const decoder = new TextDecoder();
      for await (const bytes of child.stderr) {
        err += decoder.decode(bytes, { stream: true });
        told();
      }
    })(),
  ]);
  const when = <T>(look: () => T | undefined): Promise<T> =>
    new Promise((resolve, reject) => {
      const check = () => {
        const seen = look();
        if (seen !== undefined) resolve(seen);
      };
      listeners.add(check);
      void hearing.then(() => reject(new Error(`the bridge ended: ${err}`)));
      check();
    });
  return {
    child,
    lines,
    send: (...messages: readonly (Message | string)[]) => {
      for (const message of messages)
        child.stdin.write(`${typeof message === "string" ? message : JSON.stringify(message)}\n`);
      child.stdin.flush();
    },
    answer: (id: string | number) => when(() => lines.find((line) => line.id === id)),
    said: (words: string) => when(() => (err.includes(words) ? err : undefined)),
    async end(): Promise<number> {
      await child.stdin.end();
      await hearing;
      return child.exited;
    },
  };
}

/** Starts a server for /mcp with the responses of the test. */
const peer = (fetch: (request: Request, message: Message) => Response | Promise<Response>) =>
  Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    idleTimeout: 60,
    fetch: async (request) =>
      request.method === "POST"
        ? fetch(request, (await request.json()) as Message)
        : new Response(null, { status: 405 }),
  });

describe("clients on stdio", () => {
  test("that send initialize find and call the tools of /mcp", async () => {
    const client = new OldClient(information);
    await client.connect(new OldTransport(program()));
    expect(client.getServerVersion()?.name).toBe("assay");
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain("list_docs");
    const answer = await client.callTool({ name: "search_docs", arguments: { query: "idempotency" } });
    expect(JSON.stringify(answer)).toContain("idempotency");
    await client.close();
  });

  test("of the stateless version do too", async () => {
    const client = new NewClient(information, { versionNegotiation: { mode: { pin: "2026-07-28" } } });
    await client.connect(new NewTransport(program()));
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain("list_docs");
    const answer = await client.callTool({ name: "get_doc", arguments: { slug: "quickstart" } });
    expect(JSON.stringify(answer)).toContain("quickstart");
    await client.close();
  });

  test("get the server's own results and errors unchanged, and nothing else on stdout", async () => {
    const seen: Message[] = [];
    const result = { anything: [1, { deep: null }], _meta: { of: "ours" }, content: [], ttlMs: 5 };
    await using server = peer((request, message) => {
      seen.push({
        message,
        version: request.headers.get("mcp-protocol-version"),
        key: request.headers.get("authorization"),
      });
      if (message.method === "wrong")
        return Response.json(
          { jsonrpc: "2.0", id: message.id, error: { code: -32020, message: "no", data: { a: 1 } } },
          { status: 400 },
        );
      return Response.json({ jsonrpc: "2.0", id: message.id, result });
    });
    const talk = bridge({ ASSAY_BASE_URL: `http://127.0.0.1:${server.port}` });
    const request = {
      jsonrpc: "2.0",
      id: 7,
      method: "of/tomorrow",
      params: { x: { y: [true] }, _meta: { progressToken: 1 } },
    };
    talk.send(request, { jsonrpc: "2.0", id: "w", method: "wrong" });
    expect(await talk.answer(7)).toEqual({ jsonrpc: "2.0", id: 7, result });
    expect(await talk.answer("w")).toEqual({
      jsonrpc: "2.0",
      id: "w",
      error: { code: -32020, message: "no", data: { a: 1 } },
    });
    expect(await talk.end()).toBe(0);
    expect(seen[0]).toEqual({ message: request, version: null, key: `Bearer ${world.key.all}` });
    expect(talk.lines.length).toBe(2);
  });

  test("of the stateless version have their requests named in headers, whatever characters the name has", async () => {
    const seen: (string | null)[][] = [];
    await using server = peer(({ headers }, message) => {
      seen.push(["mcp-protocol-version", "mcp-method", "mcp-name"].map((name) => headers.get(name)));
      return Response.json({ jsonrpc: "2.0", id: message.id, result: {} });
    });
    const talk = bridge({ ASSAY_BASE_URL: `http://127.0.0.1:${server.port}` });
    const call = (id: number, name: string) => ({
      ...discover(id),
      method: "tools/call",
      params: { ...discover(id).params, name },
    });
    talk.send(call(1, "get_doc"));
    await talk.answer(1);
    talk.send(call(2, "příklad"));
    await talk.answer(2);
    expect(seen).toEqual([
      ["2026-07-28", "tools/call", "get_doc"],
      ["2026-07-28", "tools/call", `=?base64?${Buffer.from("příklad").toString("base64")}?=`],
    ]);
    await talk.end();
  });
});

describe("errors on the way", () => {
  test("a request sent while the server restarts is answered once it is back", async () => {
    const talk = bridge();
    talk.send(hello);
    expect(await talk.answer("hello")).toMatchObject({ result: { serverInfo: { name: "assay" } } });
    await world.away(async () => {
      talk.send({ jsonrpc: "2.0", id: 2, method: "tools/list" });
      await talk.said("retrying");
    });
    expect(await talk.answer(2)).toMatchObject({ result: { tools: expect.any(Array) } });
    expect(await talk.end()).toBe(0);
  });

  test("a connection that breaks before the response is an error response, and the next request works", async () => {
    let isBroken = true;
    await using server = peer((_request, { id }) => {
      if (!isBroken) return Response.json({ jsonrpc: "2.0", id, result: {} });
      const body = new ReadableStream({ start: (controller) => controller.close() });
      return new Response(body, { headers: { "content-type": "text/event-stream" } });
    });
    const talk = bridge({ ASSAY_BASE_URL: `http://127.0.0.1:${server.port}` });
    talk.send({ jsonrpc: "2.0", id: 1, method: "ping" });
    expect(await talk.answer(1)).toMatchObject({ error: { message: expect.stringContaining("closed before") } });
    isBroken = false;
    talk.send({ jsonrpc: "2.0", id: 2, method: "ping" });
    expect(await talk.answer(2)).toMatchObject({ result: {} });
    await talk.end();
  });

  test("a server that stays unavailable is reported, with a hint", async () => {
    const error: unknown = await fetch("http://127.0.0.1:1/mcp").catch((thrown: unknown) => thrown);
    expect(reasonFor(error, "http://127.0.0.1:1")).toMatch(/^No server answers at http:\/\/127\.0\.0\.1:1\. Start it/);
    expect(reasonFor(new TypeError("odd"), "http://127.0.0.1:1")).toBe("odd");
  });

  test("an invalid key is an error with a hint, and a new sign-in is found without a restart", async () => {
    const folder = world.file("bridge-settings");
    mkdirSync(join(folder, "assay"), { recursive: true });
    const keep = (api_key: string) =>
      writeFileSync(join(folder, "assay", "config.json"), JSON.stringify({ base_url: world.baseUrl, api_key }), {
        mode: 0o600,
      });
    keep(`assay_sk_${"x".repeat(47)}`);
    const talk = bridge({ ASSAY_API_KEY: "", XDG_CONFIG_HOME: folder });
    talk.send(hello);
    const refused = await talk.answer("hello");
    expect(refused).toMatchObject({
      error: { data: { status: 401 }, message: expect.stringContaining("assay login") },
    });
    keep(world.key.all);
    talk.send({ ...hello, id: "again" });
    expect(await talk.answer("again")).toMatchObject({ result: {} });
    await talk.end();
  });

  test("without a sign-in it exits with 3 and says so, only on stderr", async () => {
    const { code, out, err } = await world.assay(["mcp", "stdio"], { env: { ASSAY_API_KEY: "" }, stdin: "" });
    expect([code, out, err]).toEqual([3, "", expect.stringContaining("assay login")]);
  });

  test("an invalid line is reported on stderr, and the next one is served", async () => {
    const talk = bridge();
    talk.send("Content-Length: 12", "{}", discover("d"));
    expect(await talk.answer("d")).toMatchObject({ result: { supportedVersions: ["2026-07-28"] } });
    await talk.said("not a message");
    expect(talk.lines.length).toBe(1);
    await talk.end();
  });

  test("a cancelled request of the stateless version is closed at the server", async () => {
    const begun = Promise.withResolvers<void>();
    const aborted = Promise.withResolvers<void>();
    await using server = peer((request, message) => {
      if (message.method !== "server/discover") return Response.json({ jsonrpc: "2.0", id: message.id, result: {} });
      request.signal.addEventListener("abort", () => aborted.resolve());
      begun.resolve();
      return new Promise(() => {});
    });
    const talk = bridge({ ASSAY_BASE_URL: `http://127.0.0.1:${server.port}` });
    talk.send(discover(1));
    await begun.promise;
    talk.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } });
    await aborted.promise;
    talk.send({ jsonrpc: "2.0", id: 2, method: "ping" });
    await talk.answer(2);
    expect(talk.lines.map(({ id }) => id)).toEqual([2]);
    await talk.end();
  });
});

describe("the end", () => {
  test("a client that closes stdin immediately after its request still gets the response", async () => {
    const stdin = `${JSON.stringify(discover(1))}\n`;
    const { code, out } = await world.assay(["mcp", "stdio"], { stdin });
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ id: 1, result: {} });
  });

  test("SIGTERM, or a client that no longer reads, ends it quietly", async () => {
    const talk = bridge();
    talk.send(discover(1));
    await talk.answer(1);
    talk.child.kill("SIGTERM");
    expect(await talk.child.exited).toBe(0);
    const { env } = program();
    const lines = `${[1, 2, 3].map((id) => JSON.stringify(discover(id))).join("\n")}\n`;
    const pipe = Bun.spawn(["sh", "-c", `"$0" "$@" | head -n 1`, command, ...args], {
      env,
      stdin: new Blob([lines]),
      stdout: "pipe",
      stderr: "pipe",
    });
    expect(await pipe.exited).toBe(0);
    expect((await pipe.stdout.text()).split("\n").length).toBe(2);
    expect(await pipe.stderr.text()).toBe("");
  });
});
