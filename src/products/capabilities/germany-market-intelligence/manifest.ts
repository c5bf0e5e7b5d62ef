import type { CapabilityDefinition, Tool } from "../../../registry/contract.ts";
import { lazyEngine } from "../lazy.ts";
import { listing, pricing, toolErrors, trial } from "../listing.ts";
import { GermanyMarketIntelligenceInput, GermanyMarketIntelligenceOutput } from "./schema.ts";

const germanyMarketOverview: Tool = {
  name: "germany_market_overview",
  title: "Overview of the German market",
  access: "read",
  summary: "Gives the metrics of the German distribution market, with their periods and reliability.",
  returns: "Metrics, source periods, and A-D reliability labels.",
  input_schema: null,
  agent_description:
    "Read the German market overview: metrics with source periods and reliability labels A (official) to D (estimate). Takes no input. Quote a figure only together with its period and label; never present a D as fact.",
  human_summary: "See the key figures of the German market, and how far each can be trusted.",
  use_when: ["An entitled account needs the size and structure of the German market with sources."],
  do_not_use_when: [
    "The account has no paid entitlement to market intelligence.",
    "You look for named institutions: they are part of the enterprise tier, under other endpoints.",
    "You compare several countries: use eu_compare_markets.",
  ],
  examples: [
    {
      title: "The whole overview; the members of the result, described",
      input: {},
      output_excerpt: {
        summary: "text whose every number occurs in the metrics",
        data: {
          metrics: "indicator, value, unit, period, source and reliability of each",
          caveats: "what to know before any of it is quoted",
        },
      },
    },
  ],
  errors: toolErrors,
  latency: null,
  related: ["eu_market_overview", "eu_compare_markets"],
};

/** The German market's metrics under a paid entitlement, listed in `src/products/capabilities/index.ts`. */
export const germanyMarketIntelligence: CapabilityDefinition = {
  ...listing("germany-market-intelligence"),
  name: "Germany Market Intelligence",
  outcome: "Read the German market's key figures with their reliability",
  description:
    "Metrics of the German distribution market, each with its source's period and a reliability label from A (official, first-hand) to D (estimated or not traceable). For accounts with the paid entitlement.",
  status: "pilot",
  exposure: "gated",
  countries: ["DE"],
  data_class: "aggregate",
  access: "read",
  permissions: ["market-intelligence:read"],
  pricing: pricing("contract", "paid entitlement"),
  trial: trial(0),
  input_schema: GermanyMarketIntelligenceInput,
  output_schema: GermanyMarketIntelligenceOutput,
  tools: [germanyMarketOverview],
  sources: ["Register and directory data that the operator imports, labelled A to D"],
  limitations: [
    "It needs a paid entitlement.",
    "The list of firms behind it is for discovery only: deduplication is unfinished, and no entry is approved.",
    "Without an import, there are only the public figures shipped with the program, and no rows or profiles; every answer says so.",
    "An enrichment reads at most six pages of a firm's own site. What it finds is a proposal with evidence, and changes no record.",
    "Figures labelled C may only support others; those labelled D are for discovery only.",
    "Named institutions, networks, technology profiles and commercial scenarios are reserved for the enterprise tier and not included.",
  ],
  evidence_freshness: "As of the imported data; every metric carries its source's period.",
  entitlements: ["market-intelligence:read"],
  deadline_ms: 30_000,
  engine: ({ datasets }) =>
    lazyEngine({ name: "germany-market-intelligence", model: null }, async () =>
      (await import("./engine.ts")).germanyMarketEngine(datasets),
    ),
};
