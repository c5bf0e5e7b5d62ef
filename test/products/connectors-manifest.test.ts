import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { createOutbound } from "../../src/integrations/outbound/guard.ts";
import { systemRuntime } from "../../src/platform/runtime.ts";
import { checker, problems } from "../../src/platform/validate.ts";
import { definitionOf, manifestProblems } from "../../src/products/connectors/definition.ts";
import { readManifest } from "../../src/products/connectors/file.ts";
import { readSchema } from "../../src/products/connectors/json-schema.ts";
import { ManifestError } from "../../src/products/connectors/yaml.ts";
import { Capability } from "../../src/registry/contract.ts";
import { httpsEngine, manifestText, mcpEngine } from "../support/connectors-world.ts";

const host = "127.0.0.1:4711";
const { checkUrl } = createOutbound({ runtime: systemRuntime, allow_private: [host] });
const good = manifestText(httpsEngine(host));

/** Returns the lines of a manifest that are refused; empty for a valid one. */
function complaints(text: string): readonly string[] {
  try {
    readManifest(text, checkUrl);
    return [];
  } catch (error) {
    if (error instanceof ManifestError) return error.lines;
    throw error;
  }
}

/** Returns the valid manifest with one line replaced, and the number of that line. */
function changed(from: string, to: string): { text: string; line: number } {
  const line = good.split("\n").findIndex((one) => one.includes(from)) + 1;
  if (line === 0) throw new Error(`the manifest has no ${from}`);
  return { text: good.replace(from, to), line };
}

