import { type Static, Type as T } from "@sinclair/typebox";
import { closed } from "../../../platform/schema.ts";
import { DatasetSource, figure } from "../fields.ts";

/** The input, which is the empty object. */
export const GermanyMarketIntelligenceInput = closed({});
export type GermanyMarketIntelligenceInput = Static<typeof GermanyMarketIntelligenceInput>;

/** A figure of the overview. */
export const GermanyFigure = closed({
  ...figure,
  title: T.String({ description: "What the figure measures, in English." }),
});

/** The overview: metrics with the periods and labels of their sources. */
export const GermanyMarketIntelligenceOutput = closed({
  summary: T.String(),
  data: closed({ metrics: T.Array(GermanyFigure), caveats: T.Array(T.String()) }),
  sources: T.Optional(T.Array(DatasetSource)),
});
export type GermanyMarketIntelligenceOutput = Static<typeof GermanyMarketIntelligenceOutput>;
