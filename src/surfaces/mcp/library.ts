import type { CapabilityDetail } from "../../products/catalogue/schema.ts";
import { type Catalogue, capabilityDetail as detailOf } from "../../products/catalogue/service.ts";
import { capabilityNamed } from "../../registry/named.ts";
import type { Registry } from "../../registry/registry.ts";

/** Services that read the catalogue's contracts. */
export interface LibraryServices {
  readonly catalogue: Catalogue;
  readonly registry: Registry;
}

/**
 * Returns a capability's contract and statistics, if these entitlements allow seeing it. Throws `not_found` otherwise.
 */
export async function capabilityDetail(
  { registry, catalogue }: LibraryServices,
  slug: string,
  entitlements: readonly string[],
): Promise<CapabilityDetail> {
  const manifest = capabilityNamed(registry, slug, entitlements);
  return detailOf(manifest, await registry.gates(), await catalogue.statistics(slug));
}
