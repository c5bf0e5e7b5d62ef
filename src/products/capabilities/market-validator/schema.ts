import { type Static, Type as T } from "@sinclair/typebox";
import { closed, enumeration, notBlank, nullable } from "../../../platform/schema.ts";
import { Probability } from "../fields.ts";

const AudienceId = T.String({ format: "uuid", description: "From list_audiences or create_audience." });
const SimulationId = T.String({ format: "uuid", description: "From run_validation or list_validations." });
const Market = T.String({ minLength: 2, maxLength: 120, ...notBlank, description: "A country, by its name or code." });

const askedMarket = "Its people are interviewed, even if the audience is for another market.";

/** The input. Without `audience_id`, the personas are drawn from the market's own distributions. */
export const MarketValidatorInput = closed(
  {
    hypothesis: T.String({
      minLength: 10,
      maxLength: 2000,
      ...notBlank,
      description: "Who would buy what, for which problem.",
    }),
    market: { ...Market, description: `${Market.description} ${askedMarket}` },
    audience_id: T.Optional(AudienceId),
  },
  {
    examples: [
      {
        hypothesis:
          "Commuters in Czechia who cycle every day would buy theft cover for their bicycle at 99 CZK a month.",
        market: "CZ",
      },
    ],
  },
);
export type MarketValidatorInput = Static<typeof MarketValidatorInput>;

/** `verdict` and `confidence` are null for a validation that could not finish; `notes` is absent if there are none. */
export const MarketValidatorOutput = closed({
  status: enumeration("running", "completed"),
  verdict: T.Optional(nullable(enumeration("GO", "NO-GO", "CONDITIONAL"))),
  confidence: T.Optional(nullable(Probability)),
  result_reference: T.String(),
  notes: T.Optional(
    T.Array(T.String(), {
      description: "How those interviewed differ from those intended, and how the price was understood.",
    }),
  ),
});
export type MarketValidatorOutput = Static<typeof MarketValidatorOutput>;

/** The inputs of the Validator's own tools, as in the specification's Validator group. */
export const ListAudiencesInput = closed({});
export const GetAudienceDetailsInput = closed({ audience_id: AudienceId });
export const ListValidationsInput = closed({
  limit: T.Optional(T.Integer({ minimum: 1, maximum: 50, default: 10, description: "Maximum number, newest first." })),
});
export const GetResultInput = closed({ simulation_id: SimulationId });
export const CreateAudienceInput = closed({
  name: T.String({ minLength: 1, maxLength: 120, ...notBlank, description: "What the audience is called." }),
  description: T.String({ minLength: 1, maxLength: 2000, ...notBlank, description: "Who belongs to it." }),
  market: T.Optional(Market),
  size: T.Optional(T.Integer({ minimum: 5, maximum: 50, default: 10, description: "How many personas." })),
});
export const RunValidationInput = closed({
  hypothesis: MarketValidatorInput.properties.hypothesis,
  audience_id: AudienceId,
  market: T.Optional({
    ...Market,
    description: "A country, by name or code, whose people are interviewed instead of the audience's.",
  }),
  decision_size: T.Optional(
    T.Unsafe<"S" | "M" | "L" | "XL">({
      ...enumeration("S", "M", "L", "XL"),
      default: "M",
      description: "The size of the decision; a larger one triggers a deeper analysis.",
    }),
  ),
});
