import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createOutbound } from "../../src/integrations/outbound/guard.ts";
import { systemRuntime } from "../../src/platform/runtime.ts";
import { readManifest } from "../../src/products/connectors/file.ts";
import guide from "../../src/surfaces/docs/content/connectors.md" with { type: "text" };
import { httpsEngine, manifestText, mcpEngine, openConnectors, startUpstream } from "../support/connectors-world.ts";
import type { Firm, World } from "../support/harness.ts";
import { Installation } from "../support/operator.ts";

const good = { queue: "person", reason: null };
const upstream = startUpstream(() => Response.json({ result: good }));
afterAll(() => upstream.stop());
const manifest = manifestText(httpsEngine(upstream.host));

type Listed = { result: { tools: { name: string; inputSchema: unknown }[] } };
type Called = { result: { isError?: boolean; structuredContent: { result: unknown; error?: { code: string } } } };

async function rpc<T>(world: World, firm: Firm, method: string, params: object): Promise<T> {
  const response = await world.ask("/mcp", {
    as: firm.key,
    body: { jsonrpc: "2.0", id: 1, method, params },
    headers: { accept: "application/json, text/event-stream", "mcp-protocol-version": "2025-06-18" },
  });
  const text = await response.text();
  const event = text.split("\n").findLast((line) => line.startsWith("data: "));
  return JSON.parse(event?.slice("data: ".length) ?? text) as T;
}

describe("a firm's connector over MCP", () => {
  test("is a tool for that firm only, from the next request until it is removed", async () => {
    await using opened = await openConnectors(upstream.host);
    const { world } = opened;
    const [firm, other] = [await world.firm(), await world.firm()];
    const tools = async (of: Firm) =>
      (await rpc<Listed>(world, of, "tools/list", {})).result.tools.map(({ name }) => name);
    expect(await tools(firm)).not.toContain("triage_claim");
    await opened.add(firm, manifest);
    expect(await tools(firm)).toContain("triage_claim");
    expect(await tools(other)).not.toContain("triage_claim");
    const call = { name: "triage_claim", arguments: { claim: "Glass breakage" } };
    const { result } = await rpc<Called>(world, firm, "tools/call", call);
    expect(result).toMatchObject({ structuredContent: { status: "succeeded", result: good, charged_credits: 200 } });
    await opened.remove(firm);
    expect(await tools(firm)).not.toContain("triage_claim");
  });
});

describe("the guide on connectors", () => {
  /** Returns the guide's first code block in a language. */
  const block = (language: string): string =>
    guide.match(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, "ms"))?.[1] ?? "";

  test("has a manifest that can be added", () => {
    const { checkUrl } = createOutbound({ runtime: systemRuntime });
    expect(readManifest(block("yaml"), checkUrl)).toMatchObject({ slug: "claims-triage" });
  });

  test("has the code that recognises our requests", async () => {
    await using opened = await openConnectors(upstream.host);
    const { world } = opened;
    const firm = await world.firm();
    const { secret } = await opened.add(firm, manifest);
    upstream.received.length = 0;
    await world.settled(firm, { slug: "claims-triage", input: { claim: "Glass breakage" } });
    const folder = mkdtempSync(join(tmpdir(), "assay-guide-"));
    const file = join(folder, "verify.mjs");
    writeFileSync(file, block("javascript"));
    const { isFromAssay } = (await import(file)) as {
      isFromAssay: (r: Request, body: string, secret: string) => boolean;
    };
    rmSync(folder, { recursive: true });
    const [received] = upstream.received;
    if (!received || secret === null) throw new Error("nothing was received");
    const { url, method, headers, body } = received;
    const told = (changes: Record<string, string> = {}) => {
      const all = new Headers(headers);
      for (const [name, value] of Object.entries(changes)) all.set(name, value);
      return new Request(url.href, { method, headers: all });
    };
    expect(isFromAssay(told(), body, secret)).toBe(true);
    const late = headers.get("signature-input")?.replace(/created=\d+/, "created=1700000000") ?? "";
    for (const changes of [
      { "idempotency-key": "other-key" },
      { "signature-input": late },
      { signature: "assay=:AAAA:" },
    ])
      expect(isFromAssay(told(changes), body, secret)).toBe(false);
    expect(isFromAssay(told(), body.replace("Glass", "Hail"), secret)).toBe(false);
    expect(isFromAssay(told(), body, "assay_cs_of_somebody_else")).toBe(false);
  });
});

