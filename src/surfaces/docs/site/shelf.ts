import type { Runtime } from "../../../platform/runtime.ts";
import { madeInTurns } from "../../../platform/turns.ts";
import type { OpenApi } from "../../../web/openapi-document.ts";
import type { Page } from "../schema.ts";
import { createSearch } from "../search.ts";
import { type Endpoint, endpointsOf, guideSections, operationSections, type Section } from "./navigation.ts";
import { operationPage } from "./operations.ts";

/** What the documentation has: its pages, and the document that operations are described by. */
export interface Library {
  readonly document: OpenApi;
  readonly pages: readonly Page[];
}

/** All pages and where each is, for whatever leads to them. */
export interface Shelf extends Library {
  readonly bySlug: ReadonlyMap<string, Page>;
  readonly endpoints: readonly Endpoint[];
  readonly byOperation: ReadonlyMap<string, { readonly endpoint: Endpoint; readonly page: Page }>;
  /** The side bars' sections: of guides, of the reference, of the forms. */
  readonly guides: readonly Section[];
  readonly reference: readonly Section[];
  readonly forms: readonly Section[];
  /** Pages and operations that a text finds, the best first. */
  readonly search: (text: string, limit: number) => Page[];
}

/** Puts everything in its place, after it has written the operations' pages. */
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

/** Where a page is, below the installation's address. */
export const addressOf = ({ byOperation }: Shelf, { slug }: Page): string =>
  byOperation.has(slug) ? `docs/reference/${slug}` : `docs/${slug}`;
