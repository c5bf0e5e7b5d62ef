import { TypeGuard } from "@sinclair/typebox";
import { type AnyElysia, Elysia } from "elysia";
import { version } from "../../package.json";
import { type Access, accessExtension } from "./access.ts";
import { ErrorBody } from "./errors.ts";
import type { Examples, JsonSchema, OpenApi, Operation, Parameter, ResponseObject } from "./openapi-document.ts";
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
import { createSharedSchemas, type SharedSchemas } from "./openapi-schemas.ts";

/** Where a route that reads its request itself says what it takes: a query, a JSON body, or a form. */
export const inputExtension = "x-assay-input";

interface Input {
  readonly query?: JsonSchema;
  readonly body?: JsonSchema;
  readonly form?: JsonSchema;
}

/** What a route declares that its description is made of. */
interface Declared {
  readonly params?: JsonSchema;
  readonly query?: JsonSchema;
  readonly headers?: JsonSchema;
  readonly body?: JsonSchema;
  readonly response?: Readonly<Record<string, JsonSchema>>;
  readonly detail: {
    readonly hide?: boolean;
    readonly description?: string;
    readonly responses?: Readonly<Record<string, ResponseObject>>;
    readonly [accessExtension]: Access;
    readonly [inputExtension]?: Input;
  };
}

const json = "application/json";
const form = "application/x-www-form-urlencoded";

const successWords: Readonly<Record<string, string>> = { 201: "Made.", 202: "Accepted: it goes on after this answer." };

/** Everything that a route may answer: what it declares, and what stands around every route. */
function responsesOf(
  { response = {}, headers: given, body, detail }: Declared,
  schemas: SharedSchemas,
): Operation["responses"] {
  const { [accessExtension]: need, [inputExtension]: input } = detail;
  const takesBody = (input?.form ?? input?.body ?? body) !== undefined;
  const replays = given?.properties?.["idempotency-key"] !== undefined;
  const declared = Object.entries(response).map(([status, schema]): [string, Operation["responses"][string]] =>
    schema === ErrorBody
      ? [status, refusalRef(status)]
      : [
          status,
          {
            description: schema.description ?? successWords[status] ?? "Done.",
            headers: { ...requestIdHeader, ...(replays && { "Idempotency-Replayed": headerRef("Replayed") }) },
            content: { [json]: { schema: schemas.publish(schema) } },
          },
        ],
  );
  const written = Object.entries(detail.responses ?? {}).map(([status, own]): [string, ResponseObject] => [
    status,
    { headers: requestIdHeader, ...own },
  ]);
  const around = {
    ...(takesBody && { 413: refusalRef("413") }),
    ...(need.credential !== "none" && { 429: refusalRef("429") }),
  };
  return { ...around, ...Object.fromEntries([...declared, ...written]), default: anyRefusal };
}

/** The description, and what the caller must hold. */
function descriptionOf({ description = "", [accessExtension]: need }: Declared["detail"]): string {
  const names = (list: readonly string[], word: string) => list.map((name) => `\`${name}\``).join(` ${word} `);
  return [
    description,
    ...(need.scopes?.length ? [`Needs the scope ${names(need.scopes, "and")}.`] : []),
    ...(need.anyScope ? [`Needs the scope ${names(need.anyScope, "or")}.`] : []),
    ...(need.entitlements ? ["The firm must hold the entitlement, where one is asked for."] : []),
    ...(need.roles ? [`For people with the role ${names(need.roles, "or")}.`] : []),
  ].join(" ");
}

