import { Type as T } from "@sinclair/typebox";
import { closed, notBlank } from "../../platform/schema.ts";
import type { UseCaseManifest, UseCaseStep } from "../../registry/contract.ts";
import { CompanyUrl, CountryCode } from "../capabilities/fields.ts";
import { pendingLimitation } from "../capabilities/pending.ts";

const step = (
  key: string,
  capability: string,
  title: string,
  maximum_credits: number,
  requires_approval = false,
): UseCaseStep => ({ key, capability, title, maximum_credits, requires_approval });

/** Six steps of 28,000 credits at most, behind a commercial gate; the targets wait for a person. Listed in `manifests.ts`. */
export const europeanMarketEntryPack: UseCaseManifest = {
  slug: "european-market-entry-pack",
  name: "European Market-Entry Pack",
  outcome: "A sourced plan for entering a European market, with ten qualified targets",
  category: "Market entry",
  description:
    "From a company's website and its value proposition to a market-entry report: the company's profile, the candidate markets, their structure, a proposition test on 50 personas, ten qualified targets that a person approves, and the report.",
  semantic_version: "1.0.0",
  provider: "assay",
  status: "validation_required",
  access: "gated",
  countries: ["EU"],
  evidence_freshness: "As of the data of each step; every figure carries its period.",
  supported_execution_surfaces: ["web", "rest", "cli", "mcp"],
  delivered_results: [
    "The company's profile",
    "A comparison of the candidate markets",
    "The structure of distribution in them",
    "A verdict of a proposition test on 50 personas",
    "Ten qualified targets, after a person's approval",
    "A market-entry report",
  ],
  limitations: [
    "No guarantee of outcome.",
    "A target outside the ICP is replaced, or that target's credits are released.",
    "No automatic outreach.",
    "Named or contact-bearing output requires human approval.",
    pendingLimitation,
  ],
  steps: [
    step("company", "company-intelligence", "Company profile", 1000),
    step("markets", "eu-market-data", "Candidate markets", 4000),
    step("structure", "structure", "Market structure", 3000),
    step("validator", "market-validator", "Proposition test on 50 personas", 10_000),
    step("targets", "targets", "Ten qualified targets", 7000, true),
    step("report", "report", "Market-entry report", 3000),
  ],
  input_schema: closed({
    company_url: CompanyUrl,
    product_category: T.String({ minLength: 2, maxLength: 160, ...notBlank }),
    target_adviser_icp: T.String({
      minLength: 10,
      maxLength: 2000,
      ...notBlank,
      description: "The ideal customer profile: which advisers the targets should be.",
    }),
    candidate_markets: T.Array(CountryCode, { minItems: 2, maxItems: 5 }),
    value_proposition: T.String({ minLength: 10, maxLength: 3000, ...notBlank }),
  }),
};
