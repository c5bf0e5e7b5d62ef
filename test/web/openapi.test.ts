import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { present } from "../../src/platform/assert.ts";
import type { OpenApi, Operation } from "../../src/web/openapi-document.ts";
import { World } from "../support/harness.ts";

let world: World;
let text: string;
let document: OpenApi;
let operations: {
  readonly on: string;
  readonly path: string;
  readonly method: string;
  readonly operation: Operation;
}[];

beforeAll(async () => {
  world = await World.open();
  text = await (await world.ask("/openapi-public.json")).text();
  document = JSON.parse(text);
  operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      on: `${method.toUpperCase()} ${path}`,
      path,
      method: method.toUpperCase(),
      operation,
    })),
  );
});
afterAll(() => world[Symbol.asyncDispose]());

const operationOf = (on: string): Operation =>
  present(operations.find((each) => each.on === on)?.operation, `the description of ${on}`);
/** Returns the path with ids of things that do not exist. */
const address = (path: string): string => path.replace(/{\w+}/g, () => Bun.randomUUIDv7());

describe("the OpenAPI document", () => {
  test("has no lint errors", async () => {
    const folder = mkdtempSync(join(tmpdir(), "assay-openapi-"));
    const file = join(folder, "openapi.json");
    writeFileSync(file, text);
    const root = join(import.meta.dir, "..", "..");
    const lint = Bun.spawn(
      [process.execPath, "node_modules/@redocly/cli/bin/cli.js", "lint", "--config", "redocly.yaml", file],
      {
        cwd: root,
        env: { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true", NO_COLOR: "1" },
        stdout: "pipe",
        stderr: "pipe",
      },
    );
    const told = (await Promise.all([new Response(lint.stdout).text(), new Response(lint.stderr).text()])).join("\n");
    rmSync(folder, { recursive: true });
    expect({ exit: await lint.exited, problems: /^\[\d+\].*/gm.exec(told)?.[0] }).toEqual({
      exit: 0,
      problems: undefined,
    });
    expect(told).toContain("Your API description is valid");
  });

  test("carries version 0.3.0, the licence and this installation's address", () => {
    expect(document.openapi).toBe("3.1.0");
    expect(document.info).toMatchObject({ title: "Assay", version: "0.3.0", license: { identifier: "Apache-2.0" } });
    expect(document.servers.map((server) => server.url)).toEqual(["http://assay.test"]);
  });

  test("describes only what is served, with the methods accepted", async () => {
    for (const { on, path, method } of operations) {
      const refused = await world.ask(address(path), { method: "PROPFIND" });
      expect({ on, status: refused.status }).toEqual({ on, status: 405 });
      expect(refused.headers.get("allow")?.split(", ")).toContain(method);
    }
  });

  test("names each operation once, with a summary and a documented tag", () => {
    const ids = operations.map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
    const explained = document.tags.filter((tag) => tag.description).map((tag) => tag.name);
    for (const { on, operation } of operations) {
      expect({ on, summary: operation.summary }).toEqual({ on, summary: expect.stringMatching(/\w/) });
      expect(explained).toEqual(expect.arrayContaining([...operation.tags]));
      for (const parameter of operation.parameters ?? [])
        expect({ on, parameter: parameter.name, words: parameter.description }).toEqual({
          on,
          parameter: parameter.name,
          words: expect.stringMatching(/\w/),
        });
    }
  });

  test("has no dangling references and exposes no internals", () => {
    for (const [, kind = "", name = ""] of text.matchAll(/"\$ref":"#\/components\/(\w+)\/(\w+)"/g))
      expect(Object.keys(document.components[kind as keyof OpenApi["components"]])).toContain(name);
    expect(text).not.toContain("x-assay");
    expect(text).not.toContain('"$id"');
    expect(text.match(/"\$ref":"(?!#\/components)/)).toBeNull();
  });

  test("requires a credential exactly where the server does", async () => {
    for (const { on, path, method, operation } of operations) {
      const open = operation.security.length === 0 || operation.security.some((need) => Object.keys(need).length === 0);
      const { status } = await world.ask(address(path), { method });
      expect({ on, asks: status === 401 }).toEqual({ on, asks: !open });
      if (!open) expect(Object.keys(operation.responses)).toContain("401");
    }
  });

  test("requires the kinds of credential that the server accepts", () => {
    const kinds = (on: string) => operationOf(on).security.map((need) => Object.keys(need).join());
    expect(kinds("GET /v1/runs")).toEqual(["apiKey", "accessToken"]);
    expect(kinds("POST /v1/runs/{run_id}/approval")).toEqual(["accessToken"]);
    expect(kinds("GET /v1/capabilities/{slug}")).toEqual(["apiKey", "accessToken", ""]);
    expect(kinds("GET /v1/use-cases")).toEqual([]);
  });

  test("states the required scope or role, and 403 without it", () => {
    for (const { on, operation } of operations.filter(({ operation: o }) =>
      /Needs the scope|the role/.test(o.description),
    ))
      expect({ on, statuses: Object.keys(operation.responses) }).toEqual({
        on,
        statuses: expect.arrayContaining(["401", "403"]),
      });
    expect(operationOf("GET /v1/runs").description).toContain("`runs:read`");
    expect(operationOf("POST /v1/runs/{run_id}/cancel").description).toContain("`capabilities:run` or `use-cases:run`");
    expect(operationOf("POST /v1/runs/{run_id}/approval").description).toContain("`owner` or `approver`");
  });

  test("describes a numeric query parameter as an integer with limits, and requires none with a default", () => {
    const limit = operationOf("GET /v1/runs").parameters?.find((parameter) => parameter.name === "limit");
    expect(limit).toMatchObject({
      required: false,
      schema: { type: "integer", minimum: 1, maximum: 100, default: 50 },
    });
    for (const { operation } of operations)
      for (const { schema, required } of operation.parameters ?? [])
        if (schema.default !== undefined) expect(required).toBe(false);
  });

  test("spells the idempotency key's header as usual, and documents the replay header", () => {
    const operation = operationOf("POST /v1/capabilities/{slug}/runs");
    const key = operation.parameters?.find((parameter) => parameter.in === "header");
    expect(key).toMatchObject({ name: "Idempotency-Key", required: true, schema: { minLength: 8, maxLength: 200 } });
    expect(operation.responses["202"]).toMatchObject({
      headers: { "Idempotency-Replayed": {}, Location: {}, "Retry-After": {} },
    });
    expect(operation.requestBody?.content).toHaveProperty(["application/json"]);
    expect(Object.keys(operation.requestBody?.content ?? {})).toHaveLength(1);
  });

  test("has one schema for all errors, with an example for each code", () => {
    const notFound = document.components.responses.NotFound;
    expect(notFound?.content?.["application/json"]).toMatchObject({
      schema: { $ref: "#/components/schemas/Error" },
      examples: { not_found: { value: { error: { code: "not_found", message: "There is no such resource." } } } },
    });
    expect(document.components.schemas.Error).toMatchObject({ required: ["error"], additionalProperties: false });
  });

  test("closes bodies and shares named schemas", () => {
    expect(document.components.schemas.CapabilityRunCreateRequest).toMatchObject({ additionalProperties: false });
    expect(document.components.schemas.RunList?.properties?.items).toEqual({
      type: "array",
      items: { $ref: "#/components/schemas/Run" },
    });
  });

  test("omits firms' private capabilities", () => {
    expect(text).not.toContain("hidden");
  });

  test("is sent again only when changed", async () => {
    const first = await world.ask("/openapi-public.json");
    const etag = present(first.headers.get("etag"), "an ETag");
    const again = await world.ask("/openapi-public.json", { headers: { "if-none-match": etag } });
    expect([again.status, await again.text()]).toEqual([304, ""]);
    expect((await world.ask("/openapi-public.json", { headers: { "if-none-match": '"other"' } })).status).toBe(200);
    const head = await world.ask("/openapi-public.json", { method: "HEAD" });
    expect([head.status, head.headers.get("etag"), await head.text()]).toEqual([200, etag, ""]);
  });
});
