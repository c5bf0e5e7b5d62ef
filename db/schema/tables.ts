import type { Generated } from "kysely";
import type {
  ExternalIdentityTable,
  InvitationTable,
  KnownOriginTable,
  MailTable,
  OneTimeTokenTable,
  OperatorClaimTable,
  RefreshTokenTable,
  SessionTable,
} from "./auth-tables.ts";
import type { ChunkTable, DocumentImportTable, DocumentTable } from "./corpus-tables.ts";
import type { DatasetTables } from "./dataset-tables.ts";
import type {
  CapabilityRunTable,
  FirmTransferTable,
  KeyDayTable,
  UseCaseRunTable,
  WorkspaceDayTable,
  WorkspaceRunTable,
  WorkspaceTransferTable,
} from "./index-tables.ts";
import type { ConnectorTable, JobTable, MonthlyLimitTable } from "./job-tables.ts";
import type { ConnectionTable, ConnectionTokenTable, OAuthClientTable, OAuthCodeTable } from "./oauth-tables.ts";
import type { SolutionTables } from "./solution-tables.ts";
import type { ValidatorTables } from "./validator-tables.ts";

/**
 * All tables as Kysely sees them. Instants are integer milliseconds UTC, credits are whole numbers, flags are 0 or 1,
 * and columns named `…_json` hold JSON text. Primary keys are UUIDv7 text unless stated otherwise.
 */
export interface Tables extends DatasetTables, SolutionTables, ValidatorTables {
  firms: FirmTable;
  users: UserTable;
  members: MemberTable;
  workspaces: WorkspaceTable;
  api_keys: ApiKeyTable;
  entitlements: EntitlementTable;
  gates: GateTable;
  quotas: QuotaTable;
  versions: VersionTable;
  signing_keys: SigningKeyTable;
  balances: BalanceTable;
  transfers: TransferTable & InOrder;
  firm_transfers: FirmTransferTable;
  workspace_transfers: WorkspaceTransferTable;
  watermarks: WatermarkTable;
  idempotency: IdempotencyTable & InOrder;
  runs: RunTable & InOrder;
  workspace_runs: WorkspaceRunTable;
  capability_runs: CapabilityRunTable;
  use_case_runs: UseCaseRunTable;
  workspace_days: WorkspaceDayTable;
  receipts: ReceiptTable & InOrder;
  step_results: StepResultTable;
  step_keys: StepKeyTable;
  run_days: RunDayTable;
  key_days: KeyDayTable;
  tool_days: ToolDayTable;
  uses: UseTable;
  quotes: QuoteTable;
  saved_configurations: SavedConfigurationTable;
  snapshots: SnapshotTable;
  effects: EffectTable;
  checkpoints: CheckpointTable;
  audit: AuditTable;
  operator_claims: OperatorClaimTable;
  sessions: SessionTable;
  refresh_tokens: RefreshTokenTable;
  known_origins: KnownOriginTable;
  one_time_tokens: OneTimeTokenTable;
  invitations: InvitationTable;
  mail_outbox: MailTable;
  external_identities: ExternalIdentityTable;
  oauth_clients: OAuthClientTable;
  connections: ConnectionTable;
  connection_tokens: ConnectionTokenTable;
  oauth_codes: OAuthCodeTable;
  documents: DocumentTable;
  document_imports: DocumentImportTable;
  chunks: ChunkTable;
  jobs: JobTable;
  monthly_limits: MonthlyLimitTable;
  connectors: ConnectorTable;
}

export interface FirmTable {
  id: string;
  name: string;
  slug: string;
  created_at: number;
}

export interface UserTable {
  id: string;
  email: string;
  full_name: string | null;
  locale: string;
  country: string | null;
  password_hash: string | null;
  email_confirmed_at: number | null;
  last_sign_in_at: number | null;
  created_at: number;
  updated_at: number;
  /** 1 for an operator, who may use `/v1/operator` with a browser session. */
  is_operator: number;
}

