import type { Engine } from "../../../contracts/engine.ts";
import type { Runtime } from "../../../platform/runtime.ts";
import type { EngineServices } from "../../../registry/services.ts";
import { findAudience } from "./audience.ts";
import type { Site } from "./facts.ts";
import { findMarket } from "./market.ts";
import { findName } from "./name.ts";
import { findProducts } from "./products.ts";
import type { CompanyIntelligenceInput, CompanyIntelligenceOutput } from "./schema.ts";
import { readSite } from "./site.ts";

/**
 * Judges what was read of a site by rules alone: the same pages give the same profile. A large site takes a while:
 * others have turns in between.
 */
async function profileOf(
  runtime: Pick<Runtime, "nextTurn">,
  site: Site,
  notes: readonly string[],
): Promise<CompanyIntelligenceOutput> {
  const name = findName(site);
  await runtime.nextTurn();
  const products = findProducts(site, name.name);
  await runtime.nextTurn();
  const audience = findAudience(site);
  await runtime.nextTurn();
  const market = findMarket(site);
  const missing = [
    ...(products.value.length === 0 ? ["The pages name no products or services that could be told apart."] : []),
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

/** Makes the embedded engine; the registry calls it. Its runs throw what `readSite` throws. */
export function companyIntelligenceEngine({
  outbound,
  runtime,
}: Pick<EngineServices, "outbound" | "runtime">): Engine<CompanyIntelligenceInput, CompanyIntelligenceOutput> {
  return {
    identity: { name: "company-intelligence", version: "1.0.0", model: null },
    ready: () => null,
    async run({ company_url }, { signal, progress }) {
      const { site, notes } = await readSite(company_url, { outbound, clock: runtime, signal, progress });
      return { result: await profileOf(runtime, site, notes) };
    },
  };
}
