import { Type as T } from "@sinclair/typebox";
import { closed, notBlank } from "../../platform/schema.ts";
import type { UseCaseManifest } from "../../registry/contract.ts";
import { pendingLimitation } from "../capabilities/pending.ts";

/** A role profile, free of charge. A person is never its input, so that it cannot rate one. Listed in `manifests.ts`. */
export const advisorTalentFit: UseCaseManifest = {
  slug: "advisor-talent-fit",
  name: "Advisor Talent Fit",
  outcome: "A role profile and an interview plan for an adviser's role",
  category: "Talent",
  description:
    "Describe a role and the goal of the analysis, and get the competences that the role asks for, the evidence to look for, and a structured interview. It is about the role, never about a person.",
  semantic_version: "1.0.0",
  provider: "assay",
  status: "available",
  access: "public",
  countries: ["EU"],
  evidence_freshness: "As of the version of the competency model.",
  supported_execution_surfaces: ["rest", "mcp", "cli", "web"],
  delivered_results: [
    "A role profile with its competences",
    "Evidence to ask for, and a structured interview",
    "A safe summary and a result reference",
  ],
  limitations: [
    pendingLimitation,
    "No export or enrichment of contact data.",
    "It stores only a safe summary and a result reference.",
    "It takes no person as its input, and never gives a candidate's score.",
  ],
  steps: [
    {
      key: "talent-intelligence",
      capability: "talent-intelligence",
      title: "Talent Intelligence",
      maximum_credits: 0,
      requires_approval: false,
    },
  ],
  input_schema: closed({
    role_title: T.String({ minLength: 2, maxLength: 160, ...notBlank }),
    analysis_goal: T.String({ minLength: 10, maxLength: 2000, ...notBlank }),
  }),
};