describe("a connector's manifest", () => {
  test("that is valid becomes a private, gated capability with the catalogue's own kind of contract", () => {
    const manifest = readManifest(good, checkUrl);
    const engine = {
      identity: { name: "x", version: "1", model: null },
      ready: () => null,
      run: async () => ({ result: {} }),
    };
    const { engine: _, entitlements, private: isPrivate, deadline_ms, ...contract } = definitionOf(manifest, engine);
    expect(problems(Capability, { ...contract, runnable: true }, "")).toEqual([]);
    expect([entitlements, isPrivate, deadline_ms]).toEqual([["connector:claims-triage"], true, 20_000]);
    expect(contract.pricing).toMatchObject({ model: "per_run", live_credits: 200, hard_cost_limit_credits: 200 });
    expect(contract.tools).toMatchObject([{ name: "triage_claim", input_schema: { additionalProperties: false } }]);
    expect(complaints(manifestText(mcpEngine(host)))).toEqual([]);
  });

  test.each([
    ["slug: claims-triage", "slug: Claims Triage", "/slug must match"],
    ["name: Claims triage", "title: Claims triage", "/title is not a property of this object"],
    ["semantic_version: 1.2.0", "semantic_version: 1.2", "/semantic_version must be of type string"],
    ["  live_credits: 200", "  live_credits: -1", "/pricing/live_credits must be at least 0"],
    ["  provider_cost_credits: 50", "  provider_cost_credits: 201", "must not exceed live_credits"],
    [
      "    claim: { type: string, minLength: 1, maxLength: 200 }",
      "    claim: { type: string }",
      "/input_schema/properties/claim/maxLength is required in an input",
    ],
    [
      "    amount: { type: integer, minimum: 0 }",
      "    amount: { type: integer, minimun: 0 }",
      "/input_schema/properties/amount/minimun is not supported for the type integer",
    ],
    [
      "    amount: { type: integer, minimum: 0 }",
      "    amount: { type: money }",
      "/input_schema/properties/amount/type must be one of",
    ],
    [
      "  required: [claim]",
      "  required: [claimant]",
      "/input_schema/required names a property that is not in properties",
    ],
    [
      "      input: { claim: Glass breakage, amount: 120 }",
      "      input: { amount: 120 }",
      "/tool/examples/0/input/claim is required",
    ],
    ["  type: https", "  type: carrier-pigeon", "/engine/type must be one of https, mcp"],
    [`  url: http://${host}/triage?v=1`, "  url: https://10.0.0.1/", "/engine/url is not allowed"],
    [`  url: http://${host}/triage?v=1`, "  url: http://example.com/", "/engine/url must be https"],
    [`  url: http://${host}/triage?v=1`, "  url: https://example.com/ # fine", ""],
    ...[
      "javascript:alert(1)",
      '" JavaScript:alert(1)"',
      '"java\\tscript:alert(1)"',
      "data:text/html,x",
      "ftp://x.test/",
    ].map((link): [string, string, string] => [
      "deadline_seconds: 20",
      `support_url: ${link}`,
      "/support_url must be an http, https or mailto address, or a path",
    ]),
    ...["https://help.test/a?b#c", "mailto:help@partner.test", "/v1/docs/support", "docs/help.html"].map(
      (link): [string, string, string] => ["deadline_seconds: 20", `try_url: ${link}`, ""],
    ),
    ["deadline_seconds: 20", "deadline_seconds: 301", "/deadline_seconds must be at most 300"],
  ])("with %s as %s is refused in its line, or accepted", (from, to, told) => {
    const { text, line } = changed(from, to);
    const lines = complaints(text);
    if (told === "") expect(lines).toEqual([]);
    else expect(lines.find((one) => one.includes(told))).toStartWith(`line ${line}: `);
  });

  test.each([
    ["an unclosed list", changed("  required: [claim]", "  required: [claim"), 0],
    ["a tab as indentation", changed("  live_credits: 200", "\tlive_credits: 200"), 0],
  ])("with %s is refused in its line or the one after", (_, { text, line }) => {
    const [first = ""] = complaints(text);
    const told = Number(first.match(/^line (\d+): /)?.[1]);
    expect(told).toBeGreaterThanOrEqual(line - 1);
    expect(told).toBeLessThanOrEqual(line + 1);
  });

  test("that lacks a property is refused in the line of the object that lacks it", () => {
    const { text, line } = changed("  type: https", "  type: mcp");
    expect(complaints(text)[0]).toStartWith(`line ${line - 1}: /engine/tool is required`);
  });

  test("that is not an object, or too long, is refused", () => {
    for (const text of ["", "just words", "- a\n- b\n", "a: 1\n---\nb: 2\n", `name: ${"x".repeat(300_000)}`])
      expect(complaints(text).length).toBeGreaterThan(0);
  });

  test("may use YAML anchors: an error is reported in the line where it is written", () => {
    const anchored = good
      .replace("    claim: { type: string,", "    claim: &text { type: string,")
      .replace("    amount: { type: integer, minimum: 0 }", "    note: *text\n    more: { <<: *text, maxLength: 50 }");
    expect(complaints(anchored.replace(", amount: 120", ""))).toEqual([]);
    const { line } = changed("    claim: {", "");
    const wrong = complaints(anchored.replace("minLength: 1, maxLength: 200", "minLength: one, maxLength: 200"));
    expect(wrong.map((one) => one.replace(/ must.*/, ""))).toEqual([
      `line ${line}: /input_schema/properties/claim/minLength`,
      `line ${line}: /input_schema/properties/note/minLength`,
      `line ${line + 2}: /input_schema/properties/more/minLength`,
    ]);
  });

  test("with a duplicate is refused in the second line", () => {
    const { text, line } = changed("name: Claims triage", "name: Claims triage\nname: Other");
    expect(complaints(text)).toEqual([`line ${line + 1}: duplicate key`]);
  });

  const repeated = (n: number, line: (i: number) => string): string =>
    Array.from({ length: n }, (_, i) => line(i)).join("");
  test.each([
    ["exponential aliases", `a0: &a0 [x]\n${repeated(12, (i) => `a${i + 1}: &a${i + 1} [${`*a${i}, `.repeat(8)}]\n`)}`],
    [
      "an alias of a large part",
      `a: &a { ${repeated(9_000, (i) => `k${i}: 1, `)} }\n${repeated(90, (i) => `b${i}: *a\n`)}`,
    ],
    ["a recursive alias", "a: &a [*a]\n"],
    ["very many aliases", `a: &a 1\n${repeated(9_000, (i) => `b${i}: *a\n`)}`],
    ["very many anchors", repeated(12_000, (i) => `- &a${i} 1\n- *a${i}\n`)],
    ["very many keys", repeated(40_000, (i) => `${i.toString(36)}:\n`)],
    ["very deep lists", "[".repeat(200_000)],
    ["very deep objects", `${"{a: ".repeat(40_000)}${"}".repeat(40_000)}`],
    ["a very deep, valid object", `${"{a: ".repeat(3_000)}${"}".repeat(3_000)}`],
    ["unclosed quotes", 'a: ["'.repeat(40_000)],
  ])("with %s is refused within seconds", (_, text) => {
    const started = process.threadCpuUsage();
    expect(complaints(text).length).toBeGreaterThan(0);
    expect(process.threadCpuUsage(started).user / 1_000).toBeLessThan(3_000);
  });

  test("is refused with every error at once, in the order of its lines", () => {
    const lines = complaints(
      good.replace("1.2.0", "one").replace("name: Claims triage", "name: ''").replace("seconds: 20", "seconds: 0"),
    );
    expect(lines.map((line) => Number(line.match(/\d+/)?.[0]))).toEqual([2, 3, 27]);
  });

  test("is refused without repeating any word of it", () => {
    const text = good
      .replace("outcome: Know", "secret: hunter2hunter2\noutcome: Know")
      .replace("slug: claims-triage", "slug: Hunter2 Slug");
    expect(complaints(text).join("\n")).not.toMatch(/hunter2/i);
  });
});

