import type { CapabilityDefinition, Tool } from "../../../registry/contract.ts";
import { lazyEngine, modelLimits } from "../lazy.ts";
import { listing, pricing, toolErrors, trial } from "../listing.ts";
import { pageReading, robotsReading, siteProfile } from "./computation.ts";
import { CompanyIntelligenceInput, CompanyIntelligenceOutput } from "./schema.ts";

const analyzeCompanyUrl: Tool = {
  name: "analyze_company_url",
  title: "Analyse a company's website",
  access: "read",
  summary: "Reads a company's public website and reports who it is, what it offers, to whom and where.",
  returns: "The company's name, its target audience, its products and services, and its market.",
  input_schema: CompanyIntelligenceInput,
  agent_description:
    "Derive a company's name, audience, offer and market from its public website. Needs an API key with company:analyze and jobs:read. A call waits up to 45 seconds: if the status is running then, poll get_job instead of calling again.",
  human_summary: "Turn a company's web address into a short market profile.",
  use_when: [
    "A company is known by its web address, and its offer and market are to be found out.",
    "A market study needs a starting profile of the company.",
  ],
  do_not_use_when: [
    "The page is private, inside a network, or behind a login: only public HTTP and HTTPS addresses are read.",
    "You look for persons or contact data: none are returned.",
    "The connection uses OAuth or a personal token: those are refused.",
  ],
  examples: [
    {
      title: "A page that says nothing but its name",
      input: { company_url: "https://example.com/" },
      output_excerpt: { company_name: "Example Domain", target_audience: null, products_services: [], market: null },
    },
  ],
  errors: [
    ...toolErrors,
    {
      code: "api_key_required",
      meaning:
        "The connection is not an API key that carries both company:analyze and jobs:read; OAuth and personal tokens are refused.",
      caller_action: "Connect with an API key that carries both scopes.",
    },
  ],
  latency: "Answers within a minute, with status running if the analysis is unfinished after 45 seconds.",
  related: ["run_validation", "query_eu_market"],
};

/** A company's profile from its website, listed in `src/products/capabilities/index.ts`. */
export const companyIntelligence: CapabilityDefinition = {
  ...listing("company-intelligence"),
  name: "Company Intelligence",
  outcome: "Profile a company's offer, audience and market from its website",
  description:
    "Fetches a few public pages of a company as a polite client, and derives the company's name, target audience, products and services, and market from structured data, titles, navigation, headings and legal notices. The operator can have a language model judge the pages; the run's engine then names the model.",
  status: "live",
  exposure: "public",
  countries: ["GLOBAL"],
  data_class: "derived",
  access: "read",
  permissions: ["account:read", "company:analyze"],
  tool_scopes: ["company:analyze", "jobs:read"],
  pricing: pricing("included", "website analysed"),
  trial: trial(1, ["public HTTP/HTTPS URL only"]),
  input_schema: CompanyIntelligenceInput,
  output_schema: CompanyIntelligenceOutput,
  tools: [analyzeCompanyUrl],
  sources: ["Public pages of the given website"],
  limitations: [
    "It reads at most six public pages of one site, one after the other, and obeys robots.txt. Content behind a login or rendered by scripts is not read.",
    "It refuses addresses that are not public, and ports other than 80 and 443.",
    "Without a language model, it uses rules, and a scorer for offers, made for English, Czech, Slovak, German, Polish and French pages; it finds less on others. Each field has its evidence and a confidence.",
    "If a site can't be read, the run fails with a code for the reason, such as url_not_allowed, robots_disallowed, site_unreachable, not_html, page_needs_javascript or domain_parked.",
    "It repeats what a company says about itself; nothing is verified against registers.",
    "On 65 home pages that others had labelled and that were not used for training, it named 62 companies correctly and found 75 % of what they mainly offer, with at most fifteen entries each; 26 % of the entries were no offers.",
    "It returns no persons and no contact data.",
  ],
  evidence_freshness: "The pages as they are when the run fetches them.",
  entitlements: [],
  deadline_ms: 120_000,
  engine: (services) => {
    const model = services.models.forCapability("company-intelligence");
    // Without a model, a run spends its time waiting for a remote server.
    const limits = model ? modelLimits : { total: 16, perFirm: 4 };
    const computations = model ? [robotsReading, pageReading] : [robotsReading, pageReading, siteProfile];
    return lazyEngine({ name: "company-intelligence", model, limits, computations }, async () =>
      model
        ? (await import("./model-engine.ts")).companyIntelligenceModelEngine(services, model)
        : (await import("./engine.ts")).companyIntelligenceEngine(services),
    );
  },
};
