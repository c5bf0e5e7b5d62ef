import type { EngineSource } from "../../registry/services.ts";
import { pageReading, siteProfile } from "./company-intelligence/computation.ts";
import { lazyEngine } from "./lazy.ts";
import { pending } from "./pending.ts";

const pendingSteps = ["structure", "targets", "report"];

/** The engines of use-case steps and jobs that are no capabilities of their own, by the names that these give them. */
export const stepEngines: Readonly<Record<string, EngineSource>> = {
  "talent-intelligence": lazyEngine({ name: "talent-intelligence", model: null }, async () => {
    return (await import("./talent-intelligence/engine.ts")).talentIntelligence;
  }),
  "germany-enrichment": (services) =>
    lazyEngine(
      {
        ...{ name: "germany-enrichment", model: null, limits: { total: 8, perFirm: 2 } },
        computations: [pageReading, siteProfile],
      },
      async () => (await import("../germany/enrichment.ts")).germanyEnrichmentEngine(services),
    ),
  ...Object.fromEntries(pendingSteps.map((name) => [name, pending(name)])),
};
