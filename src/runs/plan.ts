import { runScopes } from "../contracts/scopes.ts";
import type { Identity, Principal } from "../identity/principal.ts";
import { lacksEntitlements } from "../platform/errors.ts";
import { type CapabilityManifest, soldStep, type UseCaseManifest } from "../registry/contract.ts";
import { capabilityBlocker, isVisible, type Registry, useCaseBlocker } from "../registry/registry.ts";
import type { Plan, PricedStep } from "./accept.ts";

/** Returns the provider's share, which belongs to the plan: a connector may be replaced before the step is settled. */
function shareOf({ owner, provider, pricing }: CapabilityManifest): Pick<PricedStep, "provider"> {
  const { provider_cost_credits: credits } = pricing;
  return owner === undefined && credits === 0 ? {} : { provider: { name: provider, credits } };
}

/**
 * Returns a capability that the caller's firm may run, or `undefined` if it may not see it. Throws `missing_scope` if it
 * lacks an entitlement. Most capabilities need none, so that none are read.
 */
export async function runnableFor(
  { identity, registry }: { readonly identity: Identity; readonly registry: Registry },
  { firm_id }: Principal,
  slug: string,
): Promise<CapabilityManifest | undefined> {
  const manifest = registry.capabilities.get(slug);
  if (!manifest || manifest.entitlements.length === 0) return manifest;
  const held = await identity.entitlements(firm_id);
  if (!isVisible(manifest, held)) return undefined;
  const lacking = manifest.entitlements.filter((name) => !held.includes(name));
  if (lacking.length > 0) throw lacksEntitlements(lacking);
  return manifest;
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
