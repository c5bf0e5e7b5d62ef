import { type Static, Type as T } from "@sinclair/typebox";
import { closed, enumeration, nullable } from "../../../platform/schema.ts";
import { CompanyUrl, Probability } from "../fields.ts";

/** The input: the same field as the body of `POST /v1/company-analyses`. */
export const CompanyIntelligenceInput = closed({ company_url: CompanyUrl });
export type CompanyIntelligenceInput = Static<typeof CompanyIntelligenceInput>;

export const CompanyEvidence = closed({
  field: enumeration("company_name", "target_audience", "products_services", "market"),
  value: T.String({ description: "The value that the evidence supports." }),
  url: T.String({ description: "The page." }),
  place: T.String({ description: "Where on the page, such as title, menu or JSON-LD Organization.name." }),
  excerpt: T.String({ maxLength: 160, description: "The page's own words." }),
});
export type CompanyEvidence = Static<typeof CompanyEvidence>;

/** The profile. What the pages do not say is null, or an empty list. */
export const CompanyIntelligenceOutput = closed({
  company_name: nullable(T.String()),
  target_audience: nullable(T.String()),
  products_services: T.Array(T.String()),
  market: nullable(T.String()),
  confidence: T.Optional(
    closed(
      {
        company_name: Probability,
        target_audience: Probability,
        products_services: Probability,
        market: Probability,
      },
      { description: "1: structured data; 0.7: signals that agree; 0.4: one signal; less: hardly any; 0: not found." },
    ),
  ),
  evidence: T.Optional(T.Array(CompanyEvidence)),
  pages: T.Optional(T.Array(T.String(), { description: "The pages that were read." })),
  notes: T.Optional(T.Array(T.String(), { description: "What was not found, not read or is uncertain." })),
});
export type CompanyIntelligenceOutput = Static<typeof CompanyIntelligenceOutput>;
