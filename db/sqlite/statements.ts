import type { CompiledStatement } from "../compiled-statement.ts";
import { insertAudit, lastAudit } from "../queries/audit.ts";
import { deleteCheckpoints, deleteCheckpointsOfStep, insertCheckpoint } from "../queries/checkpoints.ts";
import { deleteChunks } from "../queries/chunks.ts";
import { insertDocument, updateDocument } from "../queries/documents.ts";
import { claimEffect, deleteEffect, insertEffect } from "../queries/effects.ts";
import { claimByDigest, deleteClaim, insertClaim } from "../queries/idempotency.ts";
import { insertJob, updateJob } from "../queries/jobs.ts";
import { balanceOf, insertTransfer, setBalance } from "../queries/ledger.ts";
import { insertReceipt, insertRun, lastRun, updateRun } from "../queries/runs.ts";
import { touchSavedConfiguration } from "../queries/saved-configurations.ts";
import { compileFills, type IndexFill } from "../queries/secondary-indexes.ts";
import { insertSnapshot, updateSnapshot } from "../queries/snapshots.ts";
import { insertSolution, updateSolution } from "../queries/solutions.ts";
import { deleteStepKey, deleteStepKeys, insertStepKey } from "../queries/step-keys.ts";
import { deleteStepResult, insertStepResult } from "../queries/step-results.ts";
import { setUse, usesOf } from "../queries/uses.ts";
import { insertValidation, putPersona, updateValidation } from "../queries/validations.ts";
import type { Db } from "../store.ts";
import { unscoped } from "../tenancy.ts";

/** The statements of the group commit. The writer thread receives their SQL, so it needs no query builder. */
const statements = {
  balanceOf,
  claimByDigest,
  claimEffect,
  deleteCheckpoints,
  deleteCheckpointsOfStep,
  deleteChunks,
  deleteClaim,
  deleteEffect,
  deleteStepKey,
  deleteStepKeys,
  deleteStepResult,
  insertAudit,
  insertCheckpoint,
  insertClaim,
  insertDocument,
  insertEffect,
  insertJob,
  insertReceipt,
  insertRun,
  insertSnapshot,
  insertSolution,
  insertStepKey,
  insertStepResult,
  insertTransfer,
  insertValidation,
  lastAudit,
  putPersona,
  setBalance,
  setUse,
  touchSavedConfiguration,
  updateDocument,
  updateJob,
  updateRun,
  updateSnapshot,
  updateValidation,
  updateSolution,
  usesOf,
} as const;

export type StatementName = keyof typeof statements | "lastRun";
export type GroupStatements = Readonly<Record<StatementName, CompiledStatement>>;

/** What the writing connection runs, apart from the queries of transactions. */
export interface Statements {
  readonly group: GroupStatements;
  readonly fills: readonly IndexFill[];
}

/** Compiles the statements, once per store. */
export function compileStatements(db: Db): Statements {
  const entries = Object.entries(statements).map(([name, statement]) => [name, statement.compile(db)]);
  const system = unscoped(db);
  return {
    group: { ...Object.fromEntries(entries), lastRun: lastRun.compile(system) },
    fills: compileFills(system),
  };
}
