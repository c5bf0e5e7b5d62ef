/** The tables of work that leaves the machine, and of its quotas: see `tables.ts`. */

export type JobTypeName = "company.analyze_url" | "germany.enrich";

/** Work that is queued and polled. `progress` is `completed` of `total`; a `total` of 0 means that nothing was told. */
export interface JobTable {
  id: string;
  firm_id: string;
  workspace_id: string;
  user_id: string;
  /** The key that it was submitted with; null: a person did. */
  api_key_id: string | null;
  type: JobTypeName;
  status: "queued" | "running" | "succeeded" | "failed";
  stage: string | null;
  completed: number;
  total: number;
  attempts: number;
  input_json: string;
  result_json: string | null;
  engine_json: string | null;
  error_code: string | null;
  error_message: string | null;
  /** What it was counted as, in `uses`, in the month of its acceptance; null: not counted, or given back. */
  quota: string | null;
  created_at: number;
  started_at: number | null;
  finished_at: number | null;
}

/**
 * How often something may be done in a calendar month (UTC) by `key:<id>` or `user:<id>`. An empty subject: by each of
 * the firm's; an empty firm besides: by each of the installation's. No row means no limit.
 */
export interface MonthlyLimitTable {
  firm_id: string;
  subject: string;
  name: string;
  monthly: number;
  changed_at: number;
}

/** A firm's private capability that is served from outside. Slugs are unique in the whole installation. */
export interface ConnectorTable {
  slug: string;
  firm_id: string;
  /** The manifest as it was checked when it was added. */
  manifest_json: string;
  /** What requests are signed with, or the token of an MCP server; encrypted under the installation's master key. */
  secret_encrypted: string | null;
  created_at: number;
  changed_at: number;
}
