import type { CapabilityDefinition, UseCaseManifest } from "../../registry/contract.ts";

/** What a use case of one capability takes over from it: its price and its input schema are that capability's own. */
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
