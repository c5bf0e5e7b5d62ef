import type { EngineSource } from "../../registry/services.ts";
import { pageReading, robotsReading, siteProfile } from "./company-intelligence/computation.ts";
import { lazyEngine } from "./lazy.ts";

/** The engines of use-case steps and jobs that are not capabilities, by the names that these use. */
export const stepEngines: Readonly<Record<string, EngineSource>> = {
  "talent-intelligence": lazyEngine({ name: "talent-intelligence", model: null }, async () => {
    return (await import("./talent-intelligence/engine.ts")).talentIntelligence;
  }),
  "germany-enrichment": (services) =>
    lazyEngine(
      {
        ...{ name: "germany-enrichment", model: null, limits: { total: 8, perFirm: 2 } },
        computations: [robotsReading, pageReading, siteProfile],
      },
      async () => (await import("../germany/enrichment.ts")).germanyEnrichmentEngine(services),
    ),
  structure: (services) =>
    lazyEngine({ name: "structure", model: null }, async () =>
      (await import("../market-entry/structure.ts")).structureEngine(services),
    ),
  targets: (services) =>
    lazyEngine({ name: "targets", model: null }, async () =>
      (await import("../market-entry/targets.ts")).targetsEngine(services),
    ),
  report: lazyEngine({ name: "report", model: null }, async () => {
    return (await import("../market-entry/report.ts")).reportEngine;
  }),
};
