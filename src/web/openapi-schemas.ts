import { assert } from "../platform/assert.ts";
import type { JsonSchema } from "./openapi-document.ts";

/** A title that can name a shared schema. */
const shareable = /^[A-Z][A-Za-z0-9]*$/;

/** Returns the record with each value mapped. */
export const mapped = <V, W>(record: Readonly<Record<string, V>>, change: (value: V) => W): Record<string, W> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]));

/** Converts a name such as `by_capability` to a part of a schema's name: `ByCapability`. */
export const pascal = (name: string): string =>
  name
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join("");

/**
 * Returns the singular of an array's name (`entries`, `sources`), for naming its items. Other names stay as they are.
 */
const singular = (name: string): string =>
  name
    .replace(/ies$/, "y")
    .replace(/sses$/, "ss")
    .replace(/(?<=[^su])s$/, "");

/** Removes values that differ only in case, since generators give them one name. */
const distinct = (values: readonly unknown[]): unknown[] => {
  const known = values.map((value) => String(value).toLowerCase());
  return values.filter((_, i) => known.indexOf(known[i] ?? "") === i);
};

/** Schemas by title, for titles whose schema depends on what is sold. */
export type SoldSchemas = Readonly<Record<string, object>>;

/**
 * Converts the routes' schemas to those of a document. Each object appears once under `components/schemas` and is
 * referenced, named by its title or by its owner's name and its own, so that generated code has a name for it. A
 * record's values are described by `additionalProperties`.
 */
export function createSharedSchemas(sold: SoldSchemas = {}) {
  const shared = new Map<string, JsonSchema>();
  /** Names of untitled objects, by content, so that equal objects share one name. */
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

  /** `owner` names an object without a title. */
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
    /** Returns the schema to write at this place in the document. `name` names an object without a title. */
    publish: (schema: object, name?: string): JsonSchema => publish(asJson(schema), name),
    /** Returns every schema referenced so far, by name. */
    all: (): Record<string, JsonSchema> => Object.fromEntries([...shared].sort(([a], [b]) => a.localeCompare(b))),
  };
}

export type SharedSchemas = ReturnType<typeof createSharedSchemas>;
