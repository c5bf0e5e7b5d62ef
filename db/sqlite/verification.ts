import { Database } from "bun:sqlite";
import { wholeAccount, wholeUuid } from "../packed-columns.ts";
import type { FirmTransferTable } from "../schema/index-tables.ts";
import type { JobTable } from "../schema/job-tables.ts";
import type { SolutionTable } from "../schema/solution-tables.ts";
import type { ReceiptTable, RunTable, StepResultTable, Transfer } from "../schema/tables.ts";
import type { ValidationTable } from "../schema/validator-tables.ts";
import { shrinkLog } from "./checkpoint.ts";
import { type AuditReader, auditReader } from "./verification-audit.ts";
import { type UsageReader, usageReader } from "./verification-usage.ts";

/** A terminal run with its sequence number and its stored receipt. */
export type FinishedRun = RunTable & { readonly seq: number; readonly receipt: ReceiptTable["receipt"] | null };

/** A job with its stored snapshot and the number of its remaining effects. */
export type StoredJob = JobTable & { readonly snapshot_json: string | null; readonly effects: number };

/** A validation with its stored snapshot, its run's steps, and its numbers of remaining effects and of answers. */
export type StoredValidation = ValidationTable & {
  readonly snapshot_json: string | null;
  readonly run_steps_json: string | null;
  readonly effects: number;
  readonly answers: number;
};

/** What the ledger is compared with: a run, or an imported study that was charged on its own. */
export type Charged = Pick<
  RunTable,
  "firm_id" | "reserved_credits" | "charged_credits" | "released_credits" | "finished_at" | "steps_json"
>;

/**
 * The balance that the index stores after a transfer, and that transfer; its columns are `null` if it does not exist.
 */
export interface KeptBalance extends Pick<FirmTransferTable, "seq" | "available_after" | "reserved_after"> {
  /** The owner in the index (`owner`) and in the transfer (`firm_id`). */
  readonly owner: string;
  readonly firm_id: string | null;
  readonly debit: string | null;
  readonly credit: string | null;
  readonly amount: number | null;
}

/** The columns of a solution by which it can be verified. */
export type StoredSolution = Pick<SolutionTable, "id" | "state" | "saved_json" | "saved_sha256" | "snapshot_json">;

/** A key's month whose count differs from its jobs. */
export interface Miscount {
  readonly name: string;
  readonly period: string;
  readonly used: number;
  readonly jobs: number;
}

/**
 * Reads a whole installation for `assay verify`: on its own connection and row by row, so that memory stays bounded
 * whatever its size, and while a server is running.
 */
export interface Reader extends AuditReader, UsageReader {
  /** Runs `work` on a snapshot of one instant. */
  atOneInstant<T>(work: () => Promise<T>): Promise<T>;
  /** Iterates over the whole ledger, in commit order. */
  transfers(): IterableIterator<Transfer>;
  balances(): { account: string; available: number; reserved: number }[];
  run(id: string): Charged | null;
  /** Returns the number of runs and imported studies that have reserved credits. */
  reservedRuns(): number;
  /** Returns how far the index of transfers by firm has been filled, and its number of rows. */
  firmTransfers(): { upto: number; rows: number };
  /** Iterates over that index: the balances that it stores for each firm after each of its transfers, in order. */
  keptBalances(): IterableIterator<KeptBalance>;
  /** Returns the architect's solutions after `after`, in the order of their ids. */
  solutions(after: string, limit: number): StoredSolution[];
  /** Returns terminal runs after `after`, in the order of acceptance, with their receipts. */
  finishedRuns(after: number, limit: number): FinishedRun[];
  /** Returns the long results of a run's steps. */
  stepResults(run_seq: number): StepResultTable[];
  /** Returns the number of results whose runs do not exist. */
  strayResults(): number;
  /** Returns the number of output keys whose runs have ended or do not exist. */
  strayKeys(): number;
  /** Returns jobs after `after`, in the order of their ids. */
  jobs(after: string, limit: number): StoredJob[];
  /** Returns validations after `after`, in the order of their ids. */
  validations(after: string, limit: number): StoredValidation[];
  /** Returns the months whose counts do not match their jobs. */
  miscountedJobs(): Miscount[];
  /** Returns the damage that SQLite itself finds in the file. */
  integrity(limit: number): string[];
  close(): void;
}

function resultReader(database: Database): Pick<Reader, "stepResults" | "strayResults" | "strayKeys"> {
  const ofRun = database.query<StepResultTable, [number]>("select * from step_results where run_seq = ?");
  const stray = database.query<{ results: number }, []>(
    "select count(*) as results from step_results where run_seq not in (select seq from runs)",
  );
  const strayKeys = database.query<{ keys: number }, []>(
    "select count(*) as keys from step_keys where run_id not in (select id from runs where finished_at is null)",
  );
  return {
    stepResults: (run_seq) => ofRun.all(run_seq),
    strayResults: () => stray.get()?.results ?? 0,
    strayKeys: () => strayKeys.get()?.keys ?? 0,
  };
}

/** Finds months that count fewer uses than there are jobs, or more than jobs and runs together. */
const miscountedMonths = `with counted as (
       select firm_id, quota as name, strftime('%Y-%m', created_at / 1000, 'unixepoch') as period, count(*) as jobs
       from jobs where quota is not null group by 1, 2, 3
     ), told as (
       select * from uses where name like 'company-analyses@%' or name like 'germany-enrichments@%'
     )
     select name, period, coalesce(used, 0) as used, coalesce(jobs, 0) as jobs
     from told full join counted using (firm_id, name, period)
     where coalesce(used, 0) < coalesce(jobs, 0) or coalesce(used, 0) > coalesce(jobs, 0) + (
       -- Runs count too, unless they gave their use back.
       select count(*) from runs where runs.firm_id = told.firm_id
         and strftime('%Y-%m', runs.created_at / 1000, 'unixepoch') = told.period
         and steps_json like '%"company-intelligence"%')`;

