import type { Schemas } from "../../shared/api.ts";

/** What a list shows of a capability or a use case alike. */
export interface Offer {
  readonly kind: "capability" | "use_case";
  readonly slug: string;
  readonly name: string;
  readonly outcome: string;
  readonly status: Schemas["Capability"]["status"] | Schemas["UseCaseSummary"]["status"];
  readonly countries: readonly string[];
  readonly credits: number;
  /** Of a capability, what is charged for. */
  readonly pricing: Schemas["CapabilityPricing"]["model"] | undefined;
  readonly runnable: boolean;
}

/** Why an offer can't be run by whoever looks at it: the code that a run would be refused with, or a word of the catalogue. */
export type Obstacle = "commercial_validation_required" | "capability_runs_disabled" | "not_entitled" | "not_allowed";

/** A capability as an offer. */
export const offerOfCapability = ({ pricing, ...rest }: Schemas["Capability"]): Offer => ({
  kind: "capability",
  slug: rest.slug,
  name: rest.name,
  outcome: rest.outcome,
  status: rest.status,
  countries: rest.countries,
  credits: pricing.live_credits,
  pricing: pricing.model,
  runnable: rest.runnable,
});

/** A use case as an offer. */
export const offerOfUseCase = (useCase: Schemas["UseCaseSummary"]): Offer => ({
  kind: "use_case",
  slug: useCase.slug,
  name: useCase.name,
  outcome: useCase.outcome,
  status: useCase.status,
  countries: useCase.countries,
  credits: useCase.maximum_credits,
  pricing: undefined,
  runnable: useCase.runnable,
});

/** Where it is in the console, below `/console`. */
export const pathOf = ({ kind, slug }: Pick<Offer, "kind" | "slug">): string =>
  `/${kind === "capability" ? "capabilities" : "use-cases"}/${slug}`;
