import type { CapabilityDefinition, UseCaseManifest } from "../../registry/contract.ts";

/**
 * Returns the part of a one-capability use case that comes from the capability, including its price and input schema.
 */
export function singleStep(capability: CapabilityDefinition) {
  const { slug, name, countries, evidence_freshness, supported_execution_surfaces, limitations } = capability;
  return {
    semantic_version: "1.0.0",
    provider: "assay",
    access: "public",
    countries,
    evidence_freshness,
    supported_execution_surfaces,
    limitations,
    steps: [
      {
        key: slug,
        capability: slug,
        title: name,
        maximum_credits: capability.pricing.live_credits,
        requires_approval: false,
      },
    ],
    input_schema: capability.input_schema,
  } satisfies Partial<UseCaseManifest>;
}