/** Reads validations, and the charges of imported ones for the ledger. */
function validationReader(database: Database) {
  const page = database.query<StoredValidation, [string, number]>(
    `select validations.*, snapshots.snapshot_json, runs.steps_json as run_steps_json,
       (select count(*) from effects where effects.id > validations.id || ':' and effects.id < validations.id || ';'
          and machine = 'validation') as effects,
       (select count(*) from validation_personas
          where validation_id = validations.id and answer_json is not null) as answers
     from validations left join snapshots on snapshots.actor_id = validations.id
       left join runs on runs.id = validations.id
     where validations.id > ? order by validations.id limit ?`,
  );
  const charged = database.query<Charged, [string]>(
    `select firm_id, charged_credits as reserved_credits, charged_credits, 0 as released_credits,
       charged_at as finished_at,
       json_array(json_object('key', 'study', 'charged_credits', charged_credits)) as steps_json
     from validations where id = ? and charged_at is not null`,
  );
  const counted = database.query<{ studies: number }, []>(
    "select count(*) as studies from validations where charged_at is not null",
  );
  return {
    validations: (after: string, limit: number) => page.all(after, limit),
    chargedStudy: (id: string) => charged.get(id),
    chargedStudies: () => counted.get()?.studies ?? 0,
  };
}

/** Reads stored values that can be recomputed from other rows. */
function savedReader(database: Database): Pick<Reader, "keptBalances" | "solutions"> {
  const keptBalances = database.query<KeptBalance, []>(
    `select hex(f.firm_id) as owner, t.firm_id, f.seq, f.available_after, f.reserved_after, t.amount,
       ${wholeAccount("t.debit", "t.firm_id")} as debit, ${wholeAccount("t.credit", "t.firm_id")} as credit
     from firm_transfers f left join transfers t on t.seq = f.seq order by f.firm_id, f.seq`,
  );
  const solutions = database.query<StoredSolution, [string, number]>(
    `select id, state, saved_json, saved_sha256, snapshot_json from solutions
     where id > ? order by id limit ?`,
  );
  return {
    keptBalances: () => keptBalances.iterate(),
    solutions: (after, limit) => solutions.all(after, limit),
  };
}

/** Opens the file read-only. Sorting spills to disk, unlike on the server's own connections. */
export function openReader(file: string): Reader {
  const database = new Database(file, { readwrite: true, strict: true });
  database.run("pragma busy_timeout = 5000");
  database.run("pragma query_only = on");
  database.run("pragma temp_store = file");
  const transfers = database.query<Transfer, []>(
    `select seq, firm_id, kind, amount, run_id, step, reason, created_at, ${wholeUuid("id")} as id,
       ${wholeAccount("debit", "firm_id")} as debit, ${wholeAccount("credit", "firm_id")} as credit
     from transfers order by seq`,
  );
  const balances = database.query<{ account: string; available: number; reserved: number }, []>(
    "select account, available, reserved from balances",
  );
  const run = database.query<RunTable, [string]>("select * from runs where id = ?");
  const reservedRuns = database.query<{ runs: number }, []>(
    "select count(*) as runs from runs where reserved_credits > 0",
  );
  const firmTransfers = database.query<{ upto: number; rows: number }, []>(
    `select coalesce((select seq from watermarks where name = 'firm_transfers'), 0) as upto, count(*) as rows
     from firm_transfers`,
  );
  const finishedRuns = database.query<FinishedRun, [number, number]>(
    `select runs.*, receipts.receipt from runs left join receipts on receipts.run_seq = runs.seq
     where runs.seq > ? and finished_at is not null order by runs.seq limit ?`,
  );
  // An effect's id starts with its actor's id.
  const jobs = database.query<StoredJob, [string, number]>(
    `select jobs.*, snapshots.snapshot_json,
       (select count(*) from effects where effects.id > jobs.id || ':' and effects.id < jobs.id || ';') as effects
     from jobs left join snapshots on snapshots.actor_id = jobs.id
     where jobs.id > ? order by jobs.id limit ?`,
  );
  const miscounted = database.query<Miscount, []>(miscountedMonths);
  const studies = validationReader(database);
  return {
    async atOneInstant(work) {
      database.run("begin");
      try {
        return await work();
      } finally {
        database.run("rollback");
      }
    },
    transfers: () => transfers.iterate(),
    balances: () => balances.all(),
    run: (id) => run.get(id) ?? studies.chargedStudy(id),
    reservedRuns: () => (reservedRuns.get()?.runs ?? 0) + studies.chargedStudies(),
    validations: studies.validations,
    firmTransfers: () => firmTransfers.get() ?? { upto: 0, rows: 0 },
    ...savedReader(database),
    ...auditReader(database),
    ...usageReader(database),
    finishedRuns: (after, limit) => finishedRuns.all(after, limit),
    ...resultReader(database),
    jobs: (after, limit) => jobs.all(after, limit),
    miscountedJobs: () => miscounted.all(),
    integrity: (limit) =>
      database
        .query<{ integrity_check: string }, []>(`pragma integrity_check(${limit})`)
        .all()
        .map((row) => row.integrity_check)
        .filter((line) => line !== "ok"),
    close() {
      database.run("pragma query_only = off");
      shrinkLog(database);
      database.close();
    },
  };
}
