import type { Engine } from "../../../contracts/engine.ts";
import type { EngineServices } from "../../../registry/services.ts";
import { findAudience } from "./audience.ts";
import type { Site } from "./facts.ts";
import { findMarket } from "./market.ts";
import { findName } from "./name.ts";
import { findProducts } from "./products.ts";
import type { CompanyIntelligenceInput, CompanyIntelligenceOutput } from "./schema.ts";
import { readSite } from "./site.ts";

/** Lets others have their turn: a large site takes a while to judge. */
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Judges what was read of a site by rules alone: the same pages give the same profile. */
async function profileOf(site: Site, notes: readonly string[]): Promise<CompanyIntelligenceOutput> {
  const name = findName(site);
  await turn();
  const products = findProducts(site, name.name);
  await turn();
  const audience = findAudience(site);
  await turn();
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
  clock,
}: Pick<EngineServices, "outbound" | "clock">): Engine<CompanyIntelligenceInput, CompanyIntelligenceOutput> {
  return {
    identity: { name: "company-intelligence", version: "1.0.0", model: null },
    ready: () => null,
    async run({ company_url }, { signal, progress }) {
      const { site, notes } = await readSite(company_url, { outbound, clock, signal, progress });
      return { result: await profileOf(site, notes) };
    },
  };
}
