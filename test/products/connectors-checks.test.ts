import { afterAll, describe, expect, test } from "bun:test";
import { createOutbound } from "../../src/integrations/outbound/guard.ts";
import { seededRandom } from "../../src/platform/random.ts";
import { systemRuntime } from "../../src/platform/runtime.ts";
import { readManifest } from "../../src/products/connectors/file.ts";
import { readSchema } from "../../src/products/connectors/json-schema.ts";
import { engineOf } from "../../src/products/connectors/manifest.ts";
import { takesLong } from "../../src/products/connectors/schema-cost.ts";
import { ManifestError } from "../../src/products/connectors/yaml.ts";
import { httpsEngine, manifestText, openConnectors, startUpstream } from "../support/connectors-world.ts";
import { type Firm, refusal, type World } from "../support/harness.ts";

/** Tests where a connector's input and output are checked: on the event loop or in a worker thread. */

/** A pattern with a hundred alternatives at each character. */
const manyWays = "^[ab]*a[ab]{100}[ab]*$";
const listOf = (items: string, more = ""): string =>
  `{ type: object, properties: { codes: { type: array, maxItems: 1000, ${more}items: ${items} } } }`;
const withSchemas = (host: string, input: string, output = "{ type: object, additionalProperties: true }"): string =>
  manifestText(httpsEngine(host))
    .replace(/input_schema:.*output_schema:/s, `input_schema: ${input}\noutput_schema:`)
    .replace(/output_schema:.*deadline/s, `output_schema: ${output}\ndeadline`);

/** Returns distinct pseudo-random texts of `a` and `b`. */
function codes(count: number, length: number): string[] {
  const random = seededRandom("codes");
  const code = () => Array.from({ length }, () => (random() < 0.5 ? "a" : "b")).join("");
  return Array.from({ length: count }, code);
}

describe("schema and length determine whether a value takes long to check:", () => {
  const list = (items: object, more: object = {}) => ({ type: "array", maxItems: 1_000, ...more, items });
  const text = { type: "string", maxLength: 1_000 };
  const alternatives = (depth: number): object =>
    depth === 0 ? { type: "integer" } : { anyOf: Array.from({ length: 10 }, () => alternatives(depth - 1)) };
  test.each<[string, object, number, boolean]>([
    ["a long text", { type: "string", maxLength: 100_000 }, 1_000_000, false],
    ["a short text with a pattern", { ...text, pattern: "^[A-Z]{2}\\d{6}$" }, 1_000_000, false],
    ["long texts with a pattern, with a short input", list({ ...text, pattern: manyWays }), 100, false],
    ["long texts with a pattern", list({ ...text, pattern: manyWays }), 1_000_000, true],
    ["short texts without duplicates", list({ type: "string", maxLength: 8 }, { uniqueItems: true }), 1_000_000, false],
    ["long texts without duplicates", list(text, { uniqueItems: true }), 1_000_000, true],
    [
      "an empty list of long texts next to others",
      list({ ...text, maxLength: 10_000, pattern: manyWays }, { maxItems: 0 }),
      1_000_000,
      false,
    ],
    ["few alternatives", list(alternatives(1)), 1_000_000, false],
    ["nested alternatives", list(alternatives(3)), 1_000_000, true],
  ])("%s", (_, member, characters, expected) => {
    const { schema, details } = readSchema({ type: "object", properties: { member } }, "", true);
    expect(details).toEqual([]);
    expect(takesLong(schema, characters)).toBe(expected);
  });
});

