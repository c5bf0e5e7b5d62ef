import { TypeGuard } from "@sinclair/typebox";
import { type AnyElysia, Elysia } from "elysia";
import { present } from "../platform/assert.ts";
import type { Runtime } from "../platform/runtime.ts";
import { madeInTurns } from "../platform/turns.ts";
import { type Access, takesKeys, takesTokens } from "./access.ts";
import type { Route, RouteDetail } from "./define-route.ts";
import { ErrorBody } from "./errors.ts";
import type { Content, Examples, OpenApi, Operation, Parameter, ResponseObject } from "./openapi-document.ts";
import { exampleOf } from "./openapi-examples.ts";
import {
  anyRefusal,
  headerRef,
  headers,
  parameterWords,
  refusalRef,
  refusalResponses,
  requestIdHeader,
  securitySchemes,
  tagWords,
} from "./openapi-parts.ts";
import { createSharedSchemas, mapped, pascal, type SharedSchemas, type SoldSchemas } from "./openapi-schemas.ts";

/** The API's version, which changes with its contract and not with each release of the product. */
const apiVersion = "0.3.0";

/** A route that the document includes. */
interface Described extends Route {
  readonly detail: RouteDetail;
}

const isDescribed = (route: Route): route is Described => route.detail !== "hidden";

const json = "application/json";
const form = "application/x-www-form-urlencoded";
const bytes = "application/octet-stream";
/** The example beginning of a file body. */
const fileExample = "%PDF-1.7";

const successWords: Readonly<Record<string, string>> = {
  201: "Created.",
  202: "Accepted; processing continues after this response.",
};

const followed = { Location: headerRef("Location"), "Retry-After": headerRef("RetryAfter") };

/** Returns every response of a route: those it declares, and those that any route may give. */
function responsesOf(
  { path, response = {}, headers: given, body, file, access, ownInput, detail }: Described,
  schemas: SharedSchemas,
): Operation["responses"] {
  const takesBody = (file ?? ownInput?.form ?? ownInput?.body ?? body) !== undefined;
  const replays = given?.properties?.["idempotency-key"] !== undefined;
  const declared = Object.entries(response).map(([status, schema]): [string, Operation["responses"][string]] =>
    schema === ErrorBody
      ? [status, refusalRef(status)]
      : [
          status,
          {
            description: schema.description ?? successWords[status] ?? "Done.",
            headers: {
              ...requestIdHeader,
              ...(replays && { "Idempotency-Replayed": headerRef("Replayed") }),
              // Links that a caller may follow; an anonymous request for a mail has none.
              ...(status === "202" && access.credential !== "none" && followed),
            },
            content: {
              [json]: {
                schema: schemas.publish(schema, `${pascal(detail.operationId)}Answer`),
                example: exampleOf(schema),
              },
            },
          },
        ],
  );
  const written = Object.entries(detail.responses ?? {}).map(([status, own]): [string, ResponseObject] => [
    status,
    { headers: requestIdHeader, ...own },
  ]);
  const around = {
    ...(takesBody && { 413: refusalRef("413") }),
    ...(access.credential !== "none" && { 429: refusalRef("429") }),
    // For an unknown query parameter.
    ...(!ownInput && !path.startsWith("/auth/v1/") && { 422: refusalRef("422") }),
  };
  return { ...around, ...Object.fromEntries([...declared, ...written]), default: anyRefusal };
}

/** Returns the description, followed by what the caller needs. */
function descriptionOf(description: string, { scopes, anyScope, entitlements, roles, recentSignIn }: Access): string {
  const names = (list: readonly string[], word: string) => list.map((name) => `\`${name}\``).join(` ${word} `);
  return [
    description,
    ...(scopes?.length ? [`Needs the scope ${names(scopes, "and")}.`] : []),
    ...(anyScope ? [`Needs the scope ${names(anyScope, "or")}.`] : []),
    ...(entitlements ? ["The firm must have the entitlement, if one is required."] : []),
    ...(recentSignIn ? ["The sign-in must be less than 15 minutes old."] : []),
    ...(roles ? [`For people with the role ${names(roles, "or")}.`] : []),
  ].join(" ");
}

/** Returns OpenAPI's `security`. An empty alternative means that no credential is required. */
function securityOf({ credential, optional }: Access): Operation["security"] {
  if (credential === "none") return [];
  const key = takesKeys(credential) ? [{ apiKey: [] }] : [];
  const token = takesTokens(credential) ? [{ accessToken: [] }] : [];
  const browser = credential === "Operator" ? [{ browserSession: [] }] : [];
  return [...key, ...token, ...browser, ...(optional ? [{}] : [])];
}

/** What is taken from the Swagger plug-in: a route's parameters and body. */
interface Plain {
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Content };
}

/** By path in OpenAPI's form, then by method in lower case. */
type PlainPaths = Readonly<Record<string, Readonly<Record<string, Plain>>>>;

