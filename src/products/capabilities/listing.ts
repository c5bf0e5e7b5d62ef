import type { CapabilityManifest, ToolError } from "../../registry/contract.ts";

/** Returns the fields that the platform's own capabilities share. */
export const listing = (slug: string) =>
  ({
    slug,
    semantic_version: "1.0.0",
    provider: "assay",
    connectors: [],
    dependencies: [],
    supported_execution_surfaces: ["rest", "mcp", "cli", "web"],
    documentation_url: `/v1/docs/${slug}`,
    support_url: "/v1/docs/support",
    changelog_url: "/v1/docs/changelog",
    try_url: `/console/capabilities/${slug}`,
    private: false,
  }) satisfies Partial<CapabilityManifest>;

/** Returns the price of one unit, in whole credits. A run never costs more. */
export const pricing = (
  model: CapabilityManifest["pricing"]["model"],
  charging_unit: string,
  live_credits = 0,
): CapabilityManifest["pricing"] => ({
  model,
  charging_unit,
  currency: "credits",
  live_credits,
  trial_credits: 0,
  hard_cost_limit_credits: live_credits,
  provider_cost_credits: 0,
});

/** Returns a trial of `max_runs` runs per firm, with a login and without a card. With 0 there is no trial. */
export const trial = (max_runs: number, restrictions: string[] = []): CapabilityManifest["trial"] => ({
  enabled: max_runs > 0,
  max_runs,
  requires_login: true,
  requires_card: false,
  sandbox_only: false,
  restrictions,
});

/** Error codes of every tool, as in the specification's list of tool error codes. */
export const toolErrors: ToolError[] = [
  {
    code: "invalid_api_key",
    meaning: "The credential is missing, invalid, expired or revoked.",
    caller_action: "Stop and ask the account's owner for a valid credential.",
  },
  {
    code: "missing_scope",
    meaning: "The credential is valid, but it lacks a scope, or its firm an entitlement.",
    caller_action:
      "Ask for a credential with the scopes under the capability's permissions; do not retry with this one.",
  },
  {
    code: "422",
    meaning: "The input does not match the input schema.",
    caller_action: "Correct the fields named in the error's details, then call again.",
  },
  {
    code: "capability_runs_disabled",
    meaning: "Execution is temporarily off.",
    caller_action: "Retry later; it is not permanent.",
  },
];
