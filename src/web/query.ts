import type { TObject } from "@sinclair/typebox";

/** Decimal and canonical: not `0x10`, `1e1`, `+1`, `01` or blanks. */
const canonicalInteger = /^-?(0|[1-9]\d{0,14})$/;

/**
 * A query schema of plain TypeBox types, with the hook that turns canonical decimal text into numbers before it is
 * validated: so OpenAPI shows a clean integer with its bounds. Spread it into a route's options.
 */
export function query<S extends TObject>(schema: S) {
  const integers = Object.entries(schema.properties)
    .filter(([, property]) => property.type === "integer")
    .map(([name]) => name);
  return {
    query: schema,
    transform: ({ query: given }: { query: Record<string, unknown> }) => {
      for (const name of integers) {
        const text = given[name];
        if (typeof text === "string" && canonicalInteger.test(text)) given[name] = Number(text);
      }
    },
  };
}
