import { Type as T } from "@sinclair/typebox";
import { defineRoute, type Route } from "../../web/define-route.ts";
import { errorResponses } from "../../web/errors.ts";
import { notModified, prerender, respond } from "../../web/prerendered.ts";
import { sitePages } from "./pages.ts";
import { DocDetail, DocList, SearchQuery } from "./schema.ts";
import type { Docs } from "./service.ts";

const tags = ["Documentation"];
const open = { credential: "none" } as const;

/** The documentation's pages as JSON. */
const pageRoutes = (docs: Docs): Route[] => [
  defineRoute({
    method: "GET",
    path: "/v1/docs",
    access: open,
    response: { 200: DocList },
    detail: {
      operationId: "listDocs",
      summary: "List the documentation",
      description: "Guides, references, and a page for each capability, use case and error code.",
      tags,
      responses: notModified,
    },
    handler: async ({ request }) => respond(request, await docs.list()),
  }),
  defineRoute({
    method: "GET",
    path: "/v1/docs/search",
    access: open,
    query: SearchQuery,
    response: { 200: DocList, ...errorResponses(422) },
    detail: {
      operationId: "searchDocs",
      summary: "Search the documentation",
      description: "Pages with all words, best first; if there are none, pages with any of them.",
      tags,
      responses: notModified,
    },
    handler: async ({ query: { q, limit }, request }) => respond(request, prerender(await docs.search(q, limit))),
  }),
  defineRoute({
    method: "GET",
    path: "/v1/docs/:slug",
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
    handler: async ({ params, request }) => respond(request, await docs.detail(params.slug)),
  }),
];

const markdown = {
  200: {
    description: "The reference as Markdown.",
    content: { "text/markdown": { schema: { type: "string" as const }, example: "# Assay API reference" } },
  },
};

/** The whole reference as one text, and as the OpenAPI document. */
const referenceRoutes = (docs: Docs): Route[] => [
  defineRoute({
    method: "GET",
    path: "/llms.txt",
    access: open,
    detail: {
      operationId: "getReferenceText",
      summary: "Read the whole reference as Markdown",
      description: "Guides, endpoints, schemas, errors and the catalogue's contracts in one text.",
      tags,
      responses: { ...markdown, ...notModified },
    },
    handler: async ({ request }) => respond(request, await docs.reference()),
  }),
  defineRoute({
    method: "GET",
    path: "/docs.md",
    access: open,
    detail: {
      operationId: "getReferenceMarkdown",
      summary: "Read the whole reference as Markdown, by its other name",
      description: "The same text as `/llms.txt`.",
      tags,
      responses: { ...markdown, ...notModified },
    },
    handler: async ({ request }) => respond(request, await docs.reference()),
  }),
  defineRoute({
    method: "GET",
    path: "/openapi-public.json",
    access: open,
    detail: {
      operationId: "getOpenApi",
      summary: "Read this document",
      description: "OpenAPI 3.1.",
      tags,
      responses: {
        200: {
          description: "The OpenAPI document.",
          content: { "application/json": { schema: { type: "object" as const }, example: { openapi: "3.1.0" } } },
        },
        ...notModified,
      },
    },
    handler: async ({ request }) => respond(request, await docs.openApi()),
  }),
];

/** All routes of the documentation. */
export const docsRoutes = (docs: Docs): Route[] => [...pageRoutes(docs), ...referenceRoutes(docs), ...sitePages(docs)];
