import type { Runtime } from "../../../platform/runtime.ts";
import { madeInTurns } from "../../../platform/turns.ts";
import type { OpenApi } from "../../../web/openapi-document.ts";
import type { Page } from "../schema.ts";
import { createSearch } from "../search.ts";
import { type Endpoint, endpointsOf, guideSections, operationSections, type Section } from "./navigation.ts";
import { operationPage } from "./operations.ts";

/** The documentation's pages, and the OpenAPI document. */
export interface Library {
  readonly document: OpenApi;
  readonly pages: readonly Page[];
}

/** All pages, with their addresses and how to find them. */
export interface Shelf extends Library {
  readonly bySlug: ReadonlyMap<string, Page>;
  readonly endpoints: readonly Endpoint[];
  readonly byOperation: ReadonlyMap<string, { readonly endpoint: Endpoint; readonly page: Page }>;
  /** The sidebar's sections for the guides, the reference and the forms. */
  readonly guides: readonly Section[];
  readonly reference: readonly Section[];
  readonly forms: readonly Section[];
  /** Returns the pages and operations that match a text, best first. */
  readonly search: (text: string, limit: number) => Page[];
}

/** Builds the operations' pages, and indexes all pages. */
export async function shelve({ document, pages }: Library, runtime: Pick<Runtime, "nextTurn">): Promise<Shelf> {
  const endpoints = endpointsOf(document);
  const operations = await madeInTurns(endpoints, runtime, (endpoint) => ({
    endpoint,
    page: operationPage(endpoint, document),
  }));
  await runtime.nextTurn();
  const overview = { title: "Overview", entries: [{ path: "docs/reference", title: "All operations" }] };
  return {
    document,
    pages,
    bySlug: new Map(pages.map((page) => [page.slug, page])),
    endpoints,
    byOperation: new Map(operations.map((operation) => [operation.page.slug, operation])),
    guides: guideSections(pages),
    reference: [overview, ...operationSections(endpoints, "docs/reference")],
    forms: operationSections(endpoints, "docs/api"),
    search: createSearch([...pages, ...operations.map(({ page }) => page)]),
  };
}

/** Returns a page's path below the installation's address. */
export const addressOf = ({ byOperation }: Shelf, { slug }: Page): string =>
  byOperation.has(slug) ? `docs/reference/${slug}` : `docs/${slug}`;
