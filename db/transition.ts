import type { DocumentTable } from "./schema/corpus-tables.ts";
import type { JobTable } from "./schema/job-tables.ts";
import type { SolutionTable } from "./schema/solution-tables.ts";
import type {
  CheckpointTable,
  EffectTable,
  RunTable,
  SnapshotTable,
  StepKeyTable,
  StepResultTable,
  TransferTable,
} from "./schema/tables.ts";
import type { ValidationPersonaTable, ValidationTable } from "./schema/validator-tables.ts";

/**
 * A transition of an actor as data: everything that one event changes, decided without I/O and written by one commit.
 * `src/execution` decides them; a store's `commit` writes them. Everything in it is JSON: it may go to another thread.
 */
export interface Transition {
  /** Conditions, in the order in which they refuse. One that does not hold drops its own transition and no other. */
  readonly guards: readonly Guard[];
  /** The actors' rows. Usually one; a document that goes live replaces another. */
  readonly actors: readonly ActorWrite[];
  /** Ledger entries. Balances follow from them: an account of a firm never falls below zero. */
  readonly transfers: readonly TransferTable[];
  /** What is still to do for the actor, and what is no longer. */
  readonly effects: { readonly add: readonly EffectTable[]; readonly remove: readonly string[] };
  /** Parts of a step that are done, and whose checkpoints are no longer needed. */
  readonly checkpoints: { readonly put: readonly NewCheckpoint[]; readonly clear: readonly EndedWork[] };
  /** Long results of the run's steps, which get rows of their own, and the steps whose results are erased. */
  readonly results: { readonly put: readonly Omit<StepResultTable, "run_seq">[]; readonly clear: readonly string[] };
  /** Keys that outputs are sealed under, and whose keys are destroyed first. */
  readonly keys: { readonly put: readonly StepKeyTable[]; readonly clear: readonly EndedWork[] };
  /** Usage counters that change without a bound. */
  readonly counters: readonly Counter[];
  readonly audit: readonly AuditEntry[];
  /** A terminal run's signed receipt. */
  readonly receipt: string | null;
}

/** One step of an actor that has ended; without a step, all that it had. */
export interface EndedWork {
  readonly actor_id: string;
  readonly step?: string;
}

/**
 * A row of an actor's table: a new one, or what a transition may change of one, which is written only where the row
 * still has the revision `known`. A job and a document keep their statechart's snapshot; a run's row is its snapshot.
 */
export type ActorWrite =
  | { readonly write: "run.insert"; readonly row: RunTable }
  | { readonly write: "run.update"; readonly row: RunChange }
  | { readonly write: "job.insert"; readonly row: JobTable; readonly snapshot: SnapshotTable }
  | { readonly write: "job.update"; readonly row: JobTable; readonly snapshot: SnapshotTable; readonly known: number }
  | { readonly write: "document.insert"; readonly row: DocumentTable }
  | { readonly write: "document.update"; readonly row: DocumentTable; readonly known: number }
  | { readonly write: "validation.insert"; readonly row: ValidationTable; readonly snapshot: SnapshotTable }
  /** With the personas that were drawn, or that have answered. */
  | {
      readonly write: "validation.update";
      readonly row: ValidationTable;
      readonly snapshot: SnapshotTable;
      readonly known: number;
      readonly personas: readonly ValidationPersonaTable[];
    }
  | { readonly write: "solution.insert"; readonly row: SolutionTable }
  | { readonly write: "solution.update"; readonly row: SolutionTable; readonly known: number }
  /** The chunks of a document go. */
  | { readonly write: "chunks.delete"; readonly document_id: string };

/** A checkpoint that is written only while the attempt which came to it is still to do. */
export type NewCheckpoint = CheckpointTable & { readonly effect_id: string };

/** What a transition may change of a run, and which run it is. */
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

/** What a firm uses, by name and period. */
export interface Counter {
  readonly firm_id: string;
  readonly name: string;
  readonly period: string;
  readonly used: number;
}

export type Guard =
  /** The idempotency key is free, and is taken. Else `idempotency_key_used`, with what it was taken for. */
  | ({ readonly guard: "claim" } & Claim)
  /** One use more is within `maximum`, and is counted. Else `quota_exceeded`. */
  | ({ readonly guard: "quota"; readonly maximum: number | null } & Omit<Counter, "used">)
  /** The effect is still to do, and is done with this. Else `effect_done`. */
  | { readonly guard: "effect"; readonly effect: EffectTable }
  /** The effect is free for this owner, who takes or renews its lease. Else `effect_held`. Alone in its transition. */
  | ({ readonly guard: "lease" } & Lease);

/** A process's claim to an effect. Times in milliseconds UTC. */
export interface Lease {
  readonly effect_id: string;
  /** The process, as `<node>/<generation>`: later generations of a node are greater. */
  readonly owner: string;
  /** What the owners of one node begin with. */
  readonly node: string;
  readonly at: number;
  readonly until: number;
}

/** An entry of the audit log before it has its place in the chain. */
export interface AuditEntry {
  readonly at: number;
  readonly firm_id: string | null;
  /** `key:<id>`, `user:<id>`, `host`, `operator`. */
  readonly actor: string;
  /** Dotted, e.g. `run.step_succeeded`. */
  readonly action: string;
  readonly subject: string;
  /** Figures and codes only: never an input, a result or a secret. */
  readonly data: Readonly<Record<string, unknown>>;
}

/** Why a transition was not written. `stale_revision`: another one was there first; decide again from the new row. */
export type Refused =
  | {
      readonly refused: "idempotency_key_used";
      readonly earlier: { readonly input_hash: string; readonly resource_id: string };
    }
  | { readonly refused: "quota_exceeded" | "insufficient_credits" | "effect_done" | "effect_held" | "stale_revision" };

/** `seq`: the place of a run that was inserted. */
export type Outcome = { readonly seq: number | null; readonly refused?: undefined } | Refused;
