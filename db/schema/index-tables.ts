/**
 * Secondary indexes: filled from other tables in batches, and derivable from them. Owners are stored as `ownerBytes`.
 */

/** The transfers of a firm. Filled in batches (see `db/queries/secondary-indexes.ts`), like the tables below. */
export interface FirmTransferTable {
  firm_id: Uint8Array;
  seq: number;
  /** The firm's balance after the transfer, in credits. */
  available_after: number;
  reserved_after: number;
}

/** The transfers of a workspace's runs. Those without a run are stored under the firm's own id. */
export interface WorkspaceTransferTable {
  owner_id: Uint8Array;
  seq: number;
}

export interface WorkspaceRunTable {
  workspace_id: Uint8Array;
  seq: number;
}

export interface CapabilityRunTable {
  workspace_id: Uint8Array;
  capability: string;
  seq: number;
}

export interface UseCaseRunTable {
  workspace_id: Uint8Array;
  use_case: string;
  seq: number;
}

/** The first and last sequence numbers of the runs that a workspace started on a day. */
export interface WorkspaceDayTable {
  workspace_id: string;
  /** Days since 1970-01-01 (UTC). */
  day: number;
  first_seq: number;
  last_seq: number;
}

/** A key's runs that ended on a day (UTC, `YYYY-MM-DD`). Runs without a key are under the empty id. */
export interface KeyDayTable {
  workspace_id: string;
  day: string;
  key_id: string;
  firm_id: string;
  runs: number;
  succeeded: number;
  credits: number;
}
