import type { CapabilityDetail } from "../../products/catalogue/schema.ts";
import { type Catalogue, capabilityDetail as detailOf } from "../../products/catalogue/service.ts";
import { capabilityNamed } from "../../registry/named.ts";
import type { Registry } from "../../registry/registry.ts";

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
  const manifest = capabilityNamed(registry, slug, entitlements);
  return detailOf(manifest, await registry.gates(), await catalogue.statistics(slug));
}