describe("a connector whose schema takes long to check", () => {
  const upstream = startUpstream(() => Response.json({ result: { codes: codes(60, 1_000) } }));
  afterAll(() => upstream.stop());
  const pattern = listOf('{ type: string, maxLength: 1000, pattern: "^[ab]+$" }');
  const start = (world: World, firm: Firm, sent: readonly string[]) =>
    world.start(firm, { slug: "claims-triage", input: { codes: sent } });

  test.each([
    ["a pattern", pattern, [...codes(59, 1_000), "ab!"], "/body/input/codes/59"],
    ["a pattern, with a short input", pattern, ["ab!"], "/body/input/codes/0"],
    [
      "no duplicates",
      listOf("{ type: string, maxLength: 1000 }", "uniqueItems: true, "),
      Array<string>(60).fill("a".repeat(1_000)),
      "/body/input/codes",
    ],
  ])("accepts valid values and refuses others at their path: %s", async (_, schema, wrong, path) => {
    await using opened = await openConnectors(upstream.host);
    const { world } = opened;
    const firm = await world.firm({ entitlements: ["partner-tool"] });
    await opened.add(firm, withSchemas(upstream.host, schema));
    expect((await start(world, firm, codes(60, 1_000))).status).toBe(202);
    expect(await refusal(await start(world, firm, wrong))).toEqual([422, "validation_error"]);
    const saved = { name: "Mine", capability: "claims-triage", input: { codes: wrong } };
    for (const [to, body, at] of [
      ["/v1/capabilities/claims-triage/runs", { input: { codes: wrong } }, path],
      ["/v1/saved-configurations", saved, path],
      [
        "/v1/partner-tool/call",
        { tool: "claims_triage", arguments: { codes: wrong } },
        path.replace("input", "arguments"),
      ],
    ] as const) {
      const headers = { "idempotency-key": crypto.randomUUID() };
      const refused = await world.ask(to, { as: firm.key, body, headers });
      expect(await refused.json()).toMatchObject({ error: { details: [{ path: at }] } });
    }
  });

  test("refuses an input whose check exceeds its budget, and continues to work", async () => {
    await using opened = await openConnectors(upstream.host);
    const { world } = opened;
    const firm = await world.firm();
    const way = (n: number) => `{ type: string, maxLength: 1000, pattern: "^[ab]*a[ab]{${100 + n}}[ac]{30}$" }`;
    const ways = Array.from({ length: 9 }, (_, n) => way(n)).join(", ");
    const costly = listOf(`{ anyOf: [${ways}, { type: string, maxLength: 1000 }] }`);
    await opened.add(firm, withSchemas(upstream.host, costly));
    expect(await refusal(await start(world, firm, codes(60, 1_000)))).toEqual([422, "input_too_costly"]);
    expect((await start(world, firm, codes(1, 100))).status).toBe(202);
  });

  test.each([
    [60, "succeeded"],
    [59, "failed"],
  ])("fails a run whose output of 60 codes breaks the contract of at most %p", async (maxItems, status) => {
    await using opened = await openConnectors(upstream.host);
    const { world } = opened;
    const firm = await world.firm();
    const output = listOf('{ type: string, pattern: "^[ab]+$" }').replace("1000", `${maxItems}`);
    await opened.add(firm, withSchemas(upstream.host, listOf("{ type: boolean }"), output));
    const { id } = await world.accepted(firm, { slug: "claims-triage", input: { codes: [] } });
    await world.untilAfterPauses(async () => (await world.run(firm, id)).finished_at !== null, "the run ends");
    const run = await world.run(firm, id);
    expect(run.status).toBe(status as typeof run.status);
    if (status === "failed") expect(run.steps[0]?.error?.code).toBe("engine_output_invalid");
  });
});

test("an output has at most 1 MiB, whatever an older manifest says", () => {
  const { checkUrl } = createOutbound({ runtime: systemRuntime, allow_private: ["127.0.0.1:1"] });
  const text = manifestText(httpsEngine("127.0.0.1:1"));
  const manifest = readManifest(text, checkUrl);
  const older = { ...manifest, engine: { ...manifest.engine, max_response_bytes: 16_777_216 } };
  expect(engineOf(older).max_response_bytes).toBe(1_048_576);
  expect(() => readManifest(`${text}  max_response_bytes: 1048577\n`, checkUrl)).toThrow(ManifestError);
});
