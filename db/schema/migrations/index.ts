import type { Migration } from "kysely";
import * as identity from "./0001_identity.ts";
import * as credits from "./0002_credits.ts";
import * as workflow from "./0003_workflow.ts";
import * as runs from "./0004_runs.ts";
import * as auth from "./0005_auth.ts";
import * as usage from "./0006_usage.ts";
import * as external from "./0007_external_identities.ts";
import * as jobs from "./0008_jobs.ts";
import * as corpus from "./0009_corpus.ts";
import * as oauth from "./0010_oauth.ts";
import * as connectors from "./0011_connectors.ts";
import * as runRows from "./0012_run_rows.ts";
import * as checkpoints from "./0013_checkpoints.ts";
import * as stepResults from "./0014_step_results.ts";
import * as stepKeys from "./0015_step_keys.ts";
import * as effectLeases from "./0016_effect_leases.ts";
import * as refreshFamilies from "./0018_refresh_families.ts";
import * as trust from "./0019_trust.ts";
import * as lists from "./0020_lists.ts";
import * as validator from "./0023_validator.ts";
import * as datasets from "./0025_datasets.ts";
import * as solutions from "./0027_solutions.ts";
import * as shortOwners from "./0028_short_owners.ts";
import * as operators from "./0031_operators.ts";
import * as usageByKey from "./0032_usage_by_key.ts";
import * as solutionTexts from "./0034_solution_texts.ts";
import * as documentImports from "./0035_document_imports.ts";
import * as authenticatedAt from "./0036_authenticated_at.ts";
import * as toolDayCredits from "./0037_tool_day_credits.ts";
import * as unsettledVerdicts from "./0038_unsettled_verdicts.ts";
import * as audienceMarkets from "./0039_audience_markets.ts";
import * as countedRuns from "./0040_counted_runs.ts";

/**
 * The migrations by name, in order. Loaded only when one has to be applied. The list is static, because a compiled
 * executable has no folder to scan.
 */
export const migrations: Record<string, Migration> = {
  "0001_identity": identity,
  "0002_credits": credits,
  "0003_workflow": workflow,
  "0004_runs": runs,
  "0005_auth": auth,
  "0006_usage": usage,
  "0007_external_identities": external,
  "0008_jobs": jobs,
  "0009_corpus": corpus,
  "0010_oauth": oauth,
  "0011_connectors": connectors,
  "0012_run_rows": runRows,
  "0013_checkpoints": checkpoints,
  "0014_step_results": stepResults,
  "0015_step_keys": stepKeys,
  "0016_effect_leases": effectLeases,
  "0018_refresh_families": refreshFamilies,
  "0019_trust": trust,
  "0020_lists": lists,
  "0023_validator": validator,
  "0025_datasets": datasets,
  "0027_solutions": solutions,
  "0028_short_owners": shortOwners,
  "0031_operators": operators,
  "0032_usage_by_key": usageByKey,
  "0034_solution_texts": solutionTexts,
  "0035_document_imports": documentImports,
  "0036_authenticated_at": authenticatedAt,
  "0037_tool_day_credits": toolDayCredits,
  "0038_unsettled_verdicts": unsettledVerdicts,
  "0039_audience_markets": audienceMarkets,
  "0040_counted_runs": countedRuns,
};
