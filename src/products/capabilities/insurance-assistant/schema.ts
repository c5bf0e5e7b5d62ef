import { type Static, Type as T } from "@sinclair/typebox";
import { closed, enumeration, notBlank, nullable } from "../../../platform/schema.ts";
import { AskedPlace, Probability, TrustState } from "../fields.ts";

/** A question for one country; also the body of `POST /v1/insurance/ask`. */
export const InsuranceAssistantInput = closed({
  question: T.String({
    minLength: 3,
    maxLength: 1500,
    ...notBlank,
    description: "In any language of the documents.",
  }),
  country: AskedPlace,
  product_line: T.Optional(T.String({ maxLength: 80, description: "Such as household or travel." })),
  language: T.Optional(
    T.String({
      maxLength: 20,
      description: "Language of the remarks: cs, sk, de, pl, en or fr, else English. Default: the question's.",
    }),
  ),
});
export type InsuranceAssistantInput = Static<typeof InsuranceAssistantInput>;

/**
 * A passage that an answer cites. `document_type` is null for a legal note, which is no carrier's document. Older
 * results may lack the optional fields.
 */
export const InsuranceSource = closed({
  id: T.String(),
  title: T.String(),
  carrier: nullable(T.String()),
  document_type: nullable(enumeration("terms", "ipid", "methodology")),
  provenance: T.String(),
  language: T.String(),
  page: nullable(T.Integer({ minimum: 1 })),
  heading: T.Optional(
    nullable(T.String({ description: "The headings above it, down to its clause, separated by >." })),
  ),
  version: T.Optional(T.String({ description: "Version of the document, as its publisher writes it." })),
  valid_from: T.Optional(
    nullable(T.String({ format: "date", description: "First day of validity; null if unknown." })),
  ),
  excerpt: T.String(),
  url: nullable(T.String({ format: "uri" })),
  score: T.Number(),
});

/** The answer. Without evidence it has no sources and the trust state FAIL. */
export const InsuranceAssistantOutput = closed({
  answer: T.String(),
  sources: T.Array(InsuranceSource),
  trust_state: TrustState,
  confidence: T.Optional(nullable(Probability)),
});
export type InsuranceAssistantOutput = Static<typeof InsuranceAssistantOutput>;
