import { Kind, Type as T, type TProperties, type TSchema, TypeRegistry } from "@sinclair/typebox";

/** The shared schema idioms. One TypeBox object validates, types and documents, so that nothing is declared twice. */

/** An object that rejects unknown properties, as every body and record in the API does. */
export const closed = <P extends TProperties>(
  properties: P,
  options: { title?: string; description?: string; examples?: readonly unknown[] } = {},
) => T.Object(properties, { ...options, additionalProperties: false });

// A custom kind, because a union of literals reads badly in OpenAPI and in published JSON Schemas.
const enumerationKind = "Enumeration";
TypeRegistry.Set<{ enum: readonly string[] }>(
  enumerationKind,
  (schema, value) => typeof value === "string" && schema.enum.includes(value),
);

/** A closed set of strings: `{type: "string", enum: [...]}`. */
export const enumeration = <const V extends readonly string[]>(...values: V) =>
  T.Unsafe<V[number]>({ [Kind]: enumerationKind, type: "string", enum: [...values] });

/** A field that is always present and may be null. Its example is `null` if `usual` says so. */
export const nullable = <S extends TSchema>(schema: S, usual?: null) =>
  T.Union([schema, T.Null()], usual === null ? { examples: [null] } : {});

/** Returns the schema with a description. */
export const described = <S extends TSchema>(schema: S, description: string): S => ({ ...schema, description });

/**
 * Characters that show nothing, besides whitespace: control characters, soft hyphens, fillers, joiners, zero-width
 * characters, bidirectional marks and variation selectors. Most are written literally, because not every regular
 * expression engine knows `\p{…}` or `\u…`. U+FEFF is covered by `\s`, and Go rejects source text that contains it; the
 * separators U+2028 and U+2029 are covered too, and some event-stream readers end a line there.
 */
const invisible =
  "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164\ufe00-\ufe0f\uffa0\ufff0-\ufffb";

/**
 * For text that people write: it must contain at least one visible character. Used by every name, question and answer.
 */
export const notBlank = { pattern: `[^\\s\\x00-\\x1f\\x7f-\\x9f${invisible}]` } as const;
