import type { DocumentTable } from "./schema/corpus-tables.ts";
import type { JobTable } from "./schema/job-tables.ts";
import type { SolutionTable } from "./schema/solution-tables.ts";
import type {
  CheckpointTable,
  EffectTable,
  RunTable,
  SavedConfigurationTable,
  SnapshotTable,
  StepKeyTable,
  StepResultTable,
  TransferTable,
} from "./schema/tables.ts";
import type { ValidationPersonaTable, ValidationTable } from "./schema/validator-tables.ts";

/**
 * A transition of an actor as data: everything that one event changes. It is decided without I/O (see `Decision` in
 * `src/execution/host.ts`) and written by `Store.commit`, whole or not at all. It is JSON, so a thread can receive it.
 */
export interface Transition {
  /** Conditions, in the order in which they are checked. If one fails, only its own transition is dropped. */
  readonly guards: readonly Guard[];
  /** The actors' rows. Usually one; a document that goes live also replaces another. */
  readonly actors: readonly ActorWrite[];
  /** Ledger entries. Balances follow from them; a firm's account never falls below zero. */
  readonly transfers: readonly TransferTable[];
  /** Effects to carry out after the commit, and ids of those no longer needed. */
  readonly effects: { readonly add: readonly EffectTable[]; readonly remove: readonly string[] };
  /** Finished parts of a step, and the checkpoints no longer needed. */
  readonly checkpoints: { readonly put: readonly NewCheckpoint[]; readonly clear: readonly EndedWork[] };
  /** Long results of the run's steps, which get their own rows, and the steps whose results are erased. */
  readonly results: { readonly put: readonly Omit<StepResultTable, "run_seq">[]; readonly clear: readonly string[] };
  /** Keys that outputs are sealed under, and the keys to destroy. Keys are destroyed before new ones are written. */
  readonly keys: { readonly put: readonly StepKeyTable[]; readonly clear: readonly EndedWork[] };
  /** Changes to usage counters that have no limit to check. */
  readonly counters: readonly Counter[];
  readonly audit: readonly AuditEntry[];
  /** A terminal run's signed receipt. */
  readonly receipt: string | null;
}

/** One finished step of an actor or, without `step`, all of its steps. */
export interface EndedWork {
  readonly actor_id: string;
  readonly step?: string;
}

/**
 * A row of an actor's table: a new row, or the changed columns of an existing one, which are written only if the row
 * still has the revision `known`. A job or document stores its statechart's snapshot; a run's row is its snapshot.
 */
export type ActorWrite =
  | { readonly write: "run.insert"; readonly row: RunTable }
  | { readonly write: "run.update"; readonly row: RunChange }
  | { readonly write: "job.insert"; readonly row: JobTable; readonly snapshot: SnapshotTable }
  | { readonly write: "job.update"; readonly row: JobTable; readonly snapshot: SnapshotTable; readonly known: number }
  | { readonly write: "document.insert"; readonly row: DocumentTable }
  | { readonly write: "document.update"; readonly row: DocumentTable; readonly known: number }
  | { readonly write: "validation.insert"; readonly row: ValidationTable; readonly snapshot: SnapshotTable }
  /** Includes the personas that were drawn, or that have answered. */
  | {
      readonly write: "validation.update";
      readonly row: ValidationTable;
      readonly snapshot: SnapshotTable;
      readonly known: number;
      readonly personas: readonly ValidationPersonaTable[];
    }
  | { readonly write: "solution.insert"; readonly row: SolutionTable }
  | { readonly write: "solution.update"; readonly row: SolutionTable; readonly known: number }
  /** Sets when a saved configuration was last run, if it still exists. Comes after its run. */
  | ({ readonly write: "configuration.run" } & ConfigurationRun)
  /** Deletes a document's chunks. */
  | { readonly write: "chunks.delete"; readonly document_id: string };

/** A checkpoint. It is written only while the effect of its attempt is still to be done. */
export type NewCheckpoint = CheckpointTable & { readonly effect_id: string };

/** A run of a saved configuration. */
export type ConfigurationRun = Pick<SavedConfigurationTable, "id" | "firm_id"> & { readonly last_run_at: number };

/** The columns of a run that a transition may change, and which run it is. */
export type RunChange = Pick<
  RunTable,
  | "firm_id"
  | "status"
  | "reason_code"
  | "engine_json"
  | "steps_json"
  | "approval_json"
  | "reserved_credits"
  | "charged_credits"
  | "released_credits"
  | "proposed_credits"
  | "revision"
  | "started_at"
  | "finished_at"
  | "updated_at"
> & { readonly seq: number; readonly known: number };

export interface Claim {
  readonly firm_id: string;
  readonly operation: string;
  readonly key: string;
  readonly input_hash: string;
  readonly resource_id: string;
  readonly created_at: number;
}

/** A usage counter of a firm, by name and period. */
export interface Counter {
  readonly firm_id: string;
  readonly name: string;
  readonly period: string;
  readonly used: number;
}

export type Guard =
  /** Claims the idempotency key. If it is taken, refuses with `idempotency_key_used` and the earlier claim. */
  | ({ readonly guard: "claim" } & Claim)
  /** Counts one use. If that would exceed `maximum`, refuses with `quota_exceeded`. */
  | ({ readonly guard: "quota"; readonly maximum: number | null } & Omit<Counter, "used">)
  /** Completes the effect. If it was done already, refuses with `effect_done`. */
  | { readonly guard: "effect"; readonly effect: EffectTable }
  /**
   * Takes or renews the effect's lease. If another owner holds it, refuses with `effect_held`. Alone in its transition.
   */
  | ({ readonly guard: "lease" } & Lease);

/** A process's claim to an effect. Times are in milliseconds UTC. */
export interface Lease {
  readonly effect_id: string;
  /** The process, as `<node>/<generation>`; later generations of a node compare greater. */
  readonly owner: string;
  /** The common prefix of the node's owners. */
  readonly node: string;
  readonly at: number;
  readonly until: number;
}

/** An audit log entry before it has its position in the chain. */
export interface AuditEntry {
  readonly at: number;
  readonly firm_id: string | null;
  /** `key:<id>`, `user:<id>`, `host` or `operator`. */
  readonly actor: string;
  /** Dotted, e.g. `run.step_succeeded`. */
  readonly action: string;
  readonly subject: string;
  /** Only figures and codes: never an input, a result or a secret. */
  readonly data: Readonly<Record<string, unknown>>;
}

/**
 * Why a transition was not written. `stale_revision`: another one was committed first; decide again from the new row.
 */
export type Refused =
  | {
      readonly refused: "idempotency_key_used";
      readonly earlier: { readonly input_hash: string; readonly resource_id: string };
    }
  | { readonly refused: "quota_exceeded" | "insufficient_credits" | "effect_done" | "effect_held" | "stale_revision" };

/** `seq` is the sequence number of an inserted run. */
export type Outcome = { readonly seq: number | null; readonly refused?: undefined } | Refused;
