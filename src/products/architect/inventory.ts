import { messageOf } from "../../platform/errors.ts";
import { type CapabilityManifest, soldStep, type UseCaseManifest } from "../../registry/contract.ts";
import { type Blocker, capabilityBlocker, isVisible, type Registry, useCaseBlocker } from "../../registry/registry.ts";
import { maximumOf } from "../use-cases/service.ts";
import type { Product } from "./schema.ts";

/** The approved product copy: what is on sale now, with the registry's texts and prices. */

const inputsOf = ({ properties, required = [] }: CapabilityManifest["input_schema"]): Product["inputs"] =>
  Object.entries(properties).map(([name, { description }]) => ({
    name,
    required: required.includes(name),
    description: description ?? null,
  }));

const shownBlocker = (code: Blocker | null) => ({
  runnable: code === null,
  blocker: code && { code, message: messageOf(code) },
});

const ofCapability = (manifest: CapabilityManifest, gates: ReadonlySet<string>): Product => ({
  slug: manifest.slug,
  kind: "capability",
  name: manifest.name,
  outcome: manifest.outcome,
  description: manifest.description,
  countries: manifest.countries,
  surfaces: manifest.supported_execution_surfaces,
  inputs: inputsOf(manifest.input_schema),
  permissions: ["capabilities:run"],
  entitlements: [...manifest.entitlements],
  approvals: [],
  capabilities: [manifest.slug],
  maximum_credits: manifest.pricing.live_credits,
  limitations: manifest.limitations,
  evidence_freshness: manifest.evidence_freshness,
  ...shownBlocker(capabilityBlocker(manifest, gates)),
  documentation_url: manifest.documentation_url,
});

const ofUseCase = (registry: Registry, useCase: UseCaseManifest, gates: ReadonlySet<string>): Product => ({
  slug: useCase.slug,
  kind: "use_case",
  name: useCase.name,
  outcome: useCase.outcome,
  description: useCase.description,
  countries: [...useCase.countries],
  surfaces: [...useCase.supported_execution_surfaces],
  inputs: inputsOf(useCase.input_schema),
  permissions: ["use-cases:run"],
  entitlements: [
    ...new Set(useCase.steps.flatMap(({ capability }) => registry.capabilities.get(capability)?.entitlements ?? [])),
  ],
  approvals: useCase.steps
    .map(soldStep)
    .filter(({ requires_approval }) => requires_approval)
    .map(({ key, title }) => ({ step: key, title })),
  capabilities: [...new Set(useCase.steps.map(({ capability }) => capability))],
  maximum_credits: maximumOf(useCase),
  limitations: [...useCase.limitations],
  evidence_freshness: useCase.evidence_freshness,
  ...shownBlocker(useCaseBlocker(registry, useCase, gates)),
  documentation_url: `/v1/docs/${useCase.slug}`,
});

/**
 * Returns every product visible to a firm with these entitlements, use cases first, since they are complete outcomes.
 */
export async function inventoryOf(registry: Registry, held: readonly string[]): Promise<Product[]> {
  const gates = await registry.gates();
  const visible = [...registry.capabilities.values()].filter((manifest) => isVisible(manifest, held));
  return [
    ...[...registry.useCases.values()].map((useCase) => ofUseCase(registry, useCase, gates)),
    ...visible.map((manifest) => ofCapability(manifest, gates)),
  ];
}
