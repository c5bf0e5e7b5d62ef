import { Type as T } from "@sinclair/typebox";
import { closed } from "../../platform/schema.ts";
import { CapabilityFilter } from "../../products/catalogue/schema.ts";
import { UseCaseFilter } from "../../products/use-cases/schema.ts";
import { parsed } from "../../web/prerendered.ts";
import { type DocDetail, DocKind, type DocSummary, SearchQuery } from "../docs/schema.ts";
import type { Docs } from "../docs/service.ts";
import { capabilityDetail, findUseCase } from "./library.ts";
import type { ResourceServices } from "./resources.ts";
import { reading, type Tool, tool } from "./tool.ts";

/** The documentation group: read-only, free, with the scope `docs:read`. */
const free = { scopes: ["docs:read"], hints: reading } as const;

const Slug = T.String({ minLength: 1, maxLength: 120 });
const names = () => T.Array(T.String());
const credits = () => T.Integer();

// Outputs are open and say little beside their names: each client carries all of them along.
const Listed = T.Object({ slug: T.String(), title: T.String(), summary: T.String(), kind: T.String() });
const lineOf = ({ slug, title, kind, summary }: DocSummary): string => `- ${slug} (${kind}): ${title}. ${summary}`;
const pagesOf = (pages: DocSummary[]) => ({ value: { pages }, text: pages.map(lineOf).join("\n") || "No page." });

const pageTools = (docs: Docs): Tool[] => [
  tool({
    ...free,
    name: "list_docs",
    title: "List the documentation",
    description: "List documentation pages.",
    input: closed({ kind: T.Optional(DocKind) }),
    output: T.Object({ pages: T.Array(Listed) }),
    async run({ kind }) {
      const pages: DocSummary[] = parsed(await docs.list());
      return pagesOf(pages.filter((page) => kind === undefined || page.kind === kind));
    },
  }),
  tool({
    ...free,
    name: "search_docs",
    title: "Search the documentation",
    description: "Find documentation pages by words. Read one with get_doc.",
    input: closed({ query: SearchQuery.properties.q, limit: T.Optional(SearchQuery.properties.limit) }),
    output: T.Object({ pages: T.Array(Listed) }),
    run: async ({ query, limit = SearchQuery.properties.limit.default }) => pagesOf(await docs.search(query, limit)),
  }),
  tool({
    ...free,
    name: "get_doc",
    title: "Read a documentation page",
    description: "Read one page as Markdown, with its canonical URL, kind and related pages.",
    input: closed({ slug: Slug }),
    output: T.Object({
      ...Listed.properties,
      body_markdown: T.String(),
      canonical_url: T.String(),
      related: names(),
    }),
    async run({ slug }) {
      const page: DocDetail = parsed(await docs.detail(slug));
      const related = page.related.map((link) => link.slug);
      const text = `# ${page.title}\n\n${page.summary}\n\n${page.canonical_url}\n\n${page.body_markdown}`;
      return { value: { ...page, related }, text: `${text}\n\nRelated: ${related.join(", ")}` };
    },
  }),
];

const ListedCapability = T.Object({
  slug: T.String(),
  name: T.String(),
  outcome: T.String(),
  status: T.String(),
  access: T.String(),
  countries: names(),
  scopes: names(),
  tools: names(),
  maximum_run_credits: credits(),
  runnable: T.Boolean(),
});

const capabilityTools = (services: ResourceServices): Tool[] => [
  tool({
    ...free,
    name: "list_capabilities",
    title: "List capabilities",
    description: "List capabilities, filtered. Seeing one gives no access to it.",
    input: closed(CapabilityFilter.properties),
    output: T.Object({ capabilities: T.Array(ListedCapability) }),
    async run(filter, { entitlements }) {
      const items = await services.catalogue.listFor(entitlements, filter);
      const capabilities = items.map((item) => ({
        slug: item.slug,
        name: item.name,
        outcome: item.outcome,
        status: item.status,
        access: item.access,
        countries: item.countries,
        scopes: item.permissions,
        tools: item.tools.map(({ name }) => name),
        maximum_run_credits: item.pricing.live_credits,
        runnable: item.runnable,
      }));
      const lines = capabilities.map(
        (item) =>
          `- ${item.slug}: ${item.outcome}. ${item.maximum_run_credits} credits at most, ${item.runnable ? "runnable" : "not runnable now"}; tools: ${item.tools.join(", ") || "none"}`,
      );
      return { value: { capabilities }, text: lines.join("\n") || "No capability." };
    },
  }),
  tool({
    ...free,
    name: "get_capability",
    title: "Inspect a capability",
    description:
      "Read a capability's full contract: schemas, tools with advice and examples, scopes, limits, exact maximum run cost.",
    input: closed({ slug: Slug }),
    // The contract's own schema is that of GET /v1/capabilities/{slug}; repeated here it would fill every client's context.
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

const ListedUseCase = T.Object({
  slug: T.String(),
  name: T.String(),
  outcome: T.String(),
  status: T.String(),
  countries: names(),
  maximum_credits: credits(),
  runnable: T.Boolean(),
});

const useCaseTools = ({ useCases, registry }: ResourceServices): Tool[] => [
  tool({
    ...free,
    name: "list_use_cases",
    title: "List use cases",
    description: "List productized outcomes, filtered. get_doc with the slug shows steps and input.",
    input: closed(UseCaseFilter.properties),
    output: T.Object({ use_cases: T.Array(ListedUseCase) }),
    async run(filter) {
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
      return { value: { use_cases }, text: lines.join("\n") || "No use case." };
    },
  }),
  tool({
    ...free,
    name: "quote_use_case",
    title: "Quote a use case",
    description:
      "Validate an input and get the present maximum price, steps, approval and gate. Free: nothing runs or is reserved",
    input: closed({
      slug: Slug,
      input: T.Object({}, { additionalProperties: true }),
    }),
    output: T.Object({
      id: T.String(),
      maximum_credits: credits(),
      reserved_credits: T.Literal(0),
      steps: T.Array(T.Object({ key: T.String(), maximum_credits: credits(), requires_approval: T.Boolean() })),
      approval_required: T.Boolean(),
      execution_gate: T.Object({ open: T.Boolean() }),
      expires_at: T.String(),
    }),
    async run({ slug, input }) {
      const quote = await useCases.quote(findUseCase(registry, slug), input);
      const { maximum_credits, steps, approval_required, execution_gate, expires_at } = quote;
      const parts = [
        `At most ${maximum_credits} credits, nothing reserved; quote ${quote.id} holds until ${expires_at}.`,
        ...steps.map(
          (step) =>
            `- ${step.title}: ${step.maximum_credits} credits${step.requires_approval ? ", waits for approval" : ""}`,
        ),
        approval_required ? "A person has to approve before it goes on." : "No approval is needed.",
        execution_gate.open ? "It can be run now." : `It can't be run now: ${execution_gate.code}.`,
      ];
      return { value: quote, text: parts.join("\n") };
    },
  }),
];

/** The documentation group, in its fixed order. */
export const docsTools = (services: ResourceServices, docs: Docs): Tool[] => [
  ...pageTools(docs),
  ...capabilityTools(services),
  ...useCaseTools(services),
];