/** An instance that has only what is to be described: the plug-in reads its routes and nobody calls them. */
async function describedBy(routes: readonly AnyElysia[], schemas: SharedSchemas): Promise<AnyElysia> {
  // Loaded at the first use: a start does not wait for it.
  const { swagger } = await import("@elysiajs/swagger");
  const described = new Elysia().use(swagger({ path: "/ui", specPath: "/document", excludeStaticFile: false }));
  for (const { method, path, hooks } of routes.flatMap((group) => group.routes)) {
    const declared: Declared = hooks;
    if (declared.detail.hide) continue;
    const { params, query, headers, body } = hooks;
    const { [accessExtension]: _, [inputExtension]: input = {}, ...detail } = declared.detail;
    const shown = { ...detail, description: descriptionOf(declared.detail), responses: responsesOf(declared, schemas) };
    const own = { query: input.query ?? query, body: input.form ?? input.body ?? body };
    const parse = input.form ? "urlencoded" : "json";
    const hook: typeof hooks = { params, ...own, headers, detail: shown, parse };
    described.route(method, path, () => "", hook);
  }
  return described;
}

/** Headers as people write them: `Idempotency-Key`. */
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

interface Extra {
  readonly examples: Examples | undefined;
  /** The route does without a body as well. */
  readonly isBodyOptional: boolean;
}

function cleanOperation(operation: Operation, schemas: SharedSchemas, { examples, isBodyOptional }: Extra): Operation {
  const { parameters = [], requestBody, ...rest } = operation;
  const mediaType = requestBody?.content[json] ? json : form;
  const body = requestBody?.content[mediaType]?.schema;
  return {
    ...rest,
    ...(parameters.length > 0 && { parameters: parameters.map((parameter) => cleanParameter(parameter, schemas)) }),
    ...(body && {
      requestBody: {
        required: !isBodyOptional,
        content: { [mediaType]: { schema: schemas.publish(body), ...(examples && { examples }) } },
      },
    }),
  };
}

export interface DocumentOptions {
  /** Every route that is to be described, in groups. */
  readonly routes: readonly AnyElysia[];
  readonly baseUrl: string;
  /** Request bodies to show, by operation id. */
  readonly examples: Readonly<Record<string, Examples>>;
}

/**
 * The OpenAPI document of all routes that do not hide, made by the Swagger plug-in and put right: one content type,
 * shared schemas and refusals, no defaulted parameter required. 3.1, because its schemas are JSON Schema as ours are.
 */
export async function openApiDocument({ routes, baseUrl, examples }: DocumentOptions): Promise<OpenApi> {
  const schemas = createSharedSchemas();
  const described = await describedBy(routes, schemas);
  const made = (await (await described.handle(new Request("http://localhost/document"))).json()) as OpenApi;
  const bodiless = routes
    .flatMap((group) => group.routes)
    .filter(({ hooks }) => TypeGuard.IsOptional(hooks.body))
    .map(({ hooks }): unknown => hooks.detail.operationId);
  const extraOf = (operationId: string): Extra => ({
    examples: examples[operationId],
    isBodyOptional: bodiless.includes(operationId),
  });
  const paths = Object.entries(made.paths).map(([path, item]) => {
    const operations = Object.entries(item).map(([method, operation]) => [
      method,
      cleanOperation(operation, schemas, extraOf(operation.operationId)),
    ]);
    return [path, Object.fromEntries(operations)];
  });
  const tags = new Set(Object.values(made.paths).flatMap((item) => Object.values(item).flatMap(({ tags }) => tags)));
  const inOrder = [...new Set([...Object.keys(tagWords).filter((tag) => tags.has(tag)), ...tags])];
  schemas.publish(ErrorBody);
  return {
    openapi: "3.1.0",
    info: {
      title: "Assay",
      version,
      summary: "Governed, priced and provable AI-backed financial-intelligence work.",
      description:
        "Discover capabilities and use cases, inspect them, quote, run, and reconcile. Branch on `error.code` and the status, never on messages. The same reference as plain Markdown is at `/llms.txt`.",
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: baseUrl, description: "This installation" }],
    tags: inOrder.map((name) => {
      const description = tagWords[name];
      return { name, ...(description !== undefined && { description }) };
    }),
    paths: Object.fromEntries(paths),
    components: { schemas: schemas.all(), responses: refusalResponses(made.paths), headers, securitySchemes },
  };
}
