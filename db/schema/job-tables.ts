/** The tables of jobs, their quotas, and connectors. See `tables.ts`. */

export type JobTypeName = "company.analyze_url" | "germany.enrich";

/**
 * A job: queued work that is polled. Its progress is `completed` of `total`; a `total` of 0 means none was reported.
 */
export interface JobTable {
  id: string;
  firm_id: string;
  workspace_id: string;
  user_id: string;
  /** The key that submitted it; `null` if a person did. */
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
  /** The usage counter in `uses` under which it was counted in its month; `null` if not counted, or refunded. */
  quota: string | null;
  created_at: number;
  started_at: number | null;
  finished_at: number | null;
}

/**
 * How often `key:<id>` or `user:<id>` may do something in a calendar month (UTC). An empty subject means each subject
 * of the firm, and if the firm is also empty, each of the installation. No row means no limit.
 */
export interface MonthlyLimitTable {
  firm_id: string;
  subject: string;
  name: string;
  monthly: number;
  changed_at: number;
}

/** A firm's private capability that is served externally. Slugs are unique in the whole installation. */
export interface ConnectorTable {
  slug: string;
  firm_id: string;
  /** The manifest, as validated when it was added. */
  manifest_json: string;
  /** The key that requests are signed with, or an MCP server's token, encrypted under the installation's master key. */
  secret_encrypted: string | null;
  created_at: number;
  changed_at: number;
}
