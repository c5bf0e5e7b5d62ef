import { assert } from "../platform/assert.ts";
import type { JsonSchema } from "./openapi-document.ts";

/** A title that can name a shared schema. */
const shareable = /^[A-Z][A-Za-z0-9]*$/;

/** The record with each value changed. */
export const mapped = <V, W>(record: Readonly<Record<string, V>>, change: (value: V) => W): Record<string, W> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]));

/**
 * Turns schemas as routes declare them into those of a document: each one with a title is listed once
 * under `components/schemas` and referred to, and a record's values are described by `additionalProperties`.
 */
export function createSharedSchemas() {
  const shared = new Map<string, JsonSchema>();

  function inner(schema: JsonSchema): JsonSchema {
    const { $id: _, properties, items, anyOf, patternProperties, additionalProperties, ...rest } = schema;
    const values = patternProperties ? Object.values(patternProperties)[0] : additionalProperties;
    return {
      ...rest,
      ...(properties && { properties: mapped(properties, publish) }),
      ...(items && { items: publish(items) }),
      ...(anyOf && { anyOf: anyOf.map(publish) }),
      ...(values !== undefined && { additionalProperties: typeof values === "boolean" ? values : publish(values) }),
    };
  }

  function publish(schema: JsonSchema): JsonSchema {
    const clean = inner(schema);
    const { title } = clean;
    if (title === undefined || !shareable.test(title)) return clean;
    const known = shared.get(title);
    assert(known === undefined || Bun.deepEquals(known, clean), `one schema alone is called ${title}`);
    shared.set(title, clean);
    return { $ref: `#/components/schemas/${title}` };
  }

  return {
    /** The schema as it is written at its place in the document. */
    publish: (schema: object): JsonSchema => publish(JSON.parse(JSON.stringify(schema)) as JsonSchema),
    /** Everything referred to so far, by name. */
    all: (): Record<string, JsonSchema> => Object.fromEntries([...shared].sort(([a], [b]) => a.localeCompare(b))),
  };
}

export type SharedSchemas = ReturnType<typeof createSharedSchemas>;