/** Runs the plug-in on a separate instance that has only the described routes and serves no requests. */
async function plainPaths(routes: readonly Described[], { nextTurn }: DocumentOptions["runtime"]): Promise<PlainPaths> {
  // Loaded at first use, so that startup does not wait for it.
  const { swagger } = await import("@elysiajs/swagger");
  const instance: AnyElysia = new Elysia().use(
    swagger({ path: "/ui", specPath: "/document", excludeStaticFile: false }),
  );
  for (const { method, path, params, query, headers, body, ownInput = {}, detail } of routes) {
    const own = { query: ownInput.query ?? query, body: ownInput.form ?? ownInput.body ?? body };
    const parse = ownInput.form ? "urlencoded" : "json";
    instance.route(method, path, () => "", {
      params,
      ...own,
      headers,
      detail: { operationId: detail.operationId },
      parse,
    });
  }
  await nextTurn();
  const document = (await (await instance.handle(new Request("http://localhost/document"))).json()) as {
    readonly paths: PlainPaths;
  };
  return document.paths;
}

/** Returns a header's name in its usual form: `Idempotency-Key`. */
const headerName = (name: string): string => name.replace(/(^|-)[a-z]/g, (letter) => letter.toUpperCase());

function cleanParameter(
  { name, in: place, required, description, schema }: Parameter,
  schemas: SharedSchemas,
): Parameter {
  const words = description ?? parameterWords[name];
  return {
    name: place === "header" ? headerName(name) : name,
    in: place,
    required: required && schema.default === undefined,
    ...(words !== undefined && { description: words }),
    schema: schemas.publish(schema),
  };
}

/** Path parameters go first, because generated functions take their arguments in this order. */
const parameterPlaces = ["path", "query", "header"];
const byPlace = (a: Parameter, b: Parameter): number => parameterPlaces.indexOf(a.in) - parameterPlaces.indexOf(b.in);

function operationOf(
  route: Described,
  { parameters = [], requestBody }: Plain,
  schemas: SharedSchemas,
  examples: Examples | undefined,
): Operation {
  const { access, detail } = route;
  const mediaType = requestBody?.content[json] ? json : form;
  const body = requestBody?.content[mediaType]?.schema;
  const file = route.file && { [bytes]: { schema: { type: "string", format: "binary" }, example: fileExample } };
  const { ownInput = {} } = route;
  const given = ownInput.form ?? ownInput.body ?? route.body;
  return {
    operationId: detail.operationId,
    summary: detail.summary,
    description: descriptionOf(detail.description, access),
    tags: detail.tags,
    security: securityOf(access),
    responses: responsesOf(route, schemas),
    ...(parameters.length > 0 && {
      parameters: parameters.toSorted(byPlace).map((parameter) => cleanParameter(parameter, schemas)),
    }),
    ...(file && { requestBody: { required: true, content: file } }),
    ...(body && {
      requestBody: {
        required: !(route.body && TypeGuard.IsOptional(route.body)),
        content: {
          [mediaType]: {
            schema: schemas.publish(body),
            ...(examples ? { examples } : given && { example: exampleOf(given) }),
          },
        },
      },
    }),
  };
}

/** Returns the tags of the routes in display order, with their descriptions. */
function tagsOf(routes: readonly Described[]): OpenApi["tags"] {
  const used = new Set(routes.flatMap(({ detail }) => detail.tags));
  const inOrder = new Set([...Object.keys(tagWords).filter((tag) => used.has(tag)), ...used]);
  return [...inOrder].map((name) => {
    const description = tagWords[name];
    return { name, ...(description !== undefined && { description }) };
  });
}

export interface DocumentOptions {
  /** Every route of the product. */
  readonly routes: readonly Route[];
  readonly baseUrl: string;
  /** Example request bodies, by operation id. */
  readonly examples: Readonly<Record<string, Examples>>;
  /** Schemas that depend on what is sold, by the titles that routes give them. */
  readonly sold: SoldSchemas;
  readonly runtime: Pick<Runtime, "nextTurn">;
}

/**
 * Returns the OpenAPI document of all routes that are not hidden: parameters and bodies from the Swagger plug-in, the
 * rest from the routes. Cleaned up: one content type, shared schemas and error responses, no parameter with a default
 * required. Version 3.1, whose schemas are JSON Schema.
 */
export async function openApiDocument({ routes, baseUrl, examples, sold, runtime }: DocumentOptions): Promise<OpenApi> {
  const schemas = createSharedSchemas(sold);
  const described = routes.filter(isDescribed);
  const byId = new Map(described.map((route) => [route.detail.operationId, route]));
  const operation = (plain: Plain): Operation => {
    const route = present(byId.get(plain.operationId), `the route ${plain.operationId}`);
    return operationOf(route, plain, schemas, examples[plain.operationId]);
  };
  const plain = Object.entries(await plainPaths(described, runtime));
  const written = await madeInTurns(plain, runtime, ([path, methods]) => [path, mapped(methods, operation)] as const);
  const paths = Object.fromEntries(written);
  await runtime.nextTurn();
  schemas.publish(ErrorBody);
  return {
    openapi: "3.1.0",
    info: {
      title: "Assay",
      version: apiVersion,
      summary: "Governed, priced and provable AI-backed financial-intelligence work.",
      description:
        "Discover capabilities and use cases, inspect them, quote, run, and reconcile. Branch on `error.code` and the status, never on messages. The same reference as plain Markdown is at `/llms.txt`.",
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: baseUrl, description: "This installation" }],
    tags: tagsOf(described),
    paths,
    components: { schemas: schemas.all(), responses: refusalResponses(paths), headers, securitySchemes },
  };
}
