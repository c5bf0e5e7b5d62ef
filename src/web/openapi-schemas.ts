import { assert } from "../platform/assert.ts";
import type { JsonSchema } from "./openapi-document.ts";

/** A title that can name a shared schema. */
const shareable = /^[A-Z][A-Za-z0-9]*$/;

/** The record with each value changed. */
export const mapped = <V, W>(record: Readonly<Record<string, V>>, change: (value: V) => W): Record<string, W> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]));

/** `by_capability` as a part of a schema's name: `ByCapability`. */
export const pascal = (name: string): string =>
  name
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join("");

/** What an array of this name holds one of: `entries`, `sources`; others keep their name. */
const singular = (name: string): string =>
  name
    .replace(/ies$/, "y")
    .replace(/sses$/, "ss")
    .replace(/(?<=[^su])s$/, "");

/** Values that differ in their case alone are taken alike; generators make one name of them. */
const distinct = (values: readonly unknown[]): unknown[] => {
  const known = values.map((value) => String(value).toLowerCase());
  return values.filter((_, i) => known.indexOf(known[i] ?? "") === i);
};

/** Schemas by their titles, where what is sold decides them. */
export type SoldSchemas = Readonly<Record<string, object>>;

/**
 * Turns schemas as routes declare them into those of a document. Each object is listed once under `components/schemas`
 * and referred to, by its title or else by its owner's and its own name, so that generated code has a word for it; and a
 * record's values are described by `additionalProperties`.
 */
export function createSharedSchemas(sold: SoldSchemas = {}) {
  const shared = new Map<string, JsonSchema>();
  /** The names of objects without a title, by what they are: the same thing has one name wherever it is. */
  const named = new Map<string, string>();

  function inner(schema: JsonSchema, owner: string | undefined): JsonSchema {
    const { $id: _, properties, items, anyOf, patternProperties, additionalProperties, ...rest } = schema;
    const values = patternProperties ? Object.values(patternProperties)[0] : additionalProperties;
    const of = (name: string) => owner && owner + pascal(name);
    const members = Object.entries(properties ?? {});
    return {
      ...rest,
      ...(rest.enum && { enum: distinct(rest.enum) }),
      ...(properties && {
        properties: Object.fromEntries(members.map(([name, member]) => [name, publish(member, of(name))])),
      }),
      ...(items && { items: publish(items, owner && singular(owner)) }),
      ...(anyOf && { anyOf: anyOf.map((one) => publish(one, owner)) }),
      ...(values !== undefined && {
        additionalProperties: typeof values === "boolean" ? values : publish(values, of("value")),
      }),
    };
  }

  function share(name: string, schema: JsonSchema): JsonSchema {
    const known = shared.get(name);
    assert(known === undefined || Bun.deepEquals(known, schema), `one schema alone is called ${name}`);
    shared.set(name, schema);
    return { $ref: `#/components/schemas/${name}` };
  }

  /** `owner`: what an object without a title is called. */
  function publish(schema: JsonSchema, owner?: string): JsonSchema {
    const { title } = schema;
    const own = title !== undefined && shareable.test(title) ? title : undefined;
    const decided = own === undefined ? undefined : sold[own];
    if (own !== undefined && decided && !("$ref" in schema))
      return share(own, inner({ ...asJson(decided), title: own }, own));
    const clean = inner(schema, own ?? owner);
    if (own !== undefined) return share(own, clean);
    if (owner === undefined || Object.keys(clean.properties ?? {}).length === 0) return clean;
    const { description: _, ...content } = clean;
    const text = JSON.stringify(content);
    const name = named.get(text) ?? owner;
    named.set(text, name);
    return share(name, shared.get(name) ?? { title: name, ...clean });
  }

  const asJson = (schema: object): JsonSchema => JSON.parse(JSON.stringify(schema)) as JsonSchema;

  return {
    /** The schema as it is written at its place in the document. `name` is that of an object without a title. */
    publish: (schema: object, name?: string): JsonSchema => publish(asJson(schema), name),
    /** Everything referred to so far, by name. */
    all: (): Record<string, JsonSchema> => Object.fromEntries([...shared].sort(([a], [b]) => a.localeCompare(b))),
  };
}

export type SharedSchemas = ReturnType<typeof createSharedSchemas>;
