import { Type as T, type TObject } from "@sinclair/typebox";
import { isScope } from "../../contracts/scopes.ts";
import {
  EuCompareMarketsInput,
  EuCoverageInput,
  EuMarketOverviewInput,
} from "../../products/capabilities/eu-market-data/schema.ts";
import type { EuMarketView } from "../../products/eu-market/schema.ts";
import type { EuMarket } from "../../products/eu-market/service.ts";
import type { CapabilityManifest } from "../../registry/contract.ts";
import type { Registry } from "../../registry/registry.ts";
import { type Answer, reading, type Tool, tool } from "./tool.ts";

/** The main members of the answers, which have more. */
const Coverage = T.Object({ version: T.Integer(), indicators: T.Array(T.Object({ indicator: T.String() })) });
const View = T.Object({
  summary: T.String(),
  aggregates: T.Array(T.Object({ country: T.String(), indicator: T.String() })),
});

/** Services used by the market data tools. */
export interface MarketToolServices {
  readonly euMarket: EuMarket;
  readonly registry: Registry;
}

/** Returns a tool's description from its manifest. */
function listed({ tools, permissions, engine }: CapabilityManifest, name: string) {
  const sold = tools.find((one) => one.name === name);
  return {
    ...{ name, title: sold?.title ?? name, description: sold?.summary ?? name },
    scopes: permissions.filter(isScope),
    hints: reading,
    offered: () => engine.ready() === null,
  };
}

type Figure = EuMarketView["aggregates"][number];

/** Formats a figure in one line, with everything needed to quote it. */
function lineOf(one: Figure): string {
  const { country, indicator, value, unit, period, source, reliability, flags, rank } = one;
  const { change, growth_percent, compared_period } = one;
  const published = [source.publisher, source.code].filter((part) => part !== null).join(", ");
  const growth = growth_percent === null ? "" : ` (${growth_percent} %)`;
  const more = [
    `reliability ${reliability}`,
    ...(flags.length > 0 ? [`flags ${flags.join(" ")}`] : []),
    ...(rank === null ? [] : [`rank ${rank}`]),
    ...(change === null ? [] : [`change ${change}${growth} since ${compared_period}`]),
    ...(one.disputed ? ["disputed"] : []),
    ...(one.corroborated ? ["corroborated"] : []),
  ];
  return `- ${country} ${indicator}: ${value ?? "no figure"}, ${unit}, ${period}; ${published}; ${more.join("; ")}`;
}

const sourceLineOf = ({
  title,
  publisher,
  period,
  licence,
  url,
  reliability,
}: EuMarketView["sources"][number]): string =>
  `- ${[title, publisher, period, licence, url].filter((part) => part !== null).join(", ")}; reliability ${reliability}`;

const viewed = async (made: Promise<EuMarketView>): Promise<Answer<EuMarketView>> => {
  const value = await made;
  const { summary, aggregates, sources } = value;
  const figures = ["Figures:", ...aggregates.map(lineOf)].join("\n");
  return { value, text: [summary, figures, ["Sources:", ...sources.map(sourceLineOf)].join("\n")].join("\n\n") };
};

/** Reads of the market data that need no question. They are free and answered at once. */
export function marketTools({ euMarket, registry }: MarketToolServices): Tool[] {
  const manifest = registry.capabilities.get("eu-market-data");
  if (!manifest) return [];
  return [
    tool<TObject, typeof Coverage>({
      ...listed(manifest, "eu_coverage"),
      input: EuCoverageInput,
      output: Coverage,
      async run() {
        const value = await euMarket.coverage();
        return { value, text: JSON.stringify(value) };
      },
    }),
    tool({
      ...listed(manifest, "eu_market_overview"),
      input: EuMarketOverviewInput,
      output: View,
      run: ({ country }) => viewed(euMarket.overview(country)),
    }),
    tool({
      ...listed(manifest, "eu_compare_markets"),
      input: EuCompareMarketsInput,
      output: View,
      run: ({ countries, indicator }) => viewed(euMarket.compare(countries, indicator)),
    }),
  ];
}
