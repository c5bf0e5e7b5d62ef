import { afterAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Type as T, type TObject } from "@sinclair/typebox";
import type { AppOptions } from "../../src/app.ts";
import { closed } from "../../src/platform/schema.ts";
import { capability, failForGood, ScriptedEngine } from "../support/engines.ts";
import { Served, withTool } from "../support/mcp-world.ts";

/**
 * Runs the protocol's own conformance suite against a real server. The suite requires tools with certain names, which
 * are capabilities of the tests. `docs/mcp.md` explains why the other scenarios do not apply.
 */
const program = join(
  import.meta.dir,
  "..",
  "..",
  "node_modules",
  "@modelcontextprotocol",
  "conformance",
  "dist",
  "index.js",
);
const folder = mkdtempSync(join(tmpdir(), "assay-mcp-"));

async function suite(...given: string[]): Promise<{ code: number; output: string }> {
  const child = Bun.spawn([process.execPath, program, ...given], { cwd: folder, stdout: "pipe", stderr: "pipe" });
  const [code, out, err] = await Promise.all([child.exited, child.stdout.text(), child.stderr.text()]);
  return { code, output: out + err };
}

const failing = new ScriptedEngine("test-error");
failing.behave = failForGood;
/** An input schema with the properties that the suite expects. */
const dialect: TObject = {
  ...closed({ name: T.Optional(T.String()) }),
  $schema: "https://json-schema.org/draft/2020-12/schema",
  $defs: { address: { type: "object", properties: { street: { type: "string" }, city: { type: "string" } } } },
};

const soldAs = (tool: string, slug: string, engine = new ScriptedEngine(slug), input_schema: TObject = closed({})) =>
  withTool(tool, { ...capability(slug, { engine }), input_schema });
const capabilities: AppOptions["capabilities"] = [
  soldAs("test_simple_text", "test-text"),
  soldAs("test_error_handling", "test-error", failing),
  soldAs("test_tool_with_progress", "test-progress"),
  soldAs("json_schema_2020_12_tool", "test-dialect", new ScriptedEngine("test-dialect"), dialect),
];

let key = "";
const served = await Served.open({ capabilities }, () => key);
await served.world.openGates(...capabilities.map(({ slug }) => slug));
key = (await served.world.firm()).key;
afterAll(async () => {
  await served[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

const applying = [
  "server-initialize",
  "ping",
  "completion-complete",
  "tools-list",
  "tools-call-simple-text",
  "tools-call-error",
  "tools-call-with-progress",
  "json-schema-2020-12",
  "resources-list",
  "prompts-list",
  "dns-rebinding-protection",
];

/** Scenarios that do not apply, by reason. */
const others = {
  "nothing is logged to the client": ["logging-set-level", "tools-call-with-logging"],
  "tools answer with text and structured content": [
    "tools-call-image",
    "tools-call-audio",
    "tools-call-embedded-resource",
    "tools-call-mixed-content",
  ],
  "nothing is asked of the client": [
    "tools-call-sampling",
    "tools-call-elicitation",
    "elicitation-sep1034-defaults",
    "elicitation-sep1330-enums",
  ],
  "there are no sessions, and no streams to resume": ["server-sse-polling", "server-sse-multiple-streams"],
  "there is nothing to subscribe to": ["resources-subscribe", "resources-unsubscribe"],
  "they read addresses that only the suite's own server has": [
    "resources-read-text",
    "resources-read-binary",
    "resources-templates-read",
  ],
  "they get prompts that only the suite's own server has": [
    "prompts-get-simple",
    "prompts-get-with-args",
    "prompts-get-embedded-resource",
    "prompts-get-with-image",
  ],
};

describe("the protocol's conformance suite", () => {
  test("has no scenario that neither passes nor has a reason", async () => {
    const { output } = await suite("list", "--server");
    const listed = [...output.matchAll(/^ +- (\S+) \[/gm)].map(([, name = ""]) => name);
    expect([...applying, ...Object.values(others).flat()].sort()).toEqual(listed.sort());
    const told = await Bun.file(join(import.meta.dir, "..", "..", "docs", "mcp.md")).text();
    expect(
      Object.values(others)
        .flat()
        .filter((name) => !told.includes(`\`${name}\``)),
    ).toEqual([]);
  });

  for (const scenario of applying)
    test(`passes ${scenario}`, async () => {
      const url = served.url.href.replace("127.0.0.1", "localhost");
      const { code, output } = await suite("server", "--url", url, "--scenario", scenario);
      expect([code, output.match(/Passed: (\d+)\/\1, 0 failed, 0 warnings/)?.[0] ?? output]).toEqual([
        0,
        expect.stringContaining("0 failed"),
      ]);
    });
});
