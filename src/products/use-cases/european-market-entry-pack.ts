import { type Static, Type as T } from "@sinclair/typebox";
import { closed, notBlank } from "../../platform/schema.ts";
import type { UseCaseManifest, Withheld } from "../../registry/contract.ts";
import type { CompanyIntelligenceOutput } from "../capabilities/company-intelligence/schema.ts";
import { EuMarketDataInput, type EuMarketDataOutput } from "../capabilities/eu-market-data/schema.ts";
import { AskedCountry, CompanyUrl } from "../capabilities/fields.ts";
import type { MarketValidatorOutput } from "../capabilities/market-validator/schema.ts";
import {
  ReportInput,
  StructureInput,
  type StructureOutput,
  TargetsInput,
  type TargetsOutput,
} from "../market-entry/schema.ts";
import { marketQuestion, scoreMarkets } from "../market-entry/scoring.ts";
import { creditsPerTarget, targetItems, wantedTargets } from "../market-entry/target-items.ts";
import { marketNamed } from "../validator/markets.ts";

const PackInput = closed(
  {
    company_url: CompanyUrl,
    product_category: T.String({ minLength: 2, maxLength: 160, ...notBlank }),
    target_adviser_icp: T.String({
      minLength: 10,
      maxLength: 2000,
      ...notBlank,
      description: "The ideal customer profile: which advisers the targets should be.",
    }),
    candidate_markets: T.Array(AskedCountry, { minItems: 2, maxItems: 5 }),
    value_proposition: T.String({ minLength: 10, maxLength: 3000, ...notBlank }),
  },
  {
    examples: [
      {
        company_url: "https://example.com/",
        product_category: "Cycling insurance",
        target_adviser_icp: "Insurance brokers in Bavaria with 5 to 50 employees, no banks",
        candidate_markets: ["DE", "AT"],
        value_proposition:
          "Commuters who cycle every day are afraid of theft. We insure their bicycles in an app for 4 EUR a month.",
      },
    ],
  },
);
type PackInput = Static<typeof PackInput>;

/** The input of the pack's study: larger than a capability run's, with more personas and more questions each. */
const TestInput = closed({
  hypothesis: PackInput.properties.value_proposition,
  market: T.String(),
  decision_size: T.Literal("XL"),
  personas: T.Literal(50),
});

/** Results of earlier steps. The run's order determines which are present; targets may have been withheld. */
interface Earlier {
  readonly company: CompanyIntelligenceOutput;
  readonly markets: EuMarketDataOutput;
  readonly structure: StructureOutput;
  readonly validator: MarketValidatorOutput;
  readonly targets?: TargetsOutput;
}

/** Builds a step's input from the pack's input and the results of earlier steps. */
const from =
  (make: (input: PackInput, earlier: Earlier, withheld: Withheld) => unknown) =>
  (input: unknown, earlier: Readonly<Record<string, unknown>>, withheld: Withheld): unknown =>
    make(input as PackInput, earlier as Earlier & Record<string, unknown>, withheld);

/** Returns the best candidate that the validator has figures for, or the EU if it has none of them. */
const testedMarket = ({ scores }: StructureOutput): string =>
  scores.find(({ country }) => marketNamed(country) !== undefined)?.country ?? "EU";

const unreachable = ({ message }: { readonly message: string }): CompanyIntelligenceOutput => ({
  ...{ company_name: null, target_audience: null, products_services: [], market: null },
  notes: [
    `The company's site could not be read: ${message} The pack went on without its profile; nothing was charged.`,
  ],
});

const steps: UseCaseManifest["steps"] = [
  {
    ...{ key: "company", capability: "company-intelligence", title: "Company profile" },
    ...{ maximum_credits: 1000, requires_approval: false },
    needs: [],
    input: from(({ company_url }) => ({ company_url })),
    otherwise: unreachable,
  },
  {
    ...{ key: "markets", capability: "eu-market-data", title: "Candidate markets" },
    ...{ maximum_credits: 4000, requires_approval: false },
    needs: [],
    input: from(({ candidate_markets }) => ({ question: marketQuestion, countries: candidate_markets })),
    input_schema: EuMarketDataInput,
  },
  {
    ...{ key: "structure", capability: "structure", title: "Market structure" },
    ...{ maximum_credits: 3000, requires_approval: false },
    needs: ["markets"],
    input: from(({ product_category, candidate_markets }, { markets }) => ({
      product_category,
      scores: scoreMarkets(markets.aggregates, candidate_markets),
    })),
    input_schema: StructureInput,
  },
  {
    ...{ key: "validator", capability: "market-validator", title: "Proposition test on 50 personas" },
    ...{ maximum_credits: 10_000, requires_approval: false },
    needs: ["structure"],
    input: from(({ value_proposition: hypothesis }, { structure }) => ({
      ...{ hypothesis, market: testedMarket(structure), decision_size: "XL", personas: 50 },
    })),
    input_schema: TestInput,
  },
  {
    ...{ key: "targets", capability: "targets", title: "Ten qualified targets" },
    ...{ maximum_credits: wantedTargets * creditsPerTarget, requires_approval: true },
    needs: ["structure"],
    input: from(({ target_adviser_icp }, { structure }) => ({
      ...{ target_adviser_icp, markets: structure.scores.map(({ country }) => country) },
    })),
    input_schema: TargetsInput,
    approval_items: targetItems,
  },
  {
    ...{ key: "report", capability: "report", title: "Market-entry report" },
    ...{ maximum_credits: 3000, requires_approval: false },
    input: from(({ product_category }, { company, markets, structure, validator, targets = null }, withheld) => ({
      ...{ product_category, company, markets, structure, validator, targets },
      withheld: withheld.targets ?? null,
      tested_market: testedMarket(structure),
    })),
    input_schema: ReportInput,
  },
];

/**
 * Six steps for at most 28,000 credits, behind a commercial gate; the targets need a person's approval. Listed in
 * `manifests.ts`.
 */
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
    "If the company's site can't be read, the pack continues without its profile, and that step is free. If any other step fails, the run ends: delivered steps are charged, and the remaining credits are released.",
    "Markets are compared by four public indicators with fixed weights, which the report shows; the weights are a choice.",
    "Targets come from the firms that the operator has imported, currently only for Germany. If too few match, the credits of the missing ones are released and the report says so.",
    "The ICP is read with word lists in English, German, Czech and Slovak: type of seller, place, size, founding year and exclusions. Words that are not understood are shown to the approver and in the report. If the ICP names a place that no row is known to be in, there are no targets.",
    "The proposition test covers ten markets. If none of the candidates is among them, it tests the EU as a whole.",
  ],
  steps,
  input_schema: PackInput,
};
