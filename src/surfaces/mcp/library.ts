import { failure } from "../../platform/errors.ts";
import type { CapabilityDetail } from "../../products/catalogue/schema.ts";
import { type Catalogue, capabilityDetail as detailOf } from "../../products/catalogue/service.ts";
import type { UseCaseManifest } from "../../registry/contract.ts";
import { isVisible, type Registry } from "../../registry/registry.ts";

/** What the catalogue's contracts are read from. */
export interface LibraryServices {
  readonly catalogue: Catalogue;
  readonly registry: Registry;
}

/** A capability's contract as the holder of these entitlements may see it, with statistics; else `not_found`. */
export async function capabilityDetail(
  { registry, catalogue }: LibraryServices,
  slug: string,
  entitlements: readonly string[],
): Promise<CapabilityDetail> {
  const manifest = registry.capabilities.get(slug);
  if (!manifest || !isVisible(manifest, entitlements)) throw failure("not_found");
  return detailOf(manifest, await registry.gates(), await catalogue.statistics(slug));
}

/** A use case of that name, or `not_found`. */
export function findUseCase(registry: Registry, slug: string): UseCaseManifest {
  const useCase = registry.useCases.get(slug);
  if (!useCase) throw failure("not_found");
  return useCase;
}
