import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { capabilities } from "../../src/products/capabilities/index.ts";
import type { JsonSchema, OpenApi, Operation } from "../../src/web/openapi-document.ts";
import { exampleOf } from "../../src/web/openapi-examples.ts";
import { createSharedSchemas, pascal } from "../../src/web/openapi-schemas.ts";
import { World } from "../support/harness.ts";

/**
 * Properties that make the document readable and usable by generators. Each prevents a fault that once broke a
 * generator.
 */
let world: World;
let document: OpenApi;
let operations: readonly (readonly [on: string, Operation])[];
beforeAll(async () => {
  world = await World.open(undefined, { capabilities, useCases: [], stepEngines: {} });
  document = (await (await world.ask("/openapi-public.json")).json()) as OpenApi;
  operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const),
  );
});
afterAll(() => world[Symbol.asyncDispose]());

/**
 * Yields every schema within a schema, with the name that generators give it if it has none: its owner's plus its own.
 */
function* within(schema: JsonSchema, name: string): Generator<readonly [name: string, schema: JsonSchema]> {
  yield [name, schema];
  for (const [member, inner] of Object.entries(schema.properties ?? {})) yield* within(inner, name + pascal(member));
  for (const inner of [schema.items, ...(schema.anyOf ?? [])]) if (inner) yield* within(inner, name);
}
const everySchema = () =>
  Object.entries(document.components.schemas).flatMap(([name, schema]) => [...within(schema, name)]);
const nameIn = (ref: string | undefined): string => (ref ?? "").slice((ref ?? "").lastIndexOf("/") + 1);

test("no text has a byte order mark, which Go rejects in a client's source", () => {
  expect(JSON.stringify(document).includes("\ufeff")).toBe(false);
});

describe("examples", () => {
  test("exist for every body and every response with content", () => {
    const lacking = operations.flatMap(([on, { requestBody, responses }]) => {
      const answers = Object.entries(responses).flatMap(([status, response]) =>
        "$ref" in response ? [] : [[status, response.content ?? {}] as const],
      );
      return [["body", requestBody?.content ?? {}] as const, ...answers].flatMap(([where, content]) =>
        Object.entries(content)
          .filter(([, media]) => media.example === undefined && media.examples === undefined)
          .map(([type]) => `${on} ${where} ${type}`),
      );
    });
    expect(lacking).toEqual([]);
  });

  test("come from the schema, or else follow from its members' names", () => {
    const schemas = everySchema().filter(([, { examples }]) => examples);
    expect(schemas.length).toBeGreaterThan(3);
    const run = document.paths["/v1/runs/{run_id}"]?.get?.responses["200"];
    const media = run && "content" in run ? run.content?.["application/json"] : undefined;
    expect(media?.example).toMatchObject({ capability: "exa-filter", use_case: null, result: { trust_state: "OK" } });
  });

  test("of a text without an example have the required length", () => {
    const { type, minLength, maxLength } = { type: "string", minLength: 12, maxLength: 12 };
    expect(String(exampleOf({ type, minLength, maxLength } as never, "a"))).toHaveLength(12);
  });
});

describe("names in generated code", () => {
  test("are unique regardless of case, including those composed of an owner and a member", () => {
    const components = Object.entries(document.components.schemas);
    // A generator makes a type of each component, and of each enumeration where it occurs.
    const lists = components.flatMap(([component, schema]) =>
      [...within(schema, component)].filter(([, inner]) => inner.enum && inner !== schema).map(([name]) => name),
    );
    const names = [...components.map(([name]) => name), ...new Set(lists)].map((name) => name.toLowerCase());
    expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([]);
    expect(names).toEqual(expect.arrayContaining(["approvaldecision", "approvaldecisionrequest"]));
  });

  test("exist for every object, so that none is called `Inner` plus a number", () => {
    const inline = everySchema().filter(([name, { properties = {}, title }]) => {
      const isOpen = Object.keys(properties).length === 0;
      return !isOpen && title !== name;
    });
    expect(inline.map(([name]) => name)).toEqual([]);
    const inOperations = operations.flatMap(([on, { requestBody, responses }]) =>
      [requestBody, ...Object.values(responses)].flatMap((one) =>
        Object.values((one && "content" in one && one.content) || {})
          .filter(({ schema }) => schema.properties && !on.includes("jwks"))
          .map(() => on),
      ),
    );
    expect(inOperations).toEqual([]);
  });

  test("are unique within a list of values", () => {
    const parameters = operations.flatMap(([on, { parameters: all = [] }]) =>
      all.map((one) => [`${on} ${one.name}`, one.schema] as const),
    );
    for (const [name, { enum: values = [] }] of [...everySchema(), ...parameters])
      expect([name, new Set(values.map((value) => String(value).toLowerCase())).size]).toEqual([name, values.length]);
    const challenge = parameters.find(([name]) => name.endsWith("/auth/v1/authorize code_challenge_method"));
    expect(challenge?.[1].enum).toEqual(["S256"]);
  });

  test("of the same schema in two places are the same", () => {
    const schemas = createSharedSchemas();
    const part = { type: "object", properties: { a: { type: "string" } } };
    schemas.publish({ title: "One", type: "object", properties: { part } });
    schemas.publish({
      title: "Two",
      type: "object",
      properties: { piece: part, parts: { type: "array", items: part } },
    });
    expect(Object.keys(schemas.all())).toEqual(["One", "OnePart", "Two"]);
    expect(() => schemas.publish({ title: "One", type: "string" })).toThrow("one schema alone is called One");
  });
});

describe("arguments of generated code", () => {
  test("start with the path's parameters", () => {
    const places = ["path", "query", "header"];
    for (const [on, { parameters = [] }] of operations) {
      const order = parameters.map((one) => places.indexOf(one.in));
      expect([on, order]).toEqual([on, order.toSorted((a, b) => a - b)]);
    }
  });

  test("are optional if the server does not need them: no member of a body has a default", () => {
    const bodies = operations.flatMap(([, { requestBody }]) =>
      Object.values(requestBody?.content ?? {}).map(({ schema }) => nameIn(schema.$ref)),
    );
    expect(bodies.length).toBeGreaterThan(20);
    for (const body of bodies)
      for (const [name, schema] of within(document.components.schemas[body] ?? {}, body))
        expect([name, schema.default]).toEqual([name, undefined]);
  });
});

describe("a run's result", () => {
  test("has a named schema per capability, wherever a run or a job shows it", () => {
    const { schemas } = document.components;
    const alternatives = (name: string) => (schemas[name]?.anyOf ?? []).map(({ $ref }) => nameIn($ref));
    for (const { slug, output_schema } of capabilities) {
      const name = `${pascal(slug)}Result`;
      expect(alternatives("Result")).toContain(name);
      expect(Object.keys(schemas[name]?.properties ?? {})).toEqual(Object.keys(output_schema.properties));
    }
    expect(alternatives("JobResult")).toContain("CompanyIntelligenceResult");
    for (const name of ["Run", "Step"]) expect(nameIn(schemas[name]?.properties?.result?.$ref)).toBe("Result");
    expect(nameIn(schemas.Job?.properties?.result?.$ref)).toBe("JobResult");
  });
});
