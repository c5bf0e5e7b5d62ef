import { runInFirm } from "../../db/queries/runs.ts";
import type { Store } from "../../db/store.ts";
import type { RunEvent } from "../../machines/run.ts";
import type { Host } from "../execution/host.ts";
import type { Worker } from "../execution/worker.ts";
import { actorOf, type Identity, type Principal } from "../identity/principal.ts";
import type { Clock } from "../platform/clock.ts";
import { failure, lacksScopes } from "../platform/errors.ts";
import type { EventContext } from "./apply-event.ts";
import type { RunKind } from "./kind.ts";
import { approvalOf, type StoredRun } from "./record.ts";
import { storedRun } from "./results.ts";

export interface DecisionsOptions {
  readonly store: Pick<Store, "read">;
  readonly host: Host;
  readonly kind: RunKind;
  readonly worker: Worker;
  readonly identity: Identity;
  readonly clock: Clock;
}

/** What people and callers decide about a run from outside: approvals and cancellation. */
export function createDecisions({ store, host, kind, worker, identity, clock }: DecisionsOptions) {
  /** A run that the caller may see, or `not_found`. */
  async function seen(principal: Principal, id: string): Promise<StoredRun> {
    const row = await runInFirm.first(store.read, { id, firm_id: principal.firm_id });
    const usable = await identity.workspaces(principal);
    if (!row || !usable.includes(row.workspace_id)) throw failure("not_found");
    return storedRun(store.read, row);
  }

  /**
   * Checks the run, decides from what was checked, and commits; again from the start where the run was moved meanwhile,
   * so that two decisions never both count.
   */
  async function decided(
    principal: Principal,
    id: string,
    check: (run: StoredRun) => { event: RunEvent; context: Partial<EventContext> },
  ): Promise<StoredRun> {
    for (;;) {
      const run = await seen(principal, id);
      const { event, context } = check(run);
      const decision = kind.decide(run, [event], { at: clock.now(), actor: actorOf(principal), ...context });
      if (!decision) throw failure("run_already_finished");
      const applied = await host.commit(kind, decision);
      if (applied.refused) continue;
      for (const effect of applied.effects) worker.submit(effect);
      return applied.state;
    }
  }

  return {
    /** Decides what a run waits for. Throws `not_found`, `approval_already_decided` and `not_awaiting_approval`. */
    decide: (principal: Principal, id: string, decision: "approve" | "reject", comment: string | null) =>
      decided(principal, id, ({ row }) => {
        const approval = approvalOf(row);
        if (row.status !== "awaiting_approval" || !approval)
          throw failure(approval?.decided_at ? "approval_already_decided" : "not_awaiting_approval");
        const type = decision === "approve" ? ("APPROVE" as const) : ("WITHHOLD" as const);
        const by = principal.user_id;
        return { event: { type, step: approval.step }, context: { decision: { decision, by, comment } } };
      }),

    /**
     * Cancels a run: `refused` before its first charge, `failed` after it, the rest released. Throws `not_found`,
     * `missing_scope` when the caller's scope is for the other kind of run, and `run_already_finished`.
     */
    async cancel(principal: Principal, id: string): Promise<StoredRun> {
      const run = await decided(principal, id, ({ row }) => {
        const scope = row.kind === "capability" ? "capabilities:run" : "use-cases:run";
        if (!principal.scopes.has(scope)) throw lacksScopes([scope]);
        if (row.finished_at !== null) throw failure("run_already_finished");
        return { event: { type: "CANCEL" }, context: {} };
      });
      worker.abort(id);
      return run;
    },
  };
}

export type Decisions = ReturnType<typeof createDecisions>;
