import type { Engine } from "../../../contracts/engine.ts";
import type { EngineServices } from "../../../registry/services.ts";
import { siteProfile } from "./computation.ts";
import type { CompanyIntelligenceInput, CompanyIntelligenceOutput } from "./schema.ts";
import { readSite } from "./site.ts";

/** Creates the embedded engine. Its runs throw what `readSite` throws. */
export function companyIntelligenceEngine({
  outbound,
  runtime,
  computing,
}: Pick<EngineServices, "outbound" | "runtime" | "computing">): Engine<
  CompanyIntelligenceInput,
  CompanyIntelligenceOutput
> {
  return {
    identity: { name: "company-intelligence", version: "1.0.0", model: null },
    ready: () => null,
    async run({ company_url }, { firm, signal, progress }) {
      const read = await readSite(company_url, { outbound, clock: runtime, computing, firm, signal, progress });
      return { result: await computing.run(siteProfile, read, { firm, signal }) };
    },
  };
}
