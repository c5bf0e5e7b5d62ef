import type { UseCaseManifest } from "../../registry/contract.ts";
import { companyIntelligence } from "../capabilities/company-intelligence/manifest.ts";
import { singleStep } from "./single-step.ts";

/** Profiles one company's website, free of charge. Listed in `manifests.ts`. */
export const companyMarketBrief: UseCaseManifest = {
  ...singleStep(companyIntelligence),
  slug: "company-market-brief",
  name: "Company Market Brief",
  outcome: "A company's offer, audience and market from its website",
  category: "Company intelligence",
  description:
    "Give the address of a company's website, and get the company's name, its audience, its products and services, and its market.",
  status: "available",
  delivered_results: ["The company's name", "Its target audience and market", "Its products and services"],
};
