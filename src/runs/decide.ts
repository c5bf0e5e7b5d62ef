import { runInFirm } from "../../db/queries/runs.ts";
import type { RunTable } from "../../db/schema/tables.ts";
import type { Db, Store } from "../../db/sqlite/connection.ts";
import type { Worker } from "../execution/worker.ts";
import { actorOf, type Identity, type Principal } from "../identity/principal.ts";
import { present } from "../platform/assert.ts";
import type { Clock } from "../platform/clock.ts";
import { failure } from "../platform/errors.ts";
import type { RunActors } from "./actor.ts";
import { approvalOf, type StoredRun } from "./record.ts";

export interface DecideOptions {
  readonly store: Store;
  readonly worker: Worker;
  readonly actors: RunActors;
  readonly identity: Identity;
  readonly clock: Clock;
  /** Told of each run that is decided upon, once that is durable: what was held of it is out of date. */
  readonly onDecided: (run: StoredRun) => void;
}

/** What people and callers decide about a run from outside: approvals and cancellation. */
export function createDecisions({ store, worker, actors, identity, clock, onDecided }: DecideOptions) {
  /** A run that the caller may see, or `not_found`. */
  async function seen(tx: Db, principal: Principal, id: string): Promise<RunTable> {
    const row = await runInFirm.first(tx, { id, firm_id: principal.firm_id });
    const usable = await identity.workspaces(principal);
    if (!row || !usable.includes(row.workspace_id)) throw failure("not_found");
    return row;
  }

  return {
    /**
     * Decides what a run waits for. Throws `not_found`, `approval_already_decided` and `not_awaiting_approval`.
     */
    async decide(
      principal: Principal,
      id: string,
      decision: "approve" | "reject",
      comment: string | null,
    ): Promise<StoredRun> {
      const moved = await store.write(async (tx) => {
        const row = await seen(tx, principal, id);
        const approval = approvalOf(row);
        if (row.status !== "awaiting_approval" || !approval)
          throw failure(approval?.decided_at ? "approval_already_decided" : "not_awaiting_approval");
        const type = decision === "approve" ? ("APPROVE" as const) : ("WITHHOLD" as const);
        const note = {
          at: clock.now(),
          actor: actorOf(principal),
          decision: { decision, by: principal.user_id, comment },
        };
        return present(
          await actors.move(tx, await actors.load(tx, id), { type, step: approval.step }, note),
          "the move",
        );
      });
      onDecided(moved.actor);
      for (const effect of moved.effects) worker.submit(effect);
      return moved.actor;
    },

    /**
     * Cancels a run: `refused` before its first charge, `failed` after it, the rest released. Throws `not_found`,
     * `missing_scope` when the caller's scope is for the other kind of run, and `run_already_finished`.
     */
    async cancel(principal: Principal, id: string): Promise<StoredRun> {
      const moved = await store.write(async (tx) => {
        const row = await seen(tx, principal, id);
        const scope = row.kind === "capability" ? "capabilities:run" : "use-cases:run";
        if (!principal.scopes.has(scope)) throw failure("missing_scope");
        if (row.finished_at !== null) throw failure("run_already_finished");
        const note = { at: clock.now(), actor: actorOf(principal) };
        return present(await actors.move(tx, await actors.load(tx, id), { type: "CANCEL" }, note), "the move");
      });
      onDecided(moved.actor);
      worker.abort(id);
      return moved.actor;
    },
  };
}

export type Decisions = ReturnType<typeof createDecisions>;
