import { errorCodes, messageOf, statusOf } from "../../platform/errors.ts";
import { madeInTurns } from "../../platform/turns.ts";
import type { JsonSchema, OpenApi, Operation, ResponseObject } from "../../web/openapi-document.ts";
import { advice } from "./errors.ts";
import { code, codes, deeper, fieldTable, list, table, typeWords } from "./markdown.ts";
import type { DocsOptions, Page } from "./schema.ts";

const credentialWords: Readonly<Record<string, string>> = {
  apiKey: "API key",
  accessToken: "access token",
  browserSession: "an operator's browser session",
};

/** Whether only a browser session is accepted, so that neither a key nor a token can be used. */
export const isForBrowser = ({ security }: Operation): boolean =>
  security.length > 0 && security.every((alternative) => Object.hasOwn(alternative, "browserSession"));

/** Describes the credential that an operation accepts. */
export function credentialOf({ security }: Operation): string {
  if (security.length === 0) return "none";
  const kinds = security
    .flatMap((alternative) => Object.keys(alternative))
    .map((name) => credentialWords[name] ?? name);
  const optional = security.some((alternative) => Object.keys(alternative).length === 0);
  return `${kinds.join(" or ")}${optional ? ", or none" : ""}`;
}

const contentWords = (content: ResponseObject["content"] = {}): string =>
  Object.entries(content)
    .map(([type, { schema }]) => (type === "application/json" ? typeWords(schema) : `${type}, ${typeWords(schema)}`))
    .join(" or ");

/** Describes the responses by status. Errors are listed by status alone, because they all have the same body. */
function answersOf({ responses }: Operation): string {
  const own = Object.entries(responses).flatMap(([status, response]) => {
    if ("$ref" in response) return [];
    const shape = contentWords(response.content);
    return [`${status} ${shape === "" ? response.description : shape}`.replace(/\.$/, "")];
  });
  const refused = Object.keys(responses).filter((status) => /^[45]/.test(status));
  return [...own, ...(refused.length > 0 ? [`refused with ${refused.join(", ")}`] : [])].join("; ");
}

function operationText(method: string, path: string, operation: Operation): string {
  const { summary, description, parameters = [], requestBody } = operation;
  const inputs = parameters.map(({ name, in: place, required, schema, description: words = "" }) =>
    `${place} ${code(name)}${required ? " (required)" : ""}: ${typeWords(schema)}. ${words}`.trim(),
  );
  const body = requestBody ? [`body: ${contentWords(requestBody.content)}`] : [];
  return [
    `#### ${method.toUpperCase()} ${path}`,
    `${summary}. ${description}`,
    list([`credential: ${credentialOf(operation)}`, ...inputs, ...body, `responses: ${answersOf(operation)}`]),
  ].join("\n\n");
}

function endpoints({ paths, tags }: OpenApi): string {
  const all = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ method, path, operation })),
  );
  return tags
    .map(({ name, description = "" }) => {
      const tagged = all.filter(({ operation }) => operation.tags[0] === name);
      const texts = tagged.map(({ method, path, operation }) => operationText(method, path, operation));
      return [`### ${name}`, description, ...texts].filter((text) => text !== "").join("\n\n");
    })
    .join("\n\n");
}

const schemaText = (name: string, schema: JsonSchema): string =>
  [`### ${name}`, ...(schema.description ? [schema.description] : []), fieldTable(schema)].join("\n\n");

const errorTable = (): string =>
  table(
    ["Status", "Code", "Message", "When"],
    errorCodes.map((name) => [String(statusOf(name)), code(name), messageOf(name), advice[name].when]),
  );

const pageText = ({ title, slug, summary, body }: Page): string =>
  [`### ${title}`, `${summary} (${code(`/v1/docs/${slug}`)})`, deeper(2, body)].join("\n\n");

/** Returns the list of pages and operations, with the address of each as Markdown (llmstxt.org). */
function index(baseUrl: string, pages: readonly Page[], operations: readonly Operation[]): string[] {
  const links = pages.map(({ slug, title, summary, group }) => ({
    group,
    line: `[${title}](${baseUrl}/docs/${slug}.md): ${summary}`,
  }));
  const groups = [...Map.groupBy(links, ({ group }) => group)].map(([group, members]) => {
    const lines = members.map(({ line }) => line);
    return `## ${group}\n\n${list(lines)}`;
  });
  const requests = operations.map(
    ({ operationId, summary }) => `[${summary}](${baseUrl}/docs/reference/${operationId}.md)`,
  );
  return [...groups, `## Operations\n\n${list(requests)}`];
}

/** Makes links to other pages absolute, so that they work in any text. */
const absolute = (markdown: string, baseUrl: string): string =>
  markdown
    .replace(/\]\((?:\/v1\/docs\/)?([\w-]+)(#[\w-]+)?\)/g, `](${baseUrl}/docs/$1.md$2)`)
    .replaceAll("](/", `](${baseUrl}/`);

/**
 * Returns the whole reference as one Markdown text: the guides, all endpoints and schemas from the OpenAPI document,
 * the errors, and the catalogue's contracts.
 */
export async function referenceText(
  document: OpenApi,
  pages: readonly Page[],
  { baseUrl, runtime }: Pick<DocsOptions, "baseUrl" | "runtime">,
): Promise<string> {
  const of = (...kinds: readonly Page["kind"][]) => pages.filter(({ kind }) => kinds.includes(kind));
  const texts = (kinds: readonly Page["kind"][]) =>
    of(...kinds)
      .map(pageText)
      .join("\n\n");
  const schemas = () => Object.entries(document.components.schemas).map(([name, schema]) => schemaText(name, schema));
  const sections: readonly (readonly [string, () => string])[] = [
    ["Guides", () => texts(["guide", "reference"])],
    ["Endpoints", () => endpoints(document)],
    ["Schemas", () => schemas().join("\n\n")],
    ["Errors by code", errorTable],
    ["Capabilities in the catalogue", () => texts(["capability"])],
    ["Use cases in the catalogue", () => texts(["use_case"])],
  ];
  const operations = Object.values(document.paths).flatMap((item) => Object.values(item));
  const head = [
    "# Assay API reference",
    `API version ${document.info.version}. Base URL: ${baseUrl}. Bodies are JSON unless stated otherwise.`,
    "> Run priced, governed checks and analyses, and keep a signed receipt of each. Each page below can be fetched alone, as Markdown; all of them follow in one text.",
    ...index(baseUrl, pages, operations),
    `The same as a machine schema: ${code("/openapi-public.json")}. Page by page: ${codes(["/v1/docs", "/v1/docs/{slug}", "/v1/docs/search"])}. This text is at ${codes(["/llms.txt", "/docs.md"])}.`,
  ];
  const written = await madeInTurns(sections, runtime, ([title, text]) => [title, text()] as const);
  await runtime.nextTurn();
  const shown = written.filter(([, text]) => text !== "").map(([title, text]) => `## ${title}\n\n${text}`);
  return absolute(`${[...head, ...shown].join("\n\n")}\n`, baseUrl);
}
