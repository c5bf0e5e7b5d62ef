import type { CapabilityDefinition } from "../../registry/contract.ts";
import { afaAssurance } from "./afa-assurance/manifest.ts";
import { companyIntelligence } from "./company-intelligence/manifest.ts";
import { distributionIntelligence } from "./distribution-intelligence/manifest.ts";
import { euMarketData } from "./eu-market-data/manifest.ts";
import { exaFilter } from "./exa-filter/manifest.ts";
import { germanyMarketIntelligence } from "./germany-market-intelligence/manifest.ts";
import { insuranceAssistant } from "./insurance-assistant/manifest.ts";
import { marketValidator } from "./market-validator/manifest.ts";

/** The capabilities that are sold, in the catalogue's order. To add one, create its folder and add a line here. */
export const capabilities: readonly CapabilityDefinition[] = [
  insuranceAssistant,
  marketValidator,
  afaAssurance,
  exaFilter,
  euMarketData,
  companyIntelligence,
  distributionIntelligence,
  germanyMarketIntelligence,
];
