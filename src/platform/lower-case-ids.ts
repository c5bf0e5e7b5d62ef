import type { TSchema } from "@sinclair/typebox";

type Members = Record<string, unknown>;
type Lowering = (value: unknown) => unknown;

const isObject = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/**
 * Returns a function that lower-cases the ids in a value of this schema in place, or undefined if the schema has no
 * ids.
 */
function loweringOf(schema: TSchema): Lowering | undefined {
  if (schema.format === "uuid") return (value) => (typeof value === "string" ? value.toLowerCase() : value);
  const alternatives: TSchema[] = schema.anyOf ?? [];
  const [only] = alternatives.flatMap((inner) => loweringOf(inner) ?? []);
  if (only) return only;
  const ofItem = schema.items && loweringOf(schema.items);
  if (ofItem) return (value) => (Array.isArray(value) ? value.map(ofItem) : value);
  const members = Object.entries<TSchema>(schema.properties ?? {}).flatMap(([name, inner]) => {
    const lower = loweringOf(inner);
    return lower ? [{ name, lower }] : [];
  });
  if (members.length === 0) return undefined;
  return (value) => {
    if (isObject(value)) for (const { name, lower } of members) if (name in value) value[name] = lower(value[name]);
    return value;
  };
}

const known = new WeakMap<TSchema, Lowering | null>();

/**
 * Lower-cases the ids in a value where it fits its schema, in place. Ids are stored and compared in lower case, and
 * accepted in either (RFC 9562, 4). Used by the adapter and by the input check of capabilities and use cases.
 */
export function lowerCaseIds(schema: TSchema, value: unknown): void {
  let lowering = known.get(schema);
  if (lowering === undefined) {
    lowering = loweringOf(schema) ?? null;
    known.set(schema, lowering);
  }
  lowering?.(value);
}
