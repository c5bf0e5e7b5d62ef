import type { Schemas } from "../../../shared/api.ts";

/** What each capability delivers, as the server's own document says. */
interface Results {
  readonly "insurance-assistant": Schemas["InsuranceAssistantResult"];
  readonly "exa-filter": Schemas["ExaFilterResult"];
  readonly "afa-assurance": Schemas["AfaAssuranceResult"];
  readonly "market-validator": Schemas["MarketValidatorResult"];
  readonly "eu-market-data": Schemas["EuMarketDataResult"];
  readonly "germany-market-intelligence": Schemas["GermanyMarketIntelligenceResult"];
  readonly "company-intelligence": Schemas["CompanyIntelligenceResult"];
}
export type Slug = keyof Results;
export type ResultOf<S extends Slug> = Results[S];

/** What a renderer is given: what went in, and what came out. */
export interface ResultProps<S extends Slug> {
  readonly input: Readonly<Record<string, unknown>>;
  readonly result: ResultOf<S>;
}

/** A member of the input, where it is a text. */
export const textIn = (input: Readonly<Record<string, unknown>>, name: string): string => {
  const value = input[name];
  return typeof value === "string" ? value : "";
};