export type Role = "owner" | "admin" | "approver" | "member";

export interface MemberTable {
  firm_id: string;
  user_id: string;
  role: Role;
  created_at: number;
}

export interface WorkspaceTable {
  id: string;
  firm_id: string;
  name: string;
  slug: string;
  created_at: number;
}

/** `hash` is the SHA-256 of the whole secret, in hexadecimal; the secret itself is never stored. */
export interface ApiKeyTable {
  id: string;
  firm_id: string;
  workspace_id: string;
  user_id: string;
  name: string;
  prefix: string;
  hash: string;
  scopes_json: string;
  created_at: number;
  expires_at: number | null;
  last_used_at: number | null;
  revoked_at: number | null;
  /** `null` for a person's own key; `test` for a key that is omitted from lists shown to people. */
  purpose: "test" | null;
}

/** What a firm was granted beyond the defaults: a scope, `verified_workspace`, `partner-tool`, `enterprise` … */
export interface EntitlementTable {
  firm_id: string;
  name: string;
  granted_at: number;
}

/** `name` is `platform`, or a capability's or use case's slug. No row means closed. */
export interface GateTable {
  name: string;
  open: number;
  changed_at: number;
  changed_by: string;
}

/** How many runs of a capability a firm may start in a calendar month (UTC). No row means no limit. */
export interface QuotaTable {
  firm_id: string;
  capability: string;
  monthly_runs: number;
  changed_at: number;
}

/** Counts changes. `access` changes with keys, members, workspaces, entitlements and gates. */
export interface VersionTable {
  name: string;
  version: number;
}

/** An ES256 key pair. The private key is encrypted under the installation's master key. */
export interface SigningKeyTable {
  id: string;
  public_jwk_json: string;
  private_jwk_encrypted: string;
  created_at: number;
  retired_at: number | null;
}

/** The balance of each account (see `db/accounts.ts`), stored in addition to the transfers and provable from them. */
export interface BalanceTable {
  account: string;
  available: number;
  reserved: number;
}

export type TransferKind = "grant" | "topup" | "adjust" | "reserve" | "settle" | "release";

/** Append-only: `amount` credits move from `debit` to `credit`. Settlements are unique per (run, step, credit). */
export interface TransferTable {
  id: string;
  firm_id: string;
  kind: TransferKind;
  debit: string;
  credit: string;
  amount: number;
  run_id: string | null;
  step: string | null;
  reason: string | null;
  created_at: number;
}

/** A transfer as it is read. */
export type Transfer = TransferTable & { readonly seq: number };

/** How far a secondary index has been filled. */
export interface WatermarkTable {
  name: string;
  seq: number;
}

/** Unique per (firm, operation, key), by their digest. Written in the same transaction as the resource it names. */
export interface IdempotencyTable {
  /** The first 16 bytes of the SHA-256 of firm, operation and key; see `db/claim-digest.ts`. */
  digest: Uint8Array;
  firm_id: string;
  operation: string;
  key: string;
  input_hash: string;
  resource_id: string;
  created_at: number;
}

export type RunStatus = "queued" | "running" | "succeeded" | "failed" | "refused" | "awaiting_approval";

/** `seq` is assigned by the database, in commit order. */
export interface InOrder {
  seq: Generated<number>;
}

/** A run. The row is also the snapshot of the run's statechart; see `src/runs/snapshot.ts`. */
export interface RunTable {
  id: string;
  firm_id: string;
  workspace_id: string;
  user_id: string;
  api_key_id: string | null;
  kind: "capability" | "use_case";
  capability: string | null;
  use_case: string | null;
  semantic_version: string;
  status: RunStatus;
  reason_code: string | null;
  mode: "live" | "trial";
  surface: string;
  input_json: string;
  /** SHA-256 of the input's canonical JSON, as stated in the receipt. */
  input_sha256: string;
  engine_json: string | null;
  /** The steps with their results, except long ones, which have their own rows. The run's result derives from them. */
  steps_json: string;
  /** The pending approval, or the last one decided. */
  approval_json: string | null;
  maximum_credits: number;
  reserved_credits: number;
  charged_credits: number;
  released_credits: number;
  /** What the step awaiting approval would cost. */
  proposed_credits: number;
  created_at: number;
  started_at: number | null;
  finished_at: number | null;
  updated_at: number;
  /** Number of writes. A writer states the revision that it expects. */
  revision: number;
}

