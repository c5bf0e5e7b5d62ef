import type { Database } from "bun:sqlite";
import { wholeUuid } from "../packed-columns.ts";
import type { AuditTable, RunTable, TransferTable } from "../schema/tables.ts";

/** An entry of the audit log as far as the rest of the database is compared with it. */
export type StatedEntry = Omit<AuditTable, "hash">;

/** A transfer as far as the audit log knows it. */
export interface Movement
  extends Pick<TransferTable, "kind" | "firm_id" | "run_id" | "amount" | "reason" | "created_at"> {
  /** Null: a run's, which the log does not name. */
  readonly id: string | null;
  /** 1: credits were taken back, by an adjustment. */
  readonly taken: number;
}

/** A run as far as the audit log knows it. */
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
  /** Whose key it was accepted by; null: by none, or by one that is gone. */
  readonly key_user_id: string | null;
}

/** The audit log, and the runs in the order in which it accepted them. */
export interface AuditReader {
  /** The entries whose action begins so, such as `run.`, in their order. One such reading at a time. */
  auditEntries(family: string): IterableIterator<StatedEntry>;
  /** All transfers in their order. */
  movements(): IterableIterator<Movement>;
  /** All runs in the order of their acceptance. */
  acceptedRuns(): IterableIterator<AcceptedRun>;
  /** What a job came to; null: it does not exist, or came to nothing. */
  jobResult(id: string): string | null;
}

/** For `verification.ts`. */
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
