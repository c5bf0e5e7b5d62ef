import { Type as T } from "@sinclair/typebox";
import { type AnyElysia, Elysia } from "elysia";
import type { Parts } from "../../parts.ts";
import { errorResponses } from "../../web/errors.ts";
import { notModified, prerender, respond } from "../../web/prerendered.ts";
import { query } from "../../web/query.ts";
import { DocDetail, DocList, SearchQuery } from "./schema.ts";
import type { Docs } from "./service.ts";
import { uiRoutes } from "./ui.ts";

const tags = ["Documentation"];
const open = { credential: "none" } as const;

/** The documentation as data. */
const pageRoutes = ({ access }: Parts, docs: Docs) =>
  new Elysia({ name: "docs.pages", normalize: false })
    .use(access)
    .get("/v1/docs", async ({ request }) => respond(request, await docs.list()), {
      access: open,
      response: { 200: DocList },
      detail: {
        operationId: "listDocs",
        summary: "List the documentation",
        description: "Guides, references, and a page for each capability, use case and error code.",
        tags,
        responses: notModified,
      },
    })
    .get(
      "/v1/docs/search",
      async ({ query: { q, limit }, request }) => respond(request, prerender(await docs.search(q, limit))),
      {
        access: open,
        ...query(SearchQuery),
        response: { 200: DocList, ...errorResponses(422) },
        detail: {
          operationId: "searchDocs",
          summary: "Search the documentation",
          description: "Pages with every word, the best first; where there are none, pages with some of them.",
          tags,
          responses: notModified,
        },
      },
    )
    .get("/v1/docs/:slug", async ({ params, request }) => respond(request, await docs.detail(params.slug)), {
      access: open,
      params: T.Object({ slug: T.String() }),
      response: { 200: DocDetail, ...errorResponses(404, 422) },
      detail: {
        operationId: "getDoc",
        summary: "Read a page of the documentation",
        description: "Its text as Markdown, its canonical address, and what to read next.",
        tags,
        responses: notModified,
      },
    });

const markdown = {
  200: {
    description: "The reference as Markdown.",
    content: { "text/markdown": { schema: { type: "string" as const } } },
  },
};

/** The reference as one text and as a machine schema. */
const referenceRoutes = ({ access }: Parts, docs: Docs) =>
  new Elysia({ name: "docs.reference", normalize: false })
    .use(access)
    .get("/llms.txt", async ({ request }) => respond(request, await docs.reference()), {
      access: open,
      detail: {
        operationId: "getReferenceText",
        summary: "Read the whole reference as Markdown",
        description: "Guides, endpoints, shapes, errors and the catalogue's contracts in one text.",
        tags,
        responses: { ...markdown, ...notModified },
      },
    })
    .get("/docs.md", async ({ request }) => respond(request, await docs.reference()), {
      access: open,
      detail: {
        operationId: "getReferenceMarkdown",
        summary: "Read the whole reference as Markdown, by its other name",
        description: "The same text as `/llms.txt`.",
        tags,
        responses: { ...markdown, ...notModified },
      },
    })
    .get("/openapi-public.json", async ({ request }) => respond(request, await docs.openApi()), {
      access: open,
      detail: {
        operationId: "getOpenApi",
        summary: "Read this document",
        description: "OpenAPI 3.1.",
        tags,
        responses: {
          200: {
            description: "The OpenAPI document.",
            content: { "application/json": { schema: { type: "object" as const } } },
          },
          ...notModified,
        },
      },
    });

/** The documentation's own routes. */
export const docsRoutes = (parts: Parts, docs: Docs): AnyElysia =>
  new Elysia({ name: "docs", normalize: false })
    .use(pageRoutes(parts, docs))
    .use(referenceRoutes(parts, docs))
    .use(uiRoutes(parts));
