import type { UseCaseManifest } from "../../registry/contract.ts";
import { adviceAssuranceCheck } from "./advice-assurance-check.ts";
import { advisorTalentFit } from "./advisor-talent-fit.ts";
import { companyMarketBrief } from "./company-market-brief.ts";
import { euMarketSnapshot } from "./eu-market-snapshot.ts";
import { europeanMarketEntryPack } from "./european-market-entry-pack.ts";
import { sourcedInsuranceAnswers } from "./sourced-insurance-answers.ts";
import { validateBeforeShipping } from "./validate-before-shipping.ts";

/** The use cases on sale, in catalogue order. To add one, add a file and a line here. */
export const useCases: readonly UseCaseManifest[] = [
  sourcedInsuranceAnswers,
  validateBeforeShipping,
  adviceAssuranceCheck,
  advisorTalentFit,
  euMarketSnapshot,
  companyMarketBrief,
  europeanMarketEntryPack,
];