describe("`assay admin connectors`", () => {
  const installation = new Installation();
  afterAll(() => installation[Symbol.asyncDispose]());
  const admin = (...args: string[]) => installation.run("admin", "connectors", ...args);
  const file = join(installation.folder, "manifest.yaml");
  const config = join(installation.folder, "assay.toml");
  beforeAll(async () => {
    await installation.init();
    writeFileSync(config, `outbound_allow_private = "${upstream.host}"\n`);
  });

  test("adds, lists, shows, tests, replaces and removes one", async () => {
    writeFileSync(file, manifest);
    const json = async <T>(...args: string[]) =>
      installation.json<T>("admin", "connectors", ...args, "--config", config);
    const added = await json<{ slug: string; tool: string; secret: string }>("add", file);
    const { secret } = added;
    expect(secret).toStartWith("assay_cs_");
    expect(added).toMatchObject({ slug: "claims-triage", tool: "triage_claim" });
    expect(await json<object[]>("list")).toMatchObject([
      { slug: "claims-triage", secret: "set", engine: { type: "https" } },
    ]);
    expect(readFileSync(installation.database).includes(secret)).toBe(false);
    expect((await admin("show", "claims-triage")).out).not.toContain(secret);
    const tried = await json<{ ok: boolean; result: unknown }>("test", "claims-triage");
    expect(tried).toMatchObject({ ok: true, result: good });
    upstream.answer = () => new Response("no", { status: 400 });
    const failed = await admin("test", "claims-triage", "--config", config);
    expect([failed.code, failed.out]).toEqual([1, expect.stringContaining("connector_refused")]);
    upstream.answer = () => Response.json({ result: good });
    const again = await admin("add", file, "--config", config);
    expect([again.code, again.err]).toEqual([2, expect.stringContaining("--replace")]);
    writeFileSync(file, manifest.replace("1.2.0", "1.3.0"));
    expect(await json<object>("add", file, "--replace")).toMatchObject({ semantic_version: "1.3.0", secret: "set" });
    const [entry] = await installation.json<{ action: string }[]>("admin", "audit", "list", "--limit", "1");
    expect(entry?.action).toBe("connector.replaced");
    await json<object>("remove", "claims-triage");
    expect(await json<object[]>("list")).toEqual([]);
    expect((await admin("remove", "claims-triage")).code).toBe(2);
  });

  test("refuses a manifest with every error and its line, and one that may not be fetched", async () => {
    writeFileSync(file, manifest.replace("1.2.0", "one").replace("seconds: 20", "seconds: 0"));
    const wrong = await admin("add", file, "--config", config);
    expect(wrong.code).toBe(2);
    expect(wrong.err).toContain("line 2: /semantic_version");
    expect(wrong.err).toContain("line 27: /deadline_seconds");
    writeFileSync(file, manifest);
    const closed = await admin("add", file);
    expect([closed.code, closed.err]).toEqual([2, expect.stringContaining("/engine/url is not allowed")]);
    expect((await admin("add", join(installation.folder, "none.yaml"))).code).toBe(2);
    for (const slug of ["exa-filter", "company-market-brief", "report", "platform"]) {
      writeFileSync(file, manifest.replace("claims-triage", slug));
      expect((await admin("add", file, "--config", config)).err).toContain("is used by the product");
    }
  });

  test.each([
    ["an endpoint", httpsEngine(upstream.host)],
    ["an MCP server", mcpEngine(upstream.host)],
  ])("reports for %s that its address is no longer allowed by the settings", async (_, engine) => {
    writeFileSync(file, manifestText(engine));
    expect((await admin("add", file, "--config", config)).code).toBe(0);
    const doctor = async (...args: string[]) => {
      const { out } = await installation.run("doctor", "--json", ...args);
      const { checks } = JSON.parse(out) as { checks: { about: string; state: string; advice?: string }[] };
      return checks.find(({ about }) => about === "connector claims-triage");
    };
    expect(await doctor("--config", config)).toMatchObject({ state: "ok" });
    expect(await doctor()).toMatchObject({
      state: "warn",
      advice: expect.stringMatching(/^Its address is not allowed\. .*outbound_allow_private\.$/),
    });
    const tried = await admin("test", "claims-triage");
    expect([tried.code, tried.out]).toEqual([1, expect.stringContaining("url_not_allowed: ")]);
    expect((await admin("remove", "claims-triage")).code).toBe(0);
  });
});
