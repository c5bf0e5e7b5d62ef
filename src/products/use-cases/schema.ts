import { type Static, Type as T } from "@sinclair/typebox";
import { closed, nullable } from "../../platform/schema.ts";
import { Exposure, Surface, UseCaseStatus } from "../../registry/contract.ts";
import { Reason } from "../../runs/schema.ts";
import { CountryMember } from "../catalogue/schema.ts";

export const UseCaseFilter = T.Object({
  q: T.Optional(T.String({ maxLength: 200, description: "Words of the slug, name, outcome or category." })),
  outcome: T.Optional(T.String({ maxLength: 160, description: "Words of the outcome." })),
  country: CountryMember,
  provider: T.Optional(T.String({ maxLength: 80, description: "Such as assay." })),
  status: T.Optional({ ...UseCaseStatus, description: "Its maturity." }),
  access: T.Optional({ ...Exposure, description: "gated: behind a commercial gate." }),
  category: T.Optional(T.String({ maxLength: 120, description: "Words of the category." })),
  max_price: T.Optional(T.Integer({ minimum: 0, maximum: 100_000, description: "Maximum cost of a run, in credits." })),
});
export type UseCaseFilter = Static<typeof UseCaseFilter>;

const credits = () => T.Integer({ minimum: 0 });

const listed = {
  slug: T.String(),
  name: T.String(),
  outcome: T.String(),
  category: T.String(),
  semantic_version: T.String(),
  provider: T.String(),
  status: UseCaseStatus,
  access: Exposure,
  countries: T.Array(T.String()),
  maximum_credits: credits(),
  currency: T.Literal("credits"),
  evidence_freshness: T.String(),
  supported_execution_surfaces: T.Array(Surface),
  delivered_results: T.Array(T.String()),
  runnable: T.Boolean(),
};

export const UseCaseSummary = closed(listed, { title: "UseCaseSummary" });
export type UseCaseSummary = Static<typeof UseCaseSummary>;

export const PricedStep = closed({
  key: T.String(),
  capability: T.String(),
  title: T.String(),
  maximum_credits: credits(),
  requires_approval: T.Boolean(),
});

export const UseCase = closed(
  {
    ...listed,
    description: T.String(),
    steps: T.Array(PricedStep),
    input_schema: T.Record(T.String(), T.Unknown()),
    dependencies: T.Array(T.String()),
    limitations: T.Array(T.String()),
    execution_blocker: nullable(Reason),
  },
  { title: "UseCase" },
);
export type UseCase = Static<typeof UseCase>;

export const QuoteRequest = closed(
  {
    input: T.Object({}, { additionalProperties: true, description: "Validated against the use case's input schema." }),
  },
  { title: "QuoteRequest" },
);

export const Quote = closed(
  {
    id: T.String({ format: "uuid" }),
    use_case: T.String(),
    semantic_version: T.String(),
    maximum_credits: credits(),
    reserved_credits: T.Literal(0),
    currency: T.Literal("credits"),
    steps: T.Array(PricedStep),
    approval_required: T.Boolean(),
    execution_gate: closed({ open: T.Boolean(), code: nullable(T.String()), message: nullable(T.String()) }),
    created_at: T.String({ format: "date-time" }),
    expires_at: T.String({ format: "date-time" }),
  },
  { title: "Quote" },
);
export type Quote = Static<typeof Quote>;
