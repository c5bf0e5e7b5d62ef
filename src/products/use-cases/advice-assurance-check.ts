import type { UseCaseManifest } from "../../registry/contract.ts";
import { afaAssurance } from "../capabilities/afa-assurance/manifest.ts";
import { singleStep } from "./single-step.ts";

/** Checks one piece of advice against the rule packs, free of charge. Listed in `manifests.ts`. */
export const adviceAssuranceCheck: UseCaseManifest = {
  ...singleStep(afaAssurance),
  slug: "advice-assurance-check",
  name: "Advice Assurance Check",
  outcome: "A piece of advice checked against legal and ethical rules",
  category: "Assurance",
  description:
    "Check an answer given to a customer against rules of legislation, ethics or both, before it is sent or when it is reviewed.",
  status: "pilot",
  delivered_results: [
    "A status",
    "Findings with rule, citation, severity and place",
    "A suggestion for each finding that has one",
  ],
};
