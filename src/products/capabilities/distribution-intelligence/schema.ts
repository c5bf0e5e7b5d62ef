import { type Static, Type as T } from "@sinclair/typebox";
import { closed, notBlank, nullable } from "../../../platform/schema.ts";
import { figure } from "../fields.ts";

/** A question about one dataset. An unknown dataset is refused when the run executes. */
export const DistributionIntelligenceInput = closed({
  question: T.String({
    minLength: 3,
    maxLength: 1000,
    ...notBlank,
    description: "About groups, never about a person.",
  }),
  dataset: T.String({ minLength: 1, maxLength: 80, ...notBlank, description: "The name of an imported dataset." }),
});
export type DistributionIntelligenceInput = Static<typeof DistributionIntelligenceInput>;

/** A figure for one group, such as a region; `group` is null for the total. A suppressed figure has no value. */
export const GroupAggregate = closed({ ...figure, group: nullable(T.String()), suppressed: T.Boolean() });
export type GroupAggregate = Static<typeof GroupAggregate>;

/** The answer. Every number of the summary occurs in the aggregates, or in quoted words of the question. */
export const DistributionIntelligenceOutput = closed({
  summary: T.String(),
  aggregates: T.Array(GroupAggregate),
  result_reference: T.Optional(nullable(T.String())),
});
export type DistributionIntelligenceOutput = Static<typeof DistributionIntelligenceOutput>;
