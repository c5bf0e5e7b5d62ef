import { afterAll, describe, expect, test } from "bun:test";
import { modelChecks } from "../../src/cli/health/models.ts";
import { ConfigurationError, loadConfiguration, modelsOf } from "../../src/config/settings.ts";
import { createModels } from "../../src/integrations/models/models.ts";
import { createOutbound } from "../../src/integrations/outbound/guard.ts";
import { present } from "../../src/platform/assert.ts";
import { systemRuntime } from "../../src/platform/runtime.ts";
import { endpointAt, failureOf } from "../support/model-fixtures.ts";
import { ModelServer } from "../support/model-server.ts";

const server = new ModelServer();
afterAll(() => server.stop());

const endpoint = endpointAt(server);

describe("the model settings", () => {
  test.each([
    ["model_url alone", { model_url: "https://m.example/v1" }, "model_url and model_name must be set together"],
    ["a list without a model", { model_capabilities: "exa-filter" }, "need model_url and model_name"],
    ["embedding_name alone", { embedding_name: "e" }, "embedding_url and embedding_name must be set together"],
  ])("are refused if incomplete: %s", (_, flags, message) => {
    const { settings } = loadConfiguration({ env: {}, flags, file: undefined });
    const error = (() => {
      try {
        return modelsOf(settings);
      } catch (thrown) {
        return thrown;
      }
    })();
    expect(error).toBeInstanceOf(ConfigurationError);
    expect(String(error)).toContain(message);
  });

  test("are refused if they name a capability that no model serves", () => {
    const flags = { model_url: "https://m.example/v1", model_name: "m", model_capabilities: "exa-filter,exa-fitler" };
    expect(() => modelsOf(loadConfiguration({ env: {}, flags }).settings)).toThrow("no model can serve exa-fitler");
  });

  test("become an endpoint, without a trailing slash", () => {
    const flags = {
      model_url: "https://m.example/v1/",
      model_name: "m",
      model_capabilities: "exa-filter,afa-assurance",
    };
    expect(modelsOf(loadConfiguration({ env: {}, flags }).settings)).toEqual({
      language: { url: "https://m.example/v1", name: "m", api_key: undefined, timeout_ms: 55_000 },
      capabilities: ["exa-filter", "afa-assurance"],
      embedding: undefined,
    });
  });
});

describe("the embedding model", () => {
  const embedding = (given: Partial<typeof endpoint> = {}) =>
    present(
      createModels(
        { embedding: { ...endpoint, name: "embed-small", ...given } },
        createOutbound({ runtime: systemRuntime, allow_private: [server.host] }),
      ).embedding,
      "an embedding model",
    );
  const signal = new AbortController().signal;

  test("returns one vector per text, in order, over several requests", async () => {
    server.will();
    const texts = Array.from({ length: 100 }, (_, at) => "x".repeat(at + 1));
    const vectors = await embedding().embed(texts, signal);
    expect(vectors.map(([first]) => first)).toEqual(texts.map((text) => text.length));
    expect(vectors[0]).toBeInstanceOf(Float32Array);
    expect(server.sent.map(({ path, body }) => [path, body.model, body.input?.length])).toEqual([
      ["/v1/embeddings", "embed-small", 64],
      ["/v1/embeddings", "embed-small", 36],
    ]);
    expect(await embedding().embed([], signal)).toEqual([]);
  });

  test.each([
    ["too few", { data: [] }],
    [
      "of two lengths",
      {
        data: [
          { index: 0, embedding: [1] },
          { index: 1, embedding: [1, 2] },
        ],
      },
    ],
    [
      "empty",
      {
        data: [
          { index: 0, embedding: [] },
          { index: 1, embedding: [] },
        ],
      },
    ],
  ])("refuses vectors that are %s", async (_, body) => {
    server.will({ status: 200, headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
    const error = await failureOf(embedding().embed(["a", "b"], signal));
    expect(error).toMatchObject({ code: "model_output_invalid", retryable: false });
  });

  test("fails as the language model does", async () => {
    server.will({ status: 503 });
    expect(await failureOf(embedding().embed(["a"], signal))).toMatchObject({
      code: "model_unavailable",
      retryable: true,
    });
    server.will({ status: 403 });
    expect(await failureOf(embedding().embed(["a"], signal))).toMatchObject({
      code: "model_refused",
      retryable: false,
    });
  });
});

describe("assay doctor", () => {
  const told = async (flags: Record<string, string>, allowed = true) => {
    const outbound = createOutbound({ runtime: systemRuntime, allow_private: allowed ? [server.host] : [] });
    const { settings } = loadConfiguration({ env: {}, flags });
    return (await modelChecks(settings, outbound)).map(({ about, state, found }) => `${state} ${about}: ${found}`);
  };
  const flags = { model_url: server.url, model_name: "judge-7b", model_capabilities: "exa-filter" };
  const list = (...names: string[]) => ({ status: 200, body: JSON.stringify({ data: names.map((id) => ({ id })) }) });

  test("reports which model responds and what it serves", async () => {
    server.will(list("judge-7b"));
    expect(await told(flags)).toEqual([
      "ok language model: judge-7b, the endpoint answers",
      "ok served by the model: exa-filter",
    ]);
    expect(await told({})).toEqual(["ok language model: none; embedded engines are used"]);
  });

  test.each([
    ["a missing model", list("other"), "warn language model: judge-7b is not among the models listed"],
    ["a wrong key", { status: 401 }, "fail language model: the endpoint rejects the key"],
    ["a broken server", { status: 500 }, "fail language model: the endpoint answers with 500"],
  ])("and reports %s", async (_, said, line) => {
    server.will(said);
    expect((await told(flags))[0]).toBe(line);
  });

  test("and an address that is not allowed", async () => {
    expect((await told(flags, false))[0]).toStartWith("fail language model:");
  });
});
