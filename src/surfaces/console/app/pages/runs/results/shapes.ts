import type { TalentOutput } from "../../../../../../products/capabilities/talent-intelligence/schema.ts";
import type { Section } from "../../../../../../products/documents/document.ts";
import type { StructureOutput, TargetsOutput } from "../../../../../../products/market-entry/schema.ts";
import type { Schemas } from "../../../shared/api.ts";

/** The result type of each capability, from the server's OpenAPI document. */
interface Results {
  readonly "insurance-assistant": Schemas["InsuranceAssistantResult"];
  readonly "exa-filter": Schemas["ExaFilterResult"];
  readonly "afa-assurance": Schemas["AfaAssuranceResult"];
  readonly "market-validator": Schemas["MarketValidatorResult"];
  readonly "eu-market-data": Schemas["EuMarketDataResult"];
  readonly "germany-market-intelligence": Schemas["GermanyMarketIntelligenceResult"];
  readonly "company-intelligence": Schemas["CompanyIntelligenceResult"];
  readonly "distribution-intelligence": Schemas["DistributionIntelligenceResult"];
  // Steps of use cases that are not sold separately.
  readonly "talent-intelligence": TalentOutput;
  readonly structure: StructureOutput;
  readonly targets: TargetsOutput;
}
export type Slug = keyof Results;
export type ResultOf<S extends Slug> = Results[S];

/** The props of a result component: the input and the result. */
export interface ResultProps<S extends Slug> {
  readonly input: Readonly<Record<string, unknown>>;
  readonly result: ResultOf<S>;
}

/** The output of a step that writes a report. */
export interface Report {
  readonly sections: readonly Section[];
}
const holdsSections = (result: unknown): result is Report =>
  typeof result === "object" && result !== null && "sections" in result && Array.isArray(result.sections);

/** Returns the report of a run with its step's key; `undefined` if there is none. */
export function reportAmong(
  steps: Schemas["Run"]["steps"],
): { readonly key: string; readonly report: Report } | undefined {
  const { key, result } = steps.find(({ capability }) => capability === "report") ?? {};
  return key !== undefined && holdsSections(result) ? { key, report: result } : undefined;
}

/** Returns a member of the input if it is a text, else the empty text. */
export const textIn = (input: Readonly<Record<string, unknown>>, name: string): string => {
  const value = input[name];
  return typeof value === "string" ? value : "";
};
