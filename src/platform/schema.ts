import { Kind, Type as T, type TProperties, type TSchema, TypeRegistry } from "@sinclair/typebox";

/**
 * The few schema idioms of the house. One TypeBox object validates, types and documents; nothing is declared twice.
 */

/** An object that refuses unknown properties: every body and every record on the wire is one. */
export const closed = <P extends TProperties>(
  properties: P,
  options: { title?: string; description?: string; examples?: readonly unknown[] } = {},
) => T.Object(properties, { ...options, additionalProperties: false });

// A kind of our own, because a union of literals reads badly in OpenAPI and in published JSON Schemas.
const enumerationKind = "Enumeration";
TypeRegistry.Set<{ enum: readonly string[] }>(
  enumerationKind,
  (schema, value) => typeof value === "string" && schema.enum.includes(value),
);

/** A closed set of strings: `{type: "string", enum: [...]}`. */
export const enumeration = <const V extends readonly string[]>(...values: V) =>
  T.Unsafe<V[number]>({ [Kind]: enumerationKind, type: "string", enum: [...values] });

/** A field that is always present and may be null; its example is `null` where that is the usual case. */
export const nullable = <S extends TSchema>(schema: S, usual?: null) =>
  T.Union([schema, T.Null()], usual === null ? { examples: [null] } : {});

/** The same schema with a description. */
export const described = <S extends TSchema>(schema: S, description: string): S => ({ ...schema, description });

/**
 * What shows nothing besides blanks: controls, soft hyphens, fillers, joiners and what has no width, marks that turn the
 * writing's direction, and variation selectors. Most as themselves, since not every reader of patterns knows `\p{…}` or
 * `\u…`. U+FEFF is among the blanks that `\s` means, and Go takes no source that has it; so are the separators U+2028 and
 * U+2029, at which some readers of event streams end the line.
 */
const invisible =
  "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164\ufe00-\ufe0f\uffa0\ufff0-\ufffb";

/** For text that people write: what can't be seen says nothing. Every name, question and answer that is asked for has it. */
export const notBlank = { pattern: `[^\\s\\x00-\\x1f\\x7f-\\x9f${invisible}]` } as const;
