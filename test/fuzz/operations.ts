import type { JsonSchema, OpenApi, Operation } from "../../src/web/openapi-document.ts";
import {
  canary,
  hostileBodies,
  hostileContentTypes,
  hostileHeaders,
  hostileQueries,
  hostileSegments,
  hostileTexts,
  hostileValues,
} from "./hostile.ts";
import type { Probe } from "./probe.ts";

/** Hostile requests for every operation of the OpenAPI document, with valid credentials. */

export interface Credentials {
  readonly key: string;
  readonly token: string;
}

const json = "application/json";

/** Returns a value that the schema accepts; bodies are made from it, with one hostile place at a time. */
function sampleOf(schema: JsonSchema, document: OpenApi): unknown {
  if (schema.$ref !== undefined) {
    const known = document.components.schemas[schema.$ref.slice("#/components/schemas/".length)];
    return known ? sampleOf(known, document) : {};
  }
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  if (schema.anyOf?.[0]) return sampleOf(schema.anyOf[0], document);
  if (schema.type === "object" || schema.properties)
    return Object.fromEntries(
      Object.entries(schema.properties ?? {}).map(([name, property]) => [name, sampleOf(property, document)]),
    );
  if (schema.type === "array") return schema.items ? [sampleOf(schema.items, document)] : [];
  if (schema.type === "integer" || schema.type === "number") return schema.minimum ?? 1;
  if (schema.type === "boolean") return true;
  if (schema.format === "uuid") return crypto.randomUUID();
  if (schema.format === "uri") return "https://example.com/";
  if (schema.format === "date-time") return "2030-01-01T00:00:00Z";
  return "x".repeat(Math.max(schema.minLength ?? 0, 3));
}

/** Returns one JSON body for each place of the sample, with `written` at that place. */
function withHostilePlaces(sample: unknown, written: string): readonly string[] {
  if (Array.isArray(sample))
    return [written, ...sample.flatMap((item) => withHostilePlaces(item, written).map((text) => `[${text}]`))];
  if (typeof sample !== "object" || sample === null) return [written];
  const members = Object.entries(sample);
  return [
    written,
    ...members.flatMap(([name, value]) =>
      withHostilePlaces(value, written).map((text) => {
        const others = members.filter(([other]) => other !== name);
        const rest = others.map(([other, kept]) => `,${JSON.stringify(other)}:${JSON.stringify(kept)}`);
        return `{${JSON.stringify(name)}:${text}${rest.join("")}}`;
      }),
    ),
  ];
}

interface Described {
  readonly on: string;
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
  /** An example body from the document, with the slug that it is for. */
  readonly example?: { readonly slug: string; readonly value: unknown };
}

function credentialOf({ security }: Operation, { key, token }: Credentials): Record<string, string> {
  const named = security.flatMap((one) => Object.keys(one));
  const bearer = named.includes("apiKey") ? key : named.includes("accessToken") ? token : undefined;
  return bearer === undefined ? {} : { authorization: `Bearer ${bearer}` };
}

/** Returns a valid request for an operation, which the probes change in one respect. */
function honest({ operation, path, example }: Described, document: OpenApi, credentials: Credentials) {
  const { parameters = [], requestBody } = operation;
  const type = Object.keys(requestBody?.content ?? {})[0];
  const content = type === undefined ? undefined : requestBody?.content[type];
  const samples = content ? [example?.value ?? sampleOf(content.schema, document)] : [];
  const address = path.replace("{slug}", example?.slug ?? "exa-filter").replace(/{\w+}/g, () => crypto.randomUUID());
  const needed = parameters.filter(({ in: place, required }) => place === "query" && required);
  const search = needed.map(({ name, schema }) => `${name}=${encodeURIComponent(String(sampleOf(schema, document)))}`);
  const headers = (): Record<string, string> => ({
    ...credentialOf(operation, credentials),
    ...(type !== undefined && { "content-type": type }),
    ...(parameters.some(({ name }) => name === "Idempotency-Key") && { "idempotency-key": crypto.randomUUID() }),
  });
  return { address, search: search.join("&"), headers, samples, type, parameters };
}

