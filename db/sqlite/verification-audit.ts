import type { Database } from "bun:sqlite";
import { wholeUuid } from "../packed-columns.ts";
import type { AuditTable, RunTable, TransferTable } from "../schema/tables.ts";

/** The parts of an audit log entry that the rest of the database is compared with. */
export type StatedEntry = Omit<AuditTable, "hash">;

/** The parts of a transfer that the audit log records. */
export interface Movement
  extends Pick<TransferTable, "kind" | "firm_id" | "run_id" | "amount" | "reason" | "created_at"> {
  /** `null` for a run's transfer, which the log does not name. */
  readonly id: string | null;
  /** 1 if credits were deducted by an adjustment. */
  readonly taken: number;
}

/** The parts of a run that the audit log records. */
export interface AcceptedRun
  extends Pick<
    RunTable,
    | "id"
    | "firm_id"
    | "user_id"
    | "api_key_id"
    | "status"
    | "reason_code"
    | "reserved_credits"
    | "charged_credits"
    | "released_credits"
    | "created_at"
    | "started_at"
    | "finished_at"
  > {
  /** The user whose key started it; `null` if it was started without a key, or if the key was deleted. */
  readonly key_user_id: string | null;
}

/** Reads the audit log, and the runs in the order in which it records their acceptance. */
export interface AuditReader {
  /** Iterates over the entries whose action starts with `family`, such as `run.`, in order. One iteration at a time. */
  auditEntries(family: string): IterableIterator<StatedEntry>;
  /** Iterates over all transfers, in order. */
  movements(): IterableIterator<Movement>;
  /** Iterates over all runs, in the order of acceptance. */
  acceptedRuns(): IterableIterator<AcceptedRun>;
  /** Returns a job's result, or `null` if it has none or does not exist. */
  jobResult(id: string): string | null;
}

/** Creates the audit part of the reader in `verification.ts`. */
export function auditReader(database: Database): AuditReader {
  const entries = database.query<StatedEntry, [string]>(
    `select seq, at, firm_id, actor, action, subject, data_json from audit
     where substr(action, 1, length(?1)) = ?1 order by seq`,
  );
  const movements = database.query<Movement, []>(
    `select kind, firm_id, run_id, amount, reason, created_at, kind = 'adjust' and credit = 'issued' as taken,
       case when run_id is null then ${wholeUuid("id")} end as id
     from transfers order by seq`,
  );
  const runs = database.query<AcceptedRun, []>(
    `select runs.id, runs.firm_id, runs.user_id, runs.api_key_id, status, reason_code, reserved_credits,
       charged_credits, released_credits, runs.created_at, started_at, finished_at, api_keys.user_id as key_user_id
     from runs left join api_keys on api_keys.id = runs.api_key_id order by runs.seq`,
  );
  const result = database.query<{ result_json: string | null }, [string]>("select result_json from jobs where id = ?");
  return {
    auditEntries: (family) => entries.iterate(family),
    movements: () => movements.iterate(),
    acceptedRuns: () => runs.iterate(),
    jobResult: (id) => result.get(id)?.result_json ?? null,
  };
}
