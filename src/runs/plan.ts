import { runScopes } from "../contracts/scopes.ts";
import { type CapabilityManifest, soldStep, type UseCaseManifest } from "../registry/contract.ts";
import { capabilityBlocker, type Registry, useCaseBlocker } from "../registry/registry.ts";
import type { Plan, PricedStep } from "./accept.ts";

/** Returns the provider's share, which belongs to the plan: a connector may be replaced before the step is settled. */
function shareOf({ owner, provider, pricing }: CapabilityManifest): Pick<PricedStep, "provider"> {
  const { provider_cost_credits: credits } = pricing;
  return owner === undefined && credits === 0 ? {} : { provider: { name: provider, credits } };
}

/** Returns the plan for a capability: one step, at its live or trial price. */
export function capabilityPlan(manifest: CapabilityManifest, mode: "live" | "trial"): Plan {
  const { slug, name, semantic_version, pricing, trial } = manifest;
  const maximum_credits = mode === "trial" ? pricing.trial_credits : pricing.live_credits;
  return {
    kind: "capability",
    slug,
    semantic_version,
    steps: [
      { key: slug, capability: slug, title: name, maximum_credits, requires_approval: false, ...shareOf(manifest) },
    ],
    blocker: (gates) => capabilityBlocker(manifest, gates),
    trial,
    spending: manifest.permissions.includes("validator:run") ? [...runScopes, "validator:run"] : runScopes,
  };
}

/** Returns the plan for a use case: its steps with their prices. */
export const useCasePlan = (registry: Registry, useCase: UseCaseManifest): Plan => ({
  kind: "use_case",
  slug: useCase.slug,
  semantic_version: useCase.semantic_version,
  steps: useCase.steps.map((step) => {
    const sold = registry.capabilities.get(step.capability);
    return { ...soldStep(step), ...(step.needs && { needs: step.needs }), ...(sold && shareOf(sold)) };
  }),
  blocker: (gates) => useCaseBlocker(registry, useCase, gates),
  trial: null,
  spending: runScopes,
  ...(useCase.kept_input && { keptInput: useCase.kept_input }),
});
