import type { TSchema } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import words from "./example-values.json" with { type: "json" };

/** Examples of bodies and responses: a schema's own `examples`, or values chosen by the names of its members. */

const byName = new Map<string, readonly unknown[]>(Object.entries(words));

const byFormat: Readonly<Record<string, string>> = {
  uuid: "019ab2c4-7f10-7d3a-9c55-2f1e8a6b4d90",
  "date-time": "2026-11-22T09:30:00.000Z",
  date: "2026-11-22",
  uri: "https://example.com/",
};

/** Returns an example of a text member. */
const textOf = (schema: TSchema, name: string): string =>
  (byFormat[schema.format ?? ""] ?? name.replaceAll("_", " "))
    .padEnd(schema.minLength ?? 0, ".")
    .slice(0, schema.maxLength);

function objectOf(schema: TSchema): Record<string, unknown> {
  const members = Object.entries<TSchema>(schema.properties ?? {});
  return Object.fromEntries(members.map(([name, member]) => [name, exampleOf(member, name)]));
}

/** Returns a value that fits the schema; `name` is the name of the member that it is for. */
export function exampleOf(schema: TSchema, name = ""): unknown {
  if (schema.examples) return schema.examples[0];
  const meant = byName.get(name)?.find((value) => Value.Check(schema, value));
  if (meant !== undefined) return meant;
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  if (schema.anyOf) return exampleOf(schema.anyOf[0], name);
  if (schema.default !== undefined) return schema.default;
  if (schema.properties) return objectOf(schema);
  if (schema.type === "array") return Array(Math.max(1, schema.minItems ?? 1)).fill(exampleOf(schema.items, name));
  if (schema.type === "object") return {};
  if (schema.type === "integer" || schema.type === "number") return schema.minimum ?? 1;
  if (schema.type === "boolean") return true;
  return schema.type === "string" ? textOf(schema, name) : null;
}