describe("a JSON Schema", () => {
  test("is read or refused with a path, and never crashes the reader", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.boolean(), (given, isInput) => {
        const { details } = readSchema(given, "/input_schema", isInput);
        for (const { path } of details) expect(path).toStartWith("/input_schema");
        manifestProblems(given);
      }),
    );
  });

  const keyword = fc.oneof(
    fc.record({ type: fc.constant("string"), minLength: fc.nat(5), maxLength: fc.integer({ min: 5, max: 10 }) }),
    fc.record({
      type: fc.constant("integer"),
      minimum: fc.integer({ min: -5, max: 0 }),
      maximum: fc.integer({ min: 1, max: 5 }),
    }),
    fc.record({ type: fc.constant("array"), items: fc.constant({ type: "boolean" }), maxItems: fc.nat(3) }),
    fc.record({ type: fc.constant(["string", "null"]), maxLength: fc.nat(4) }),
    fc.record({ type: fc.constant("string"), enum: fc.constant(["a", "b"]) }),
  );
  interface Keyword {
    readonly type: unknown;
    readonly minLength?: number | undefined;
    readonly maxLength?: number | undefined;
    readonly minimum?: number | undefined;
    readonly maximum?: number | undefined;
    readonly maxItems?: number | undefined;
    readonly enum?: readonly string[] | undefined;
  }

  /** A second, independent implementation of the keywords. */
  function fits(
    value: unknown,
    { type, minLength = 0, maxLength = Number.POSITIVE_INFINITY, ...rest }: Keyword,
  ): boolean {
    const isText = typeof value === "string" && value.length >= minLength && value.length <= maxLength;
    if (Array.isArray(type)) return value === null || isText;
    if (type === "string") return rest.enum ? rest.enum.some((one) => one === value) : isText;
    if (type === "integer")
      return Number.isInteger(value) && Number(value) >= (rest.minimum ?? 0) && Number(value) <= (rest.maximum ?? 0);
    return (
      Array.isArray(value) && value.length <= (rest.maxItems ?? 0) && value.every((one) => typeof one === "boolean")
    );
  }

  test("that is read accepts exactly what its keywords mean", () => {
    const value = fc.oneof(
      fc.string({ maxLength: 12 }),
      fc.constantFrom("a", "b"),
      fc.integer({ min: -8, max: 8 }),
      fc.double(),
      fc.constant(null),
      fc.array(fc.boolean(), { maxLength: 5 }),
    );
    fc.assert(
      fc.property(keyword, value, (given, one) => {
        const { schema, details } = readSchema(
          { type: "object", properties: { one: given }, required: ["one"] },
          "",
          true,
        );
        expect(details).toEqual([]);
        expect(checker(schema).Check({ one })).toBe(fits(one, given));
        expect(checker(schema).Check({ one, more: 1 })).toBe(false);
        expect(checker(schema).Check({})).toBe(false);
      }),
    );
  });

  const withPattern = (text: object) =>
    readSchema({ type: "object", properties: { one: { type: "string", ...text } }, required: ["one"] }, "", true);

  test.each([
    ["^[a-z]+(-[a-z0-9]+)*$", "claims-2-triage", "claims--triage"],
    ["^\\d{5}(-\\d{4})?$", "12345-6789", "1234"],
    ["^[\\p{L} ]+$", "Žofie Nováková", "R2 D2"],
    ["^\\u00e1", "áno", "ano"],
  ])("with the pattern %s accepts %s and refuses %s", (pattern, good, bad) => {
    const { schema, details } = withPattern({ pattern, maxLength: 20 });
    expect(details).toEqual([]);
    expect(problems(schema, { one: good }, "")).toEqual([]);
    expect(problems(schema, { one: bad }, "")).toEqual([
      { path: "/one", message: `must match ${pattern} within its length` },
    ]);
    expect(problems(schema, { one: good.repeat(21) }, "").length).toBe(1);
    expect(JSON.parse(JSON.stringify(schema)).properties.one).toEqual({ type: "string", pattern, maxLength: 20 });
  });

  test.each(["^(a+)+$", "^(a|aa|a?)*$", "(x+x+)+y", "^a*a*a*a*a*$"])(
    "with the pattern %s is checked immediately",
    (pattern) => {
      const { schema, details } = withPattern({ pattern, maxLength: 100_000 });
      expect(details).toEqual([]);
      const started = process.threadCpuUsage();
      for (const text of [`${"a".repeat(99_999)}!`, "x".repeat(100_000)]) checker(schema).Check({ one: text });
      expect(process.threadCpuUsage(started).user / 1_000).toBeLessThan(3_000);
    },
  );

  test.each([
    ["(?=a)b", "must be a regular expression"],
    ["(a)\\1", "must be a regular expression"],
    ["(?i)a", "must be a regular expression"],
    ["[a", "must be a regular expression"],
    ["^(a?){900}$", "takes too long on the longest text"],
  ])("with the pattern %s is refused", (pattern, told) => {
    const { details } = withPattern({ pattern, maxLength: 100_000 });
    expect(details).toEqual([{ path: "/properties/one/pattern", message: expect.stringContaining(told) }]);
  });

  test("with a large pattern on a short text is also refused, because a list may have many", () => {
    expect(withPattern({ pattern: "^.{1,1000}$", maxLength: 10 }).details.length).toBe(1);
  });

  test("is published as it was written, but closed to other properties", () => {
    const given = {
      type: "object",
      properties: {
        a: { type: "string", maxLength: 5, description: "An a." },
        b: { type: "array", items: { type: "number" }, maxItems: 2 },
      },
      required: ["a"],
    };
    const { schema } = readSchema(given, "", true);
    expect(JSON.parse(JSON.stringify(schema))).toEqual({ ...given, additionalProperties: false });
  });
});