/** Returns the address with the query, if there is one. */
const at = (address: string, search: string): string => (search === "" ? address : `${address}?${search}`);

function bodyProbes(samples: readonly unknown[], type: string): { what: string; body: Uint8Array | string }[] {
  const whole = hostileBodies.map((body, i) => ({ what: `hostile body ${i}`, body }));
  if (type !== json) {
    const names = samples.flatMap((sample) => (typeof sample === "object" && sample ? Object.keys(sample) : []));
    const forms = names.flatMap((name) => hostileQueries(name));
    return [...whole, ...forms.map((body) => ({ what: `hostile form ${body.slice(0, 40)}`, body }))];
  }
  const written = [...hostileValues, ...hostileTexts.map((text) => JSON.stringify(text))];
  const placed = samples.flatMap((sample) =>
    written.flatMap((value, v) =>
      withHostilePlaces(sample, value).map((body, place) => ({ what: `hostile value ${v} at place ${place}`, body })),
    ),
  );
  return [...whole, ...placed];
}

function probesOf(described: Described, document: OpenApi, credentials: Credentials): Probe[] {
  const { on, method, path, operation } = described;
  const { address, search, headers, samples, type, parameters } = honest(described, document, credentials);
  const statuses = Object.keys(operation.responses).map(Number).filter(Number.isInteger);
  const house = !path.startsWith("/oauth/");
  const base = { on, method, statuses, house };
  const sample = samples[0] === undefined ? undefined : JSON.stringify(samples[0]);
  const body = type === json ? sample : type === undefined ? undefined : "a=b";
  const plain = { ...base, path: at(address, search), ...(body !== undefined && { body }) };
  const queries = [...parameters.filter((p) => p.in === "query").map((p) => p.name), canary].flatMap(hostileQueries);
  return [
    ...queries.map((query) => ({
      ...base,
      what: `hostile query ${query.slice(0, 40)}`,
      path: at(address, [search, query].filter((part) => part !== "").join("&")),
      headers: headers(),
      ...(body !== undefined && { body }),
    })),
    ...hostileSegments.flatMap((segment) =>
      [...path.matchAll(/{\w+}/g)].map(([name]) => ({
        ...plain,
        what: `hostile path ${segment.slice(0, 40)}`,
        path: at(path.replace(name, segment), search),
        headers: headers(),
      })),
    ),
    ...hostileHeaders.map((hostile, i) => ({
      ...plain,
      what: `hostile headers ${i} (${Object.keys(hostile).join()})`,
      headers: { ...headers(), ...hostile },
      guesses: hostile.authorization !== undefined,
    })),
    ...(type === undefined
      ? []
      : hostileContentTypes.map((given) => ({
          ...plain,
          what: `content type ${given.slice(0, 40)}`,
          headers: { ...headers(), "content-type": given },
        }))),
    ...(type === undefined ? [] : bodyProbes(samples, type).map((made) => ({ ...plain, ...made, headers: headers() }))),
    ...["TRACE", "PROPFIND", "OPTIONS", "HEAD"].map((other) => ({
      on,
      what: `method ${other}`,
      method: other,
      path: address,
    })),
  ];
}

/** Returns the hostile requests for every operation of the document. */
export const operationProbes = (document: OpenApi, credentials: Credentials): Probe[] =>
  Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, operation]) => {
      const on = `${method.toUpperCase()} ${path}`;
      const described = { on, method: method.toUpperCase(), path, operation };
      const shown = Object.entries(operation.requestBody?.content[json]?.examples ?? {});
      const examples = shown.map(([slug, { value }]) => ({ ...described, example: { slug, value } }));
      return [described, ...examples].flatMap((each) => probesOf(each, document, credentials));
    }),
  );
