/** Tables that lists are found by: filled from others in batches, and never the only place of anything. Owners: `ownerBytes`. */

/** Which transfers are a firm's: derived, and filled in batches (see `db/queries/secondary-indexes.ts`), as the next two are. */
export interface FirmTransferTable {
  firm_id: Uint8Array;
  seq: number;
  /** What the firm held once the transfer was made, in credits. */
  available_after: number;
  reserved_after: number;
}

/** Which transfers are of a workspace's runs; what is of no run is under the firm's own id. */
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

/** The first and the last place of the runs that a workspace began on a day. */
export interface WorkspaceDayTable {
  workspace_id: string;
  /** Days since 1970-01-01 (UTC). */
  day: number;
  first_seq: number;
  last_seq: number;
}

/** Runs of a key that ended on a day (UTC, `YYYY-MM-DD`); of people under the empty id. */
export interface KeyDayTable {
  workspace_id: string;
  day: string;
  key_id: string;
  firm_id: string;
  runs: number;
  succeeded: number;
  credits: number;
}
