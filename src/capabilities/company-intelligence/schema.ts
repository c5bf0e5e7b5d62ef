import { type Static, Type as T } from "@sinclair/typebox";
import { closed, nullable } from "../../platform/schema.ts";
import { CompanyUrl } from "../fields.ts";

/** The same field as the body of `POST /v1/company-analyses`. */
export const CompanyIntelligenceInput = closed({ company_url: CompanyUrl });
export type CompanyIntelligenceInput = Static<typeof CompanyIntelligenceInput>;

/** What the pages do not say is null, or an empty list. */
export const CompanyIntelligenceOutput = closed({
  company_name: nullable(T.String()),
  target_audience: nullable(T.String()),
  products_services: T.Array(T.String()),
  market: nullable(T.String()),
});
export type CompanyIntelligenceOutput = Static<typeof CompanyIntelligenceOutput>;
