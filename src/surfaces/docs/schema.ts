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

/** A page of the documentation, wherever its text comes from. */
export interface Page {
  readonly slug: string;
  readonly title: string;
  readonly summary: string;
  readonly kind: DocSummary["kind"];
  /** The heading in the side bar that it is listed under. */
  readonly group: string;
  /** Markdown whose headings begin at the second level: the title is not part of it. */
  readonly body: string;
  /** Slugs of pages to read next. */
  readonly related: readonly string[];
}

/** What the documentation is made from. */
export interface DocsOptions {
  readonly registry: Registry;
  readonly baseUrl: string;
  /** Every route to describe. Asked for at the first use, when all of them are there. */
  readonly routes: () => readonly Route[];
  readonly runtime: Pick<Runtime, "nextTurn">;
}

/** Where a page is served as data. */
export const urlOf = (slug: string): string => `/v1/docs/${slug}`;
/** A page as lists show it. */
export const summaryOf = ({ slug, title, summary, kind }: Page): DocSummary => ({
  slug,
  title,
  summary,
  kind,
  url: urlOf(slug),
});
