import { unknownSlug } from "../../platform/suggest.ts";
import type { Prerendered } from "../../web/prerendered.ts";
import type { build } from "./library.ts";
import { type DocSummary, type DocsOptions, summaryOf } from "./schema.ts";
import type { Site } from "./site/site.ts";

/** Creates the documentation, built on first use because most processes never serve it. */
export function createDocs(options: DocsOptions) {
  let built: ReturnType<typeof build> | undefined;
  const library = () => {
    built ??= import("./library.ts").then((library) => library.build(options));
    return built;
  };

  return {
    /** The OpenAPI document. */
    openApi: async (): Promise<Prerendered> => (await library()).openApi,
    /** The whole reference as Markdown. */
    reference: async (): Promise<Prerendered> => (await library()).reference,
    /** The documentation site. */
    site: async (): Promise<Site> => (await library()).site,
    /** Summaries of all pages, in reading order. */
    list: async (): Promise<Prerendered> => (await library()).list,
    /** One page. Throws `not_found` with suggestions. */
    async detail(slug: string): Promise<Prerendered> {
      const page = (await library()).details.get(slug);
      if (page) return page;
      throw unknownSlug(slug, (await library()).details.keys());
    },
    /** Returns summaries of the pages that match a text, best first. */
    search: async (text: string, limit: number): Promise<DocSummary[]> =>
      (await library()).search(text, limit).map(summaryOf),
  };
}

export type Docs = ReturnType<typeof createDocs>;
