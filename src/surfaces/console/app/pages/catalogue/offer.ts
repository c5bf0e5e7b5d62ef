import type { Schemas } from "../../shared/api.ts";

/** The fields that lists show for both capabilities and use cases. */
export interface Offer {
  readonly kind: "capability" | "use_case";
  readonly slug: string;
  readonly name: string;
  readonly outcome: string;
  readonly status: Schemas["Capability"]["status"] | Schemas["UseCaseSummary"]["status"];
  readonly countries: readonly string[];
  readonly credits: number;
  /** A capability's pricing model. */
  readonly pricing: Schemas["CapabilityPricing"]["model"] | undefined;
  readonly runnable: boolean;
}

/** Why the current person can't run an offer: the error code of a refused run, or one of the console's own reasons. */
export type Obstacle = "commercial_validation_required" | "capability_runs_disabled" | "not_entitled" | "not_allowed";

/** Converts a capability to an offer. */
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

/** Converts a use case to an offer. */
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

/** Returns the offer's path below `/console`. */
export const pathOf = ({ kind, slug }: Pick<Offer, "kind" | "slug">): string =>
  `/${kind === "capability" ? "capabilities" : "use-cases"}/${slug}`;
