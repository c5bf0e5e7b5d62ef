import { assert } from "../../platform/assert.ts";
import { unknownSlug } from "../../platform/suggest.ts";
import type { CapabilityManifest } from "../../registry/contract.ts";
import { exampleInput } from "../../registry/input.ts";
import type { Registry } from "../../registry/registry.ts";
import type { Route } from "../../web/define-route.ts";
import { openApiDocument } from "../../web/openapi.ts";
import type { Examples } from "../../web/openapi-document.ts";
import { pascal, type SoldSchemas } from "../../web/openapi-schemas.ts";
import { type Prerendered, prerender } from "../../web/prerendered.ts";
import { cataloguePages } from "./catalogue-pages.ts";
import { errorPages } from "./errors.ts";
import { guidePages } from "./guides.ts";
import { referenceText } from "./reference.ts";
import type { DocDetail, DocSummary, Page } from "./schema.ts";
import { createSearch } from "./search.ts";

export interface DocsOptions {
  readonly registry: Registry;
  readonly baseUrl: string;
  /** Every route to describe. Asked for at the first use, when all of them are there. */
  readonly routes: () => readonly Route[];
}

const urlOf = (slug: string): string => `/v1/docs/${slug}`;
const summaryOf = ({ slug, title, summary, kind }: Page): DocSummary => ({
  slug,
  title,
  summary,
  kind,
  url: urlOf(slug),
});

/** For each public capability an input that its own tools show, as bodies of the operation that runs it. */
function runExamples(registry: Registry): Examples {
  const shown = [...registry.capabilities.values()].filter((manifest) => !manifest.private);
  return Object.fromEntries(
    shown.flatMap((manifest) => {
      const input = exampleInput(manifest);
      return input === undefined ? [] : [[manifest.slug, { summary: manifest.name, value: { input } }]];
    }),
  );
}

/** What a capability delivers, under a name of its own. */
const resultSchema = ({ slug, output_schema }: CapabilityManifest) => ({
  ...output_schema,
  title: `${pascal(slug)}Result`,
});

/** What runs and jobs deliver: one of the capabilities' results, or what only its caller knows the shape of. */
function resultSchemas(registry: Registry): SoldSchemas {
  const shown = [...registry.capabilities.values()].filter((manifest) => !manifest.private);
  const other = {
    title: "OtherResult",
    type: "object",
    description:
      "Of a use case with several steps: their results by the steps' keys. Of a firm's own capability: as its output schema says.",
    additionalProperties: true,
  };
  const none = { type: "null" };
  const analysis = shown.filter(({ slug }) => slug === "company-intelligence");
  return {
    Result: {
      description: "By the output schema of what was run. Null unless it has succeeded.",
      anyOf: [...shown.map(resultSchema), other, none],
    },
    JobResult: {
      description: "By the job's type. Null unless it has succeeded.",
      anyOf: [...analysis.map(resultSchema), other, none],
    },
  };
}

async function build({ registry, baseUrl, routes }: DocsOptions) {
  const examples = { createCapabilityRun: runExamples(registry) };
  const document = await openApiDocument({ routes: routes(), baseUrl, examples, sold: resultSchemas(registry) });
  const pages = [...guidePages(document, baseUrl), ...cataloguePages(registry), ...errorPages()];
  const bySlug = new Map(pages.map((page) => [page.slug, page]));
  assert(bySlug.size === pages.length, "every page has a slug of its own");

  function detailOf({ related, body, ...page }: Page): DocDetail {
    const links = related.map((slug) => {
      const linked = bySlug.get(slug);
      assert(linked, `the page ${slug}, which ${page.slug} refers to, exists`);
      return { slug, title: linked.title, url: urlOf(slug) };
    });
    return {
      ...summaryOf({ ...page, related, body }),
      body_markdown: body,
      canonical_url: baseUrl + urlOf(page.slug),
      related: links,
    };
  }

  return {
    openApi: prerender(document),
    reference: prerender(referenceText(document, pages, baseUrl), "text/markdown; charset=utf-8"),
    list: prerender(pages.map(summaryOf)),
    details: new Map(pages.map((page) => [page.slug, prerender(detailOf(page))])),
    search: createSearch(pages),
  };
}

/** The documentation, built at its first use: most processes are asked for something else first. */
export function createDocs(options: DocsOptions) {
  let built: ReturnType<typeof build> | undefined;
  const library = () => {
    built ??= build(options);
    return built;
  };

  return {
    /** The OpenAPI document. */
    openApi: async (): Promise<Prerendered> => (await library()).openApi,
    /** The whole reference as Markdown. */
    reference: async (): Promise<Prerendered> => (await library()).reference,
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
