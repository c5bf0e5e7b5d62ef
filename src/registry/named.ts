import { unknownSlug } from "../platform/suggest.ts";
import type { CapabilityManifest, UseCaseManifest } from "./contract.ts";
import { isVisible, type Registry } from "./registry.ts";

/** A capability as the holder of these entitlements may see it, else `not_found` with what may have been meant. */
export function capabilityNamed(registry: Registry, slug: string, held: readonly string[]): CapabilityManifest {
  const manifest = registry.capabilities.get(slug);
  if (manifest && isVisible(manifest, held)) return manifest;
  const seen = [...registry.capabilities.values()].filter((other) => isVisible(other, held));
  throw unknownSlug(
    slug,
    seen.map((other) => other.slug),
  );
}

/** A use case, else `not_found` with what may have been meant. */
export function useCaseNamed(registry: Registry, slug: string): UseCaseManifest {
  const useCase = registry.useCases.get(slug);
  if (!useCase) throw unknownSlug(slug, registry.useCases.keys());
  return useCase;
}
