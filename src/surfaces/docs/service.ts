import { unknownSlug } from "../../platform/suggest.ts";
import type { Prerendered } from "../../web/prerendered.ts";
import type { build } from "./library.ts";
import { type DocSummary, type DocsOptions, summaryOf } from "./schema.ts";
import type { Site } from "./site/site.ts";

/** The documentation, built at its first use: most processes are asked for something else first. */
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
    /** The pages for people. */
    site: async (): Promise<Site> => (await library()).site,
    /** Summaries of all pages, in reading order. */
    list: async (): Promise<Prerendered> => (await library()).list,
    /** One page; throws `not_found`, with what may have been meant. */
    async detail(slug: string): Promise<Prerendered> {
      const page = (await library()).details.get(slug);
      if (page) return page;
      throw unknownSlug(slug, (await library()).details.keys());
    },
    /** Summaries of the pages that a text finds, the best first. */
    search: async (text: string, limit: number): Promise<DocSummary[]> =>
      (await library()).search(text, limit).map(summaryOf),
  };
}

export type Docs = ReturnType<typeof createDocs>;
