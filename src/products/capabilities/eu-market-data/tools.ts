import type { Tool } from "../../../registry/contract.ts";
import { toolErrors } from "../listing.ts";
import { EuCompareMarketsInput, EuCoverageInput, EuMarketDataInput, EuMarketOverviewInput } from "./schema.ts";

const queryEuMarket: Tool = {
  name: "query_eu_market",
  title: "Query EU market data",
  access: "read",
  summary: "Answers a question about one to ten European countries from imported public statistics.",
  returns: "A summary, and aggregates with unit, period, source, rank and growth.",
  input_schema: EuMarketDataInput,
  agent_description:
    "Answer a question about national figures of 1-10 European countries from public statistics. Pass the question and two-letter country codes. Quote each figure with its period and source; missing data is reported.",
  human_summary: "Ask for national figures of European countries, with period and source.",
  use_when: ["A question asks for indicators of named countries, and the figures must carry their sources."],
  do_not_use_when: [
    "You do not know which data is available: call eu_coverage first.",
    "You need data on persons or single firms: there are aggregates only.",
    "You want one country's standard figures: eu_market_overview needs no question.",
  ],
  examples: [
    {
      title: "An indicator of two countries, from the starter data",
      input: { question: "Compare the unemployment rate", countries: ["CZ", "DE"] },
      output_excerpt: {
        summary: "Unemployment rate, % of the labour force, 2024: Germany 3.5; Czechia 2.6. Highest: Germany.",
        aggregates: [
          { country: "DE", indicator: "unemployment_rate", value: 3.5, period: "2024", rank: 1 },
          { country: "CZ", indicator: "unemployment_rate", value: 2.6, period: "2024", rank: 2 },
        ],
      },
    },
  ],
  errors: toolErrors,
  latency: null,
  related: ["eu_coverage", "eu_market_overview", "eu_compare_markets"],
};

const euCoverage: Tool = {
  name: "eu_coverage",
  title: "Coverage of EU market data",
  access: "read",
  summary: "Lists the available indicators with their countries, periods, sources and reliability.",
  returns: "The indicators, and for each its countries, periods, source and reliability.",
  input_schema: EuCoverageInput,
  agent_description:
    "List which indicators, countries and periods the EU market data hold, with sources. Takes no input. Call it before query_eu_market when unsure whether a figure exists.",
  human_summary: "See which figures are available for which countries and years.",
  use_when: ["Before a query, to learn which indicators and periods exist."],
  do_not_use_when: ["You already know the indicator and want its values: use query_eu_market."],
  examples: [
    {
      title: "The first of the indicators shipped with the program",
      input: {},
      output_excerpt: { version: 0, indicators: [{ indicator: "population", unit: "persons", reliability: "B" }] },
    },
  ],
  errors: toolErrors,
  latency: null,
  related: ["query_eu_market", "eu_market_overview", "eu_compare_markets"],
};

const euMarketOverview: Tool = {
  name: "eu_market_overview",
  title: "Overview of one European market",
  access: "read",
  summary: "Gives the standard figures of one country.",
  returns: "A summary, and the country's aggregates with unit, period and source.",
  input_schema: EuMarketOverviewInput,
  agent_description:
    "Read the standard figures of one European country, each with unit, period and source. Pass its two-letter code.",
  human_summary: "See one country's key figures at a glance.",
  use_when: ["A first picture of one country is needed, without a particular question."],
  do_not_use_when: [
    "Several countries are to be compared: use eu_compare_markets.",
    "A particular indicator is asked for: use query_eu_market.",
  ],
  examples: [
    {
      title: "The first figure of a country, from the starter data",
      input: { country: "CZ" },
      output_excerpt: { aggregates: [{ country: "CZ", indicator: "population", value: 10905028, period: "2024" }] },
    },
  ],
  errors: toolErrors,
  latency: null,
  related: ["eu_compare_markets", "query_eu_market", "eu_coverage"],
};

const euCompareMarkets: Tool = {
  name: "eu_compare_markets",
  title: "Compare European markets",
  access: "read",
  summary: "Sets the figures of two to ten countries side by side, with ranks.",
  returns: "A summary, and aggregates with ranks, for one indicator or for the standard ones.",
  input_schema: EuCompareMarketsInput,
  agent_description:
    "Compare 2-10 European countries by one indicator, or by the standard ones when none is named. Compare figures of the same period only; the result says where periods differ.",
  human_summary: "Put several countries' figures next to each other.",
  use_when: ["Candidate markets are weighed against each other."],
  do_not_use_when: [
    "Only one country matters: use eu_market_overview.",
    "The comparison should include firms or products: there are national aggregates only.",
  ],
  examples: [
    {
      title: "Two countries by one indicator, from the starter data",
      input: { countries: ["CZ", "SK"], indicator: "population" },
      output_excerpt: {
        summary: "Population, persons, 2024: Czechia 10,905,028; Slovakia 5,422,069. Highest: Czechia.",
      },
    },
  ],
  errors: toolErrors,
  latency: null,
  related: ["eu_market_overview", "query_eu_market", "eu_coverage"],
};

/** The tools, in the order of the specification. */
export const tools: Tool[] = [queryEuMarket, euCoverage, euMarketOverview, euCompareMarkets];
