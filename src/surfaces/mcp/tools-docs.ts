import { Type as T } from "@sinclair/typebox";
import { closed } from "../../platform/schema.ts";
import { CapabilityFilter } from "../../products/catalogue/schema.ts";
import { filtersOf } from "../../products/catalogue/service.ts";
import { UseCaseFilter } from "../../products/use-cases/schema.ts";
import { permissionsOfTools } from "../../registry/contract.ts";
import { countryCode } from "../../registry/countries.ts";
import { useCaseNamed } from "../../registry/named.ts";
import { parsed } from "../../web/prerendered.ts";
import { type DocDetail, DocKind, type DocSummary, SearchQuery } from "../docs/schema.ts";
import type { Docs } from "../docs/service.ts";
import { capabilityDetail } from "./library.ts";
import type { ResourceServices } from "./resources.ts";
import { reading, type Tool, textTool, tool } from "./tool.ts";

/** The documentation tools are read-only and free, with the scope `docs:read`. */
const free = { scopes: ["docs:read"], hints: reading } as const;

const Slug = T.String({ minLength: 1, maxLength: 120 });
const PageSlug = { ...Slug, description: "From list_docs or search_docs." };
/** A capability's slug as an argument. */
export const CapabilitySlug = { ...Slug, description: "From list_capabilities." };
/** A use case's slug as an argument. */
export const UseCaseSlug = { ...Slug, description: "From list_use_cases." };
/** A use case's input as an argument. */
export const UseCaseInput = T.Object(
  {},
  { additionalProperties: true, description: "Per the use case's input_schema: get_doc with its slug." },
);
const names = () => T.Array(T.String());
const credits = () => T.Integer();

const lineOf = ({ slug, title, kind, summary }: DocSummary): string => `- ${slug} (${kind}): ${title}. ${summary}`;
const listOf = (pages: DocSummary[]): string => pages.map(lineOf).join("\n") || "No pages found.";

// Pages are prose and returned only as text: with structured content, each would be sent twice.
const pageTools = (docs: Docs): Tool[] => [
  textTool({
    ...free,
    name: "list_docs",
    title: "List the documentation",
    description: "List documentation pages with their slugs.",
    input: closed({ kind: T.Optional({ ...DocKind, description: "Only pages of this kind." }) }),
    async text({ kind }) {
      const pages: DocSummary[] = parsed(await docs.list());
      return listOf(pages.filter((page) => kind === undefined || page.kind === kind));
    },
  }),
  textTool({
    ...free,
    name: "search_docs",
    title: "Search the documentation",
    description: "Search the documentation. Read a page with get_doc.",
    input: closed({
      query: { ...SearchQuery.properties.q, description: "Words to search for." },
      limit: T.Optional({ ...SearchQuery.properties.limit, description: "Maximum number of pages." }),
    }),
    text: async ({ query, limit = SearchQuery.properties.limit.default }) => listOf(await docs.search(query, limit)),
  }),
  textTool({
    ...free,
    name: "get_doc",
    title: "Read a documentation page",
    description: "Read one page as Markdown, with its canonical URL, kind and related pages.",
    advice: { not_found: "Find the page with search_docs." },
    input: closed({ slug: PageSlug }),
    async text({ slug }) {
      const page: DocDetail = parsed(await docs.detail(slug));
      const related = page.related.map((link) => link.slug).join(", ") || "none";
      const head = `# ${page.title}\n\n${page.summary}`;
      return `${head}\n\nSlug: ${page.slug}\nKind: ${page.kind}\nURL: ${page.canonical_url}\nRelated: ${related}\n\n${page.body_markdown}`;
    },
  }),
];

// Output schemas are open and list only a few members, because every client keeps them in its context. The full shape
// is in the reference.
const Listed = T.Object({ slug: T.String(), runnable: T.Boolean() });
const Filters = T.Object({}, { additionalProperties: names() });

/** Explains an empty list: which filter values exist, and whether the country is unknown. */
function nothingFound(
  what: string,
  { country }: { readonly country?: string | undefined },
  filters: Readonly<Record<string, readonly string[]>>,
): string {
  const isUnknown = country !== undefined && countryCode(country) === undefined;
  const values = Object.entries(filters).map(([name, known]) => `${name}: ${known.join("; ")}`);
  return [
    `No ${what} matches the filter.`,
    ...(isUnknown ? ["The country is unknown: use its ISO code or English name."] : []),
    `Available values: ${values.join("\n")}`,
  ].join("\n");
}

