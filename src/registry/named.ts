import type { Failure } from "../platform/errors.ts";
import { unknownSlug } from "../platform/suggest.ts";
import type { CapabilityManifest, UseCaseManifest } from "./contract.ts";
import { isVisible, type Registry } from "./registry.ts";

/** Returns `not_found` with suggestions from what the holder of these entitlements may see. */
export function unknownCapability({ capabilities }: Registry, slug: string, held: readonly string[]): Failure {
  const seen = [...capabilities.values()].filter((other) => isVisible(other, held));
  return unknownSlug(
    slug,
    seen.map((other) => other.slug),
  );
}

/**
 * Returns a capability that the holder of these entitlements may see; otherwise throws `not_found` with suggestions.
 */
export function capabilityNamed(registry: Registry, slug: string, held: readonly string[]): CapabilityManifest {
  const manifest = registry.capabilities.get(slug);
  if (!manifest || !isVisible(manifest, held)) throw unknownCapability(registry, slug, held);
  return manifest;
}

/** Returns a use case; otherwise throws `not_found` with suggestions. */
export function useCaseNamed(registry: Registry, slug: string): UseCaseManifest {
  const useCase = registry.useCases.get(slug);
  if (!useCase) throw unknownSlug(slug, registry.useCases.keys());
  return useCase;
}
