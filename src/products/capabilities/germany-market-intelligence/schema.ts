import { type Static, Type as T } from "@sinclair/typebox";
import { closed } from "../../../platform/schema.ts";
import { DatasetSource, figure } from "../fields.ts";

/** The input, which is the empty object. */
export const GermanyMarketIntelligenceInput = closed({});
export type GermanyMarketIntelligenceInput = Static<typeof GermanyMarketIntelligenceInput>;

/** The overview: metrics with the periods and labels of their sources. */
export const GermanyMarketIntelligenceOutput = closed({
  summary: T.String(),
  data: closed({ metrics: T.Array(closed(figure)), caveats: T.Array(T.String()) }),
  sources: T.Optional(T.Array(DatasetSource)),
});
export type GermanyMarketIntelligenceOutput = Static<typeof GermanyMarketIntelligenceOutput>;