/** A terminal run's signed receipt, a compact JWS, in the order of the runs' ends. The run is read far more often. */
export interface ReceiptTable {
  run_seq: number;
  /** Packed, see `db/packed-receipt.ts`; plain text in rows of releases up to 0.3. */
  receipt: Uint8Array | string;
}

/** A step's long result, kept out of the run's row, which each transition rewrites. Deleted if the step is withheld. */
export interface StepResultTable {
  run_seq: number;
  step: string;
  result_json: string;
}

/**
 * The key, itself sealed under the master key, under which a step's output and checkpoints are sealed until a person
 * has approved the step. Deleted with the decision.
 */
export interface StepKeyTable {
  run_id: string;
  step: string;
  sealed_key: string;
}

/** Terminal runs, counted per day (UTC, `YYYY-MM-DD`) for usage, statistics and the provider's overview. */
export interface RunDayTable {
  day: string;
  workspace_id: string;
  firm_id: string;
  subject: string;
  status: RunStatus;
  /** Index of a duration class; see `db/queries/run-days.ts`. */
  duration_class: number;
  runs: number;
  credits: number;
}

/** MCP calls of a key or connection, counted per day (UTC, `YYYY-MM-DD`) and tool. */
export interface ToolDayTable {
  firm_id: string;
  key_id: string;
  day: string;
  tool: string;
  calls: number;
  errors: number;
}

/**
 * A firm's usage counter: `trial:<capability>` for ever, `runs:<capability>` per month, and per month the use by a
 * subject of `monthly_limits`, such as `company-analyses@key:<id>`.
 */
export interface UseTable {
  firm_id: string;
  name: string;
  /** `ever`, or a calendar month `YYYY-MM` (UTC). */
  period: string;
  used: number;
}

export interface QuoteTable {
  id: string;
  use_case: string;
  semantic_version: string;
  input_hash: string;
  maximum_credits: number;
  created_at: number;
  expires_at: number;
}

export interface SavedConfigurationTable {
  id: string;
  firm_id: string;
  workspace_id: string;
  user_id: string;
  name: string;
  capability: string;
  input_json: string;
  mode: "live" | "trial";
  created_at: number;
  last_run_at: number | null;
}

/** An actor's stored snapshot. `revision` guards against concurrent writers. */
export interface SnapshotTable {
  actor_id: string;
  machine: string;
  revision: number;
  snapshot_json: string;
}

/** Something still to be done for an actor, found again after a crash. Its `id` never changes. */
export interface EffectTable {
  id: string;
  actor_id: string;
  machine: string;
  firm_id: string;
  /** For example `start`, `step` or `expire_approval`. */
  kind: string;
  /** The engine whose slot it uses, for bounded concurrency; empty for wake-ups. */
  engine: string;
  payload_json: string;
  due_at: number;
  /** The process that carries it out, as `<node>/<generation>`, or `null`. */
  owner: string | null;
  /** When another process may take it, unless its owner renews the lease. */
  lease_until: number;
}

/** The stored result of a part of a step. After a crash it is read instead of being computed again. */
export interface CheckpointTable {
  actor_id: string;
  step: string;
  key: string;
  value_json: string;
}

/** The hash-chained audit log: `hash` is the SHA-256 over the previous hash and the row's own columns as JSON. */
export interface AuditTable {
  seq: number;
  at: number;
  firm_id: string | null;
  actor: string;
  action: string;
  subject: string;
  data_json: string;
  hash: string;
}
