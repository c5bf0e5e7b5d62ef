import type { UseCaseManifest } from "../../registry/contract.ts";
import { TalentInput } from "../capabilities/talent-intelligence/schema.ts";

/**
 * Produces a role profile, free of charge. Its input is never a person, so it cannot rate one. Listed in
 * `manifests.ts`.
 */
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
    "No export or enrichment of contact data.",
    "It stores only a safe summary and a result reference.",
    "A run never keeps the text of the title and goal, only the role's family, language, countries and dimensions, and the phrases that caused warnings.",
    "It takes no person as its input and never scores a candidate. Text with an e-mail address, a phone or personal number or a link to a profile is refused.",
    "Weights are a documented choice, not a measurement; legal requirements marked unverified must be checked before they are relied upon.",
    "If the law of a country is missing, the result says so and substitutes no other law. If the text names no country, the law is that of the country where most people write its language.",
    "Warnings are found with word lists in English, Czech, Slovak, German and Polish. The absence of a warning is not clearance.",
    "English, Czech, Slovak and German are understood. If a title fits no family of the model, the result asks about it instead of guessing.",
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
  input_schema: TalentInput,
  // Imported on demand together with the model, which nothing else needs at start-up.
  kept_input: async (input) =>
    (await import("../capabilities/talent-intelligence/summary.ts")).roleSummary(input as TalentInput),
};
