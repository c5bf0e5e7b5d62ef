import { type Static, Type as T } from "@sinclair/typebox";
import type { Runtime } from "../../platform/runtime.ts";
import { closed, enumeration } from "../../platform/schema.ts";
import type { Registry } from "../../registry/registry.ts";
import type { Route } from "../../web/define-route.ts";

export const DocKind = enumeration("guide", "reference", "capability", "use_case", "error");

const summary = {
  slug: T.String(),
  title: T.String(),
  summary: T.String(),
  kind: DocKind,
  url: T.String({ description: "Where the page is served, relative to the base URL." }),
};

export const DocSummary = closed(summary, { title: "DocSummary" });
export type DocSummary = Static<typeof DocSummary>;

export const DocLink = closed({ slug: T.String(), title: T.String(), url: T.String() }, { title: "DocLink" });

export const DocDetail = closed(
  {
    ...summary,
    body_markdown: T.String({ description: "CommonMark with tables. Its headings begin at the second level." }),
    canonical_url: T.String({ format: "uri" }),
    related: T.Array(DocLink),
  },
  { title: "DocDetail" },
);
export type DocDetail = Static<typeof DocDetail>;

export const DocList = T.Array(DocSummary, { description: "Summaries of the pages." });

export const SearchQuery = T.Object({
  q: T.String({ minLength: 2, maxLength: 200 }),
  limit: T.Integer({ minimum: 1, maximum: 25, default: 10 }),
});

/** A page of the documentation, written or generated. */
export interface Page {
  readonly slug: string;
  readonly title: string;
  readonly summary: string;
  readonly kind: DocSummary["kind"];
  /** The heading in the sidebar under which it is listed. */
  readonly group: string;
  /** Markdown without the title; headings start at the second level. */
  readonly body: string;
  /** Slugs of pages to read next. */
  readonly related: readonly string[];
}

/** The inputs of the documentation. */
export interface DocsOptions {
  readonly registry: Registry;
  readonly baseUrl: string;
  /** Returns all routes to document. Called on first use, when all of them exist. */
  readonly routes: () => readonly Route[];
  readonly runtime: Pick<Runtime, "nextTurn">;
}

/** Returns the path of a page's JSON. */
export const urlOf = (slug: string): string => `/v1/docs/${slug}`;
/** Returns a page's summary, as lists show it. */
export const summaryOf = ({ slug, title, summary, kind }: Page): DocSummary => ({
  slug,
  title,
  summary,
  kind,
  url: urlOf(slug),
});
