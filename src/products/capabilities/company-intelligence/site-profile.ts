import { findAudience } from "./audience.ts";
import type { Site } from "./facts.ts";
import { findMarket } from "./market.ts";
import { findName } from "./name.ts";
import { findProducts } from "./products.ts";
import type { CompanyIntelligenceOutput } from "./schema.ts";

/** Judges a site by rules alone, so that the same pages give the same profile. Runs in a worker thread. */
export function profileOf(site: Site, notes: readonly string[]): CompanyIntelligenceOutput {
  const name = findName(site);
  const products = findProducts(site, name.name);
  const audience = findAudience(site);
  const market = findMarket(site);
  const missing = [
    ...(products.note === null ? [] : [products.note]),
    ...(audience.value === null ? ["The pages do not say whom they address."] : []),
    ...(market.value === null ? ["The pages do not say which market they serve."] : []),
  ];
  return {
    company_name: name.name,
    target_audience: audience.value,
    products_services: products.value,
    market: market.value,
    confidence: {
      company_name: name.confidence,
      target_audience: audience.confidence,
      products_services: products.confidence,
      market: market.confidence,
    },
    evidence: [...name.evidence, ...audience.evidence, ...products.evidence, ...market.evidence],
    pages: site.pages.map(({ url }) => url),
    notes: [...(name.note === null ? [] : [name.note]), ...missing, ...notes],
  };
}
