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

/** The members that every client carries along; an answer has more. */
const Coverage = T.Object({ version: T.Integer(), indicators: T.Array(T.Object({ indicator: T.String() })) });
const View = T.Object({
  summary: T.String(),
  aggregates: T.Array(T.Object({ country: T.String(), indicator: T.String() })),
});

/** What the tools of market data work with. */
export interface MarketToolServices {
  readonly euMarket: EuMarket;
  readonly registry: Registry;
}

/** What a tool has of the manifest that lists it. */
function listed({ tools, permissions, engine }: CapabilityManifest, name: string) {
  const sold = tools.find((one) => one.name === name);
  return {
    ...{ name, title: sold?.title ?? name, description: sold?.summary ?? name },
    scopes: permissions.filter(isScope),
    hints: reading,
    offered: () => engine.ready() === null,
  };
}

const viewed = async (made: Promise<EuMarketView>): Promise<Answer<EuMarketView>> => {
  const value = await made;
  return { value, text: value.summary };
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
        return { value, text: JSON.stringify(value.indicators) };
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
