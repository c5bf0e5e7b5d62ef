import { type Static, Type as T } from "@sinclair/typebox";
import { closed, described, enumeration, notBlank, nullable } from "../../../platform/schema.ts";
import { Probability, TrustState } from "../fields.ts";

/** Countries where the check is offered, and whose documents are searched without sources and a country. */
export const servedCountries = ["CZ", "SK"] as const;

/** The input. Without sources, the imported insurance documents are searched. */
export const ExaFilterInput = closed({
  question: T.String({ minLength: 3, maxLength: 5000, ...notBlank, description: "What was asked." }),
  answer: T.String({ minLength: 1, maxLength: 20_000, ...notBlank, description: "The text to check." }),
  insurer: T.Optional(T.String({ maxLength: 120, description: "The insurer concerned." })),
  sources: T.Optional(
    T.Array(T.String({ maxLength: 2000 }), { maxItems: 50, description: "Passages that should support the answer." }),
  ),
  country: T.Optional(
    described(
      enumeration(...servedCountries),
      "Whose law and language apply. Without it, an answer resting on one country's imported documents is never OK.",
    ),
  ),
  insurance_type: T.Optional(T.String({ maxLength: 60, description: "Such as household or travel." })),
});
export type ExaFilterInput = Static<typeof ExaFilterInput>;

/** One claim of the answer. `start` and `end` are its offsets there in UTF-16 code units. */
export const CheckedClaim = closed({
  text: T.String(),
  start: T.Integer({ minimum: 0 }),
  end: T.Integer({ minimum: 0 }),
  supported: T.Boolean(),
  probability: Probability,
  read: T.Boolean({
    description: "Whether the built-in model read the claim with its sources; otherwise words alone decided.",
  }),
  reason: nullable(T.String()),
});
export type CheckedClaim = Static<typeof CheckedClaim>;

/** The verdict on the whole answer. `claims` are in text order. */
export const ExaFilterOutput = closed({
  trust_state: TrustState,
  faithfulness_score: T.Optional(Probability),
  confidence_score: T.Optional(Probability),
  verdict_text: T.Optional(T.String({ description: "In the answer's language; names the unsupported claims." })),
  sources: T.Array(T.String(), { description: "The given sources that support the answer." }),
  claims: T.Optional(T.Array(CheckedClaim)),
});
export type ExaFilterOutput = Static<typeof ExaFilterOutput>;
