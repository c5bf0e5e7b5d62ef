import { runInFirm } from "../../db/queries/runs.ts";
import type { Store } from "../../db/store.ts";
import type { RunEvent } from "../../machines/run.ts";
import type { Host } from "../execution/host.ts";
import type { Worker } from "../execution/worker.ts";
import { actorOf, type Identity, type Principal } from "../identity/principal.ts";
import { assert } from "../platform/assert.ts";
import type { Clock } from "../platform/clock.ts";
import { failure, invalid, lacksScopes } from "../platform/errors.ts";
import { canonicalHash } from "../platform/json.ts";
import type { MaybePromise } from "../platform/maybe-promise.ts";
import type { Registry } from "../registry/registry.ts";
import type { EventContext } from "./apply-event.ts";
import { approvedOutput, decidedItems } from "./approval-items.ts";
import { runMachineName } from "./effects.ts";
import type { RunKind } from "./kind.ts";
import { approvalOf, type StoredRun } from "./record.ts";
import { storedRun } from "./results.ts";
import type { ApprovalDecisionRequest } from "./schema.ts";
import type { WithheldOutputs } from "./withheld-output.ts";

export interface DecisionsOptions {
  readonly store: Pick<Store, "read">;
  readonly host: Host;
  readonly kind: RunKind;
  readonly worker: Worker;
  readonly identity: Identity;
  readonly clock: Clock;
  readonly registry: Registry;
  readonly withheldOutputs: WithheldOutputs;
}

interface Decided {
  readonly event: RunEvent;
  readonly context: Partial<EventContext>;
}

/**
 * Returns the event for an approver's decision. The approved part of the output becomes the step's result. Returns
 * `undefined` if the approval was decided since the run was read.
 */
async function verdict(
  { registry, withheldOutputs }: DecisionsOptions,
  run: StoredRun,
  by: string,
  given: ApprovalDecisionRequest,
): Promise<Decided | undefined> {
  const approval = approvalOf(run.row);
  if (run.row.status !== "awaiting_approval" || !approval)
    throw failure(approval?.decided_at ? "approval_already_decided" : "not_awaiting_approval");
  const { decision, comment = null } = given;
  if (comment?.isWellFormed() === false) throw invalid("/body/comment", "must be well-formed Unicode");
  const { step } = approval;
  // Rejecting the whole output does not require reading it.
  const waiting = decision === "reject" && !given.items ? run : await withheldOutputs.opened(run);
  if (!waiting) return undefined;
  const items = decidedItems(waiting.items ?? [], given);
  const said = { decision, by, comment, items };
  if (decision === "reject")
    return { event: { type: "WITHHOLD", step }, context: { decision: { ...said, approved_sha256: null } } };
  const result = approvedOutput(registry, waiting, step, items);
  const of = items?.length ?? 1;
  const approved = items?.filter((item) => item.decision === "approve").length ?? 1;
  const context = { result, decision: { ...said, approved_sha256: canonicalHash(result) } };
  return { event: { type: "APPROVE", step, approved, of }, context };
}

/** Decisions that people and callers make about a run: approval and cancellation. */
export function createDecisions(options: DecisionsOptions) {
  const { store, host, kind, worker, identity, clock } = options;
  /** Returns a run that the caller may see. Throws `not_found` otherwise. */
  async function seen(principal: Principal, id: string): Promise<StoredRun> {
    const row = await runInFirm.first(store.read, { id, firm_id: principal.firm_id });
    const usable = await identity.workspaces(principal);
    if (!row || !usable.includes(row.workspace_id)) throw failure("not_found");
    return storedRun(store.read, row);
  }

  /**
   * Checks the run, decides from what was checked, and commits. Starts over if the run changed in the meantime, so that
   * two decisions never both count.
   */
  async function decided(
    principal: Principal,
    id: string,
    check: (run: StoredRun) => MaybePromise<Decided | undefined>,
  ): Promise<StoredRun> {
    let unopened: number | undefined;
    for (;;) {
      const run = await seen(principal, id);
      const checked = await check(run);
      if (!checked) {
        assert(run.row.revision !== unopened, "an output that waits for approval can be opened");
        unopened = run.row.revision;
        continue;
      }
      const { event, context } = checked;
      const decision = kind.decide(run, [event], { at: clock.now(), actor: actorOf(principal), ...context });
      if (!decision) throw failure("run_already_finished");
      const applied = await host.commit(kind, decision);
      if (applied.refused) continue;
      worker.drop(applied.removed);
      for (const effect of applied.effects) worker.submit(effect);
      return applied.state;
    }
  }

  return {
    /**
     * Decides the pending approval. Throws `not_found`, `approval_already_decided`, `not_awaiting_approval`, and
     * `validation_error` if the items do not match.
     */
    decide: (principal: Principal, id: string, given: ApprovalDecisionRequest) =>
      decided(principal, id, (run) => verdict(options, run, principal.user_id, given)),

    /**
     * Cancels a run: it becomes `refused` before its first charge or `failed` after it, and the unused reservation is
     * released. Throws `not_found`, `run_already_finished`, and `missing_scope` without the scope for this kind of run.
     */
    async cancel(principal: Principal, id: string): Promise<StoredRun> {
      const run = await decided(principal, id, ({ row }) => {
        const scope = row.kind === "capability" ? "capabilities:run" : "use-cases:run";
        if (!principal.scopes.has(scope)) throw lacksScopes([scope]);
        if (row.finished_at !== null) throw failure("run_already_finished");
        return { event: { type: "CANCEL" }, context: {} };
      });
      worker.abort(runMachineName, id);
      return run;
    },
  };
}

export type Decisions = ReturnType<typeof createDecisions>;