const capabilityTools = (services: ResourceServices): Tool[] => [
  tool({
    ...free,
    name: "list_capabilities",
    title: "List capabilities",
    description:
      "List capabilities with price, tools and `runnable`. `filters` has the filter values. Grants no access.",
    input: closed(CapabilityFilter.properties),
    output: T.Object({ capabilities: T.Array(Listed), filters: Filters }),
    async run(filter, { entitlements }) {
      const items = await services.catalogue.listFor(entitlements, filter);
      const { countries, providers, outcomes } = filtersOf(await services.catalogue.listFor(entitlements));
      const filters = { countries, providers, outcomes };
      const capabilities = items.map((item) => ({
        slug: item.slug,
        name: item.name,
        outcome: item.outcome,
        status: item.status,
        access: item.access,
        countries: item.countries,
        scopes: [...permissionsOfTools(services.registry.capabilities.get(item.slug) ?? item)],
        tools: item.tools.map(({ name }) => name),
        maximum_run_credits: item.pricing.live_credits,
        runnable: item.runnable,
      }));
      const lines = capabilities.map(
        (item) =>
          `- ${item.slug}: ${item.outcome}. ${item.maximum_run_credits} credits at most, ${item.runnable ? "runnable" : "not runnable now"}; tools: ${item.tools.join(", ") || "none"}`,
      );
      return {
        value: { capabilities, filters },
        text: lines.join("\n") || nothingFound("capability", filter, filters),
      };
    },
  }),
  tool({
    ...free,
    name: "get_capability",
    title: "Inspect a capability",
    description:
      "Read a capability's full contract: schemas, tools with advice and examples, scopes, limits and maximum run cost.",
    advice: { not_found: "Find the slug with list_capabilities." },
    input: closed({ slug: CapabilitySlug }),
    // The contract's schema is that of GET /v1/capabilities/{slug}; repeating it here would fill every client's
    // context.
    output: T.Object(
      {
        slug: T.String(),
        semantic_version: T.String(),
        maximum_run_credits: credits(),
        trial_run_credits: credits(),
        runnable: T.Boolean(),
      },
      { additionalProperties: true },
    ),
    async run({ slug }, { entitlements }) {
      const contract = await capabilityDetail(services, slug, entitlements);
      const { live_credits, trial_credits } = contract.pricing;
      const value = { ...contract, maximum_run_credits: live_credits, trial_run_credits: trial_credits };
      return { value, text: JSON.stringify(value) };
    },
  }),
];

const distinct = (values: readonly string[]): string[] => [...new Set(values)];

const useCaseTools = ({ useCases, registry }: ResourceServices): Tool[] => [
  tool({
    ...free,
    name: "list_use_cases",
    title: "List use cases",
    description: "List use cases with price and `runnable`. get_doc with the slug shows steps and input.",
    input: closed(UseCaseFilter.properties),
    output: T.Object({ use_cases: T.Array(Listed), filters: Filters }),
    async run(filter) {
      const all = await useCases.list({});
      const filters = {
        countries: distinct(all.flatMap(({ countries }) => countries)),
        providers: distinct(all.map(({ provider }) => provider)),
        categories: distinct(all.map(({ category }) => category)),
      };
      const use_cases = (await useCases.list(filter)).map((item) => ({
        slug: item.slug,
        name: item.name,
        outcome: item.outcome,
        status: item.status,
        countries: item.countries,
        maximum_credits: item.maximum_credits,
        runnable: item.runnable,
      }));
      const lines = use_cases.map(
        (item) =>
          `- ${item.slug}: ${item.outcome}. ${item.maximum_credits} credits at most, ${item.runnable ? "runnable" : "not runnable now"}`,
      );
      return { value: { use_cases, filters }, text: lines.join("\n") || nothingFound("use case", filter, filters) };
    },
  }),
  tool({
    ...free,
    name: "quote_use_case",
    title: "Quote a use case",
    description:
      "Validate an input, and get the maximum price, steps, approval and gate. Free: nothing is run or reserved.",
    advice: { not_found: "Find the slug with list_use_cases." },
    input: closed({ slug: UseCaseSlug, input: UseCaseInput }),
    output: T.Object({
      id: T.String(),
      maximum_credits: credits(),
      reserved_credits: T.Literal(0),
      steps: T.Array(T.Object({})),
      approval_required: T.Boolean(),
      execution_gate: T.Object({}),
      expires_at: T.String(),
    }),
    async run({ slug, input }, { principal }) {
      const quote = await useCases.quote(useCaseNamed(registry, slug), input, principal);
      const { maximum_credits, steps, approval_required, execution_gate, expires_at } = quote;
      const parts = [
        `At most ${maximum_credits} credits, nothing reserved; quote ${quote.id} is valid until ${expires_at}.`,
        ...steps.map(
          (step) =>
            `- ${step.title}: ${step.maximum_credits} credits${step.requires_approval ? ", waits for approval" : ""}`,
        ),
        approval_required ? "A person has to approve before it continues." : "No approval is needed.",
        execution_gate.open ? "It can be run now, with run_use_case." : `It can't be run now: ${execution_gate.code}.`,
      ];
      return { value: quote, text: parts.join("\n") };
    },
  }),
];

/** The documentation tools, in a fixed order. */
export const docsTools = (services: ResourceServices, docs: Docs): Tool[] => [
  ...pageTools(docs),
  ...capabilityTools(services),
  ...useCaseTools(services),
];
