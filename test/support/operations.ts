import { isScope, type Scope } from "../../src/contracts/scopes.ts";
import type { JsonSchema, OpenApi, Operation } from "../../src/web/openapi-document.ts";
import type { World } from "./harness.ts";

/** A route of the app as declared in its OpenAPI document. */
export interface Declared {
  readonly method: string;
  /** The path with its parameters in braces. */
  readonly path: string;
  readonly operation: Operation;
  /** The kinds of credential accepted. */
  readonly takes: { readonly keys: boolean; readonly tokens: boolean };
  /** Whether it also answers without a credential. */
  readonly open: boolean;
  /** The scopes required: all of them, or any one of them. */
  readonly scopes: readonly Scope[];
  readonly anyScope: boolean;
  readonly roles: readonly string[];
  /** A request body that matches the schema, or `undefined` if the route takes none. */
  readonly body: unknown;
}

/** Returns the names that the description lists after `words`. */
const listed = (description: string, words: string): string[] => {
  const sentence = description.match(new RegExp(`${words} ([^.]*)\\.`))?.[1] ?? "";
  return [...sentence.matchAll(/`([^`]+)`/g)].map(([, name]) => name ?? "");
};

/** Returns a value that matches the schema, with the required members only. */
function sample(schema: JsonSchema, document: OpenApi): unknown {
  const named = schema.$ref && document.components.schemas[schema.$ref.split("/").at(-1) ?? ""];
  if (named) return sample(named, document);
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  const [first] = schema.anyOf ?? [];
  if (first) return sample(first, document);
  if (schema.type === "integer" || schema.type === "number") return schema.minimum ?? 1;
  if (schema.type === "boolean") return true;
  if (schema.type === "array")
    return Array.from({ length: schema.minItems ?? 0 }, () => sample(schema.items ?? {}, document));
  if (schema.type === "string")
    return schema.format === "uuid" ? crypto.randomUUID() : "x".repeat(schema.minLength ?? 1);
  const properties = Object.entries(schema.properties ?? {}).filter(([name]) => schema.required?.includes(name));
  return Object.fromEntries(properties.map(([name, property]) => [name, sample(property, document)]));
}

/** Returns every documented route, so that new routes are tested without further code. */
export async function operationsOf(world: World): Promise<Declared[]> {
  const document = (await (await world.ask("/openapi-public.json")).json()) as OpenApi;
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]): Declared => {
      const { security, description, requestBody } = operation;
      const schema = requestBody?.content["application/json"]?.schema;
      const wanted = listed(description, "Needs the scope");
      return {
        method: method.toUpperCase(),
        path,
        operation,
        takes: {
          keys: security.some((one) => "apiKey" in one),
          tokens: security.some((one) => "accessToken" in one),
        },
        open: security.length === 0 || security.some((one) => Object.keys(one).length === 0),
        scopes: wanted.filter(isScope),
        anyScope: / or `/.test(description.match(/Needs the scope [^.]*/)?.[0] ?? ""),
        roles: listed(description, "with the role"),
        body: schema && sample(schema, document),
      };
    }),
  );
}
