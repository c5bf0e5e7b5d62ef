import { assert } from "../../platform/assert.ts";
import type { CapabilityManifest } from "../../registry/contract.ts";
import { exampleInput, useCaseExample } from "../../registry/input.ts";
import type { Registry } from "../../registry/registry.ts";
import { openApiDocument } from "../../web/openapi.ts";
import type { Examples } from "../../web/openapi-document.ts";
import { pascal, type SoldSchemas } from "../../web/openapi-schemas.ts";
import { prerender } from "../../web/prerendered.ts";
import { cataloguePages } from "./catalogue-pages.ts";
import { errorPages } from "./errors.ts";
import { guidePages } from "./guides.ts";
import { referenceText } from "./reference.ts";
import { type DocDetail, type DocsOptions, type Page, summaryOf, urlOf } from "./schema.ts";
import { createSearch } from "./search.ts";
import { shelve } from "./site/shelf.ts";
import { createSite } from "./site/site.ts";

/**
 * Returns an example request body for each public capability, from an example input of its tools, for the operation
 * that runs it.
 */
function runExamples(registry: Registry): Examples {
  const shown = [...registry.capabilities.values()].filter((manifest) => !manifest.private);
  return Object.fromEntries(
    shown.flatMap((manifest) => {
      const input = exampleInput(manifest);
      return input === undefined ? [] : [[manifest.slug, { summary: manifest.name, value: { input } }]];
    }),
  );
}

/** Returns an example request body for each use case, for the operations that quote and run it. */
const useCaseExamples = (registry: Registry): Examples =>
  Object.fromEntries(
    [...registry.useCases.values()].flatMap((useCase) => {
      const input = useCaseExample(registry, useCase);
      return input === undefined ? [] : [[useCase.slug, { summary: useCase.name, value: { input } }]];
    }),
  );

/** Returns a capability's output schema with a title that names it. */
const resultSchema = ({ slug, output_schema }: CapabilityManifest) => ({
  ...output_schema,
  title: `${pascal(slug)}Result`,
});

/**
 * Returns the schemas of the results of runs and jobs: one of the public capabilities' results, or an object whose
 * shape only its caller knows.
 */
function resultSchemas(registry: Registry): SoldSchemas {
  const shown = [...registry.capabilities.values()].filter((manifest) => !manifest.private);
  const other = {
    title: "OtherResult",
    type: "object",
    description:
      "For a use case with several steps: their results by step key. For a firm's own capability: as its output schema defines.",
    additionalProperties: true,
  };
  const none = { type: "null" };
  const analysis = shown.filter(({ slug }) => slug === "company-intelligence");
  return {
    Result: {
      description: "Matches the output schema of what was run. Null unless it has succeeded.",
      anyOf: [...shown.map(resultSchema), other, none],
    },
    JobResult: {
      description: "Depends on the job's type. Null unless it has succeeded.",
      anyOf: [...analysis.map(resultSchema), other, none],
    },
  };
}

/**
 * Builds the whole documentation. It is loaded on first use, and built in several turns of the event loop, because
 * together its parts take a fifth of a second.
 */
export async function build({ registry, baseUrl, routes, runtime }: DocsOptions) {
  const { nextTurn } = runtime;
  await nextTurn();
  const ofUseCases = useCaseExamples(registry);
  const examples = {
    createCapabilityRun: runExamples(registry),
    quoteUseCase: ofUseCases,
    createUseCaseRun: ofUseCases,
  };
  const document = await openApiDocument({
    routes: routes(),
    baseUrl,
    examples,
    sold: resultSchemas(registry),
    runtime,
  });
  const guides = guidePages(document, baseUrl);
  await nextTurn();
  const pages = [...guides, ...cataloguePages(registry), ...errorPages()];
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

  await nextTurn();
  const openApi = prerender(document);
  const text = await referenceText(document, pages, { baseUrl, runtime });
  const reference = prerender(text, "text/markdown; charset=utf-8");
  await nextTurn();
  const details = new Map(pages.map((page) => [page.slug, prerender(detailOf(page))]));
  await nextTurn();
  const search = createSearch(pages);
  const site = createSite(await shelve({ document, pages }, runtime));
  return { openApi, reference, list: prerender(pages.map(summaryOf)), details, search, site };
}
