import type { CapabilityDefinition, Tool } from "../../../registry/contract.ts";
import { lazyEngine } from "../lazy.ts";
import { listing, pricing, toolErrors, trial } from "../listing.ts";
import { DistributionIntelligenceInput, DistributionIntelligenceOutput } from "./schema.ts";

const queryDistribution: Tool = {
  name: "query_distribution",
  title: "Query distribution data",
  access: "read",
  summary: "Answers a question about insurance distribution in the Czech Republic from one imported dataset.",
  returns: "A summary, aggregates with unit, period and source, and a reference to the result.",
  input_schema: DistributionIntelligenceInput,
  agent_description:
    "Query aggregated Czech distribution data for a verified workspace under contract. Pass a question and the dataset's name. Aggregates only: no adviser and no firm is named, and small groups are withheld.",
  human_summary: "Ask for aggregated figures on insurance distribution in the Czech Republic.",
  use_when: ["A verified workspace needs counts or shares of intermediaries by type, region or period."],
  do_not_use_when: [
    "You look for named advisers, firms or contact data: none are returned.",
    "The workspace is not verified, or has no contract.",
    "The question is about another country: use query_eu_market for national figures.",
  ],
  examples: [
    {
      title: "A figure shipped with the program",
      input: { question: "How many contracts were mediated?", dataset: "cz_zfs_2021" },
      output_excerpt: {
        aggregates: [{ indicator: "contracts", group: null, value: 4806552, period: "2021", reliability: "A" }],
        result_reference: "distribution/0/cz_zfs_2021",
      },
    },
  ],
  errors: toolErrors,
  latency: null,
  related: ["query_eu_market"],
};

/** Aggregated distribution data under contract, listed in `src/products/capabilities/index.ts`. */
export const distributionIntelligence: CapabilityDefinition = {
  ...listing("distribution-intelligence"),
  name: "Distribution Intelligence",
  outcome: "Get aggregated figures on insurance distribution in the Czech Republic",
  description:
    "Answers questions about insurance distribution in the Czech Republic from imported register data, as aggregates with unit, period, source and reliability. For verified workspaces under contract.",
  status: "pilot",
  exposure: "gated",
  countries: ["CZ"],
  data_class: "aggregate",
  access: "read",
  permissions: ["verified_workspace", "distribution:read"],
  pricing: pricing("contract", "query under contract"),
  trial: trial(0),
  input_schema: DistributionIntelligenceInput,
  output_schema: DistributionIntelligenceOutput,
  tools: [queryDistribution],
  sources: ["Datasets that the operator imports, each with its publisher, period and licence"],
  limitations: [
    "It needs a verified workspace and a contract.",
    "It returns only aggregates. Groups under five are withheld, and others with them, so that no group can be derived from the rest; groups of unknown size are not shown.",
    "Groups are shown by one dimension at a time: type, legal form, group of expertise or region.",
    "It answers in English, Czech, Slovak and German; the figures keep the titles of their dataset.",
    "Without an import, it uses the public Czech and German figures shipped with the program, which have no groups.",
    "Missing data is reported, not estimated.",
    "For a place, firm or line of insurance that a dataset has no figures for, it gives none, and not the overall figure instead. Shares, ratios, averages and differences are not computed.",
  ],
  evidence_freshness: "As of the imported datasets; every figure carries its period.",
  entitlements: ["verified_workspace", "distribution:read"],
  deadline_ms: 30_000,
  engine: ({ datasets }) =>
    lazyEngine({ name: "distribution-intelligence", model: null }, async () =>
      (await import("./engine.ts")).distributionIntelligenceEngine(datasets),
    ),
};
