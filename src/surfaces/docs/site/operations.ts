import { errorCodes, messageOf, statusOf } from "../../../platform/errors.ts";
import words from "../../../web/example-values.json" with { type: "json" };
import type { JsonSchema, OpenApi, Operation, Parameter, ResponseObject } from "../../../web/openapi-document.ts";
import { code, fenced, fieldTable, table, typeWords } from "../markdown.ts";
import { credentialOf, isForBrowser } from "../reference.ts";
import type { Page } from "../schema.ts";
import { browserSnippet, type Shown, snippets } from "../snippets.ts";
import type { Endpoint } from "./navigation.ts";

const json = "application/json";
const bytes = "application/octet-stream";
const known = new Map<string, readonly unknown[]>(Object.entries(words));
const section = (level: number, title: string, ...parts: readonly string[]): string =>
  parts.every((part) => part === "") ? "" : [`${"#".repeat(level)} ${title}`, ...parts.filter(Boolean)].join("\n\n");

/** Returns an example value for a required parameter. */
export function exampleOf({ name, schema }: Parameter): string {
  const value = schema.examples?.[0] ?? schema.default ?? schema.enum?.[0] ?? known.get(name)?.[0];
  return String(value ?? name);
}

/** Converts an operation to the request that its examples show. */
export function shownRequest({ method, path, operation }: Endpoint): Shown {
  const { parameters = [], requestBody, security, responses } = operation;
  const [type, media] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  // Examples of runs are named by their slug.
  const [[slug, named] = []] = Object.entries(media?.examples ?? {});
  const value = media?.example ?? named?.value;
  const query = parameters.filter((parameter) => parameter.in === "query" && parameter.required);
  const answered = Object.entries(responses).filter(([status]) => status.startsWith("2"));
  return {
    method,
    path: slug === undefined ? path : path.replace("{slug}", slug),
    query: Object.fromEntries(query.map((parameter) => [parameter.name, exampleOf(parameter)])),
    isSigned: security.length > 0,
    isIdempotent: parameters.some(({ name }) => name === "Idempotency-Key"),
    ...(type !== undefined && value !== undefined && { body: { value, isForm: type !== json } }),
    isFile: type === bytes,
    answersJson: answered.some(([, answer]) => "content" in answer && answer.content?.[json] !== undefined),
  };
}

function parameterTable({ parameters = [] }: Operation): string {
  const rows = parameters.map(({ name, in: place, required, schema, description = "" }) => [
    code(name),
    place,
    typeWords(schema),
    required ? "yes" : "no",
    description,
  ]);
  return rows.length === 0 ? "" : table(["Parameter", "In", "Type", "Required", "Meaning"], rows);
}

type Resolve = (schema: JsonSchema) => JsonSchema;

/** Describes the fields of a body; for a list, those of its items. */
function shape(schema: JsonSchema, resolve: Resolve): string {
  const whole = resolve(schema);
  if (whole.type === "array" && whole.items)
    return `An array of ${typeWords(whole.items)}.\n\n${fieldTable(resolve(whole.items), resolve)}`;
  return whole.properties ? fieldTable(whole, resolve) : "";
}

const valueText = (type: string, value: unknown): string =>
  typeof value === "string" && type !== json ? fenced("", value) : fenced("json", JSON.stringify(value, null, 2));

function bodyText({ requestBody }: Operation, resolve: Resolve): string {
  return Object.entries(requestBody?.content ?? {})
    .map(([type, { schema }]) => [`As ${code(type)}.`, shape(schema, resolve)].filter(Boolean).join("\n\n"))
    .join("\n\n");
}

function answerText(status: string, answer: ResponseObject, resolve: Resolve): string {
  const contents = Object.entries(answer.content ?? {}).map(([type, { schema, example }]) => {
    const as = type === json ? "" : `As ${code(type)}.`;
    const parts = [as, example === undefined ? "" : valueText(type, example), shape(schema, resolve)];
    return parts.filter(Boolean).join("\n\n");
  });
  return section(3, status, answer.description, ...contents);
}

/** Lists the error codes that the operation can return, by its statuses. */
function errorText({ responses }: Operation): string {
  const statuses = new Set(Object.keys(responses));
  const rows = errorCodes
    .filter((name) => statuses.has(String(statusOf(name))))
    .map((name) => [String(statusOf(name)), code(name), messageOf(name)]);
  const words = "The error codes that this operation may return. Each has a page with advice.";
  return rows.length === 0 ? "" : `${words}\n\n${table(["Status", "Code", "Message"], rows)}`;
}

/** Returns a function that resolves a schema's `$ref`. */
const resolver =
  ({ components }: OpenApi): Resolve =>
  (schema) => {
    const name = schema.$ref?.slice(schema.$ref.lastIndexOf("/") + 1);
    return (name !== undefined && components.schemas[name]) || schema;
  };

/** Describes an example request with its credential. */
function exampleText(endpoint: Endpoint, baseUrl: string): string {
  const shown = shownRequest(endpoint);
  if (!isForBrowser(endpoint.operation)) return snippets(shown);
  const words =
    "It accepts neither keys nor tokens. Sign in as an operator and run this in your browser's developer tools, on any page of this installation, or use the console's pages under Admin. Programs on the machine itself use `assay admin`.";
  return `${words}\n\n${browserSnippet(shown, baseUrl)}`;
}

/** Builds the page of an operation: its input, its responses, and an example of each. */
export function operationPage(endpoint: Endpoint, document: OpenApi): Page {
  const { method, path, operation } = endpoint;
  const { operationId, summary, description, responses, tags } = operation;
  const resolve = resolver(document);
  const answers = Object.entries(responses).flatMap(([status, answer]) =>
    "$ref" in answer || /^[45d]/.test(status) ? [] : [answerText(status, answer, resolve)],
  );
  return {
    slug: operationId,
    title: summary,
    summary: `${method} ${path}`,
    kind: "reference",
    group: tags[0] ?? "",
    related: [],
    body: [
      description,
      `Credential: ${credentialOf(operation)}.`,
      section(2, "Example", exampleText(endpoint, document.servers[0]?.url ?? "")),
      section(2, "Parameters", parameterTable(operation)),
      section(2, "Body", bodyText(operation, resolve)),
      section(2, "Responses", ...answers),
      section(2, "Errors", errorText(operation)),
    ]
      .filter(Boolean)
      .join("\n\n"),
  };
}
