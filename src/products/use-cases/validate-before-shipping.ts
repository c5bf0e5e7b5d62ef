import type { UseCaseManifest } from "../../registry/contract.ts";
import { marketValidator } from "../capabilities/market-validator/manifest.ts";
import { singleStep } from "./single-step.ts";

/** Validates one hypothesis, for at most 500 credits. Listed in `manifests.ts`. */
export const validateBeforeShipping: UseCaseManifest = {
  ...singleStep(marketValidator),
  slug: "validate-before-shipping",
  name: "Validate Before Shipping",
  outcome: "A verdict on a market hypothesis before anything is built",
  category: "Market validation",
  description:
    "State who would buy what in which market, and get a verdict from a simulated test on personas of that market.",
  status: "available",
  delivered_results: ["A verdict: GO, NO-GO or CONDITIONAL", "Its confidence", "A reference to the result"],
};
