import type { UseCaseManifest } from "../../registry/contract.ts";
import { insuranceAssistant } from "../capabilities/insurance-assistant/manifest.ts";
import { singleStep } from "./single-step.ts";

/** Gives one cited answer of the insurance assistant, free of charge. Listed in `manifests.ts`. */
export const sourcedInsuranceAnswers: UseCaseManifest = {
  ...singleStep(insuranceAssistant),
  slug: "sourced-insurance-answers",
  name: "Sourced Insurance Answers",
  outcome: "An insurance question answered with a citation for each statement",
  category: "Insurance",
  description:
    "Ask a question about insurance in one country, and get an answer that names the passages it rests on, or says that there is no evidence.",
  status: "available",
  delivered_results: ["An answer to the question", "The cited passages with document and page", "A trust state"],
};
