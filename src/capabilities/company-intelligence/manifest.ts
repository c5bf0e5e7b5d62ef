import type { CapabilityManifest, Tool } from "../../catalogue/contract.ts";
import { listing, pricing, toolErrors, trial } from "../listing.ts";
import { pending, pendingLimitation } from "../pending.ts";
import { CompanyIntelligenceInput, CompanyIntelligenceOutput } from "./schema.ts";

const analyzeCompanyUrl: Tool = {
  name: "analyze_company_url",
  title: "Analyse a company's website",
  access: "read",
  summary: "Reads a company's public website and says who it is, what it offers, to whom and where.",
  returns: "The company's name, its target audience, its products and services, and its market.",
  input_schema: CompanyIntelligenceInput,
  agent_description:
    "Derive a company's name, audience, offer and market from its public website. Needs an API key with company:analyze and jobs:read. If the status is running after about 60 seconds, poll the job instead of calling again.",
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
      title: "A public website; the members of the result, described",
      input: { company_url: "https://example.com/" },
      output_excerpt: {
        company_name: "the name, or null where the pages do not say it",
        target_audience: "the audience, or null",
        products_services: "a list of names",
        market: "the market, or null",
      },
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
  latency: "Answers with status running when the analysis is unfinished after about 60 seconds.",
  related: ["run_validation", "query_eu_market"],
};

/** A company's profile from its website, listed in `src/capabilities/index.ts`. */
export const companyIntelligence: CapabilityManifest = {
  ...listing("company-intelligence"),
  name: "Company Intelligence",
  outcome: "Profile a company's offer, audience and market from its website",
  description:
    "Fetches a few public pages of a company as a polite client, and derives the company's name, target audience, products and services, and market from structured data, titles, navigation, headings and legal notices.",
  status: "live",
  exposure: "public",
  countries: ["GLOBAL"],
  data_class: "derived",
  access: "read",
  permissions: ["account:read", "company:analyze"],
  pricing: pricing("included", "website analysed"),
  trial: trial(1, ["public HTTP/HTTPS URL only"]),
  input_schema: CompanyIntelligenceInput,
  output_schema: CompanyIntelligenceOutput,
  tools: [analyzeCompanyUrl],
  sources: ["Public pages of the given website"],
  limitations: [
    pendingLimitation,
    "It reads a few public pages and obeys robots.txt; what a site shows only after a login or by script is not seen.",
    "It refuses every address that is not public, and ports other than 80 and 443.",
    "It repeats what a company says of itself; nothing is verified against registers.",
    "It returns no persons and no contact data.",
  ],
  evidence_freshness: "The pages as they are when the run fetches them.",
  entitlements: [],
  deadline_ms: 120_000,
  engine: pending("company-intelligence"),
};
