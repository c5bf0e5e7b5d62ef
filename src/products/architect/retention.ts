import { deleteSolutionBefore, deleteSolutionTexts, solutionsBetween } from "../../../db/queries/solutions.ts";
import type { Store } from "../../../db/store.ts";
import { unscoped } from "../../../db/tenancy.ts";
import { day } from "../../platform/clock.ts";
import type { Log } from "../../platform/log.ts";
import type { Runtime } from "../../platform/runtime.ts";

const sweepEvery = day;
/** Number of solutions scanned before yielding to other work. */
const pageSize = 50;

export interface SolutionRetentionOptions {
  readonly store: Store;
  readonly runtime: Runtime;
  readonly log: Log;
  /** Days to keep a solution after its last change; `undefined` to keep it forever. */
  readonly days: number | undefined;
}

export interface SolutionRetention {
  /** Deletes what is due now, and repeats daily. */
  start(): void;
  /** Resolves when no sweep is running. */
  idle(): Promise<void>;
  /** Stops the sweeps and waits for a running one. */
  stop(): Promise<void>;
}

/**
 * Deletes solutions unchanged for the retention period, with their intake, choices and consenting e-mail address. The
 * audit log keeps the fact that they existed. Started by `app.ts`.
 */
export function createSolutionRetention({ store, runtime, log, days }: SolutionRetentionOptions): SolutionRetention {
  let started = false;
  let cancel: (() => void) | undefined;
  let underWay: Promise<void> | undefined;

  async function sweep(before: number): Promise<void> {
    const reader = unscoped(store.read);
    // Ids start with their creation time, so a solution with a later id was also last changed later.
    const end = runtime.id(before);
    let deleted = 0;
    let after = "";
    while (started) {
      const page = await solutionsBetween.all(reader, { after, before: end, limit: pageSize });
      const due = page.filter(({ updated_at }) => updated_at < before);
      if (due.length > 0)
        await store.write(async (tx) => {
          for (const { id, firm_id } of due) {
            const gone = await deleteSolutionBefore.run(tx, { id, firm_id, before });
            if (gone > 0) await deleteSolutionTexts.run(tx, { solution_id: id, firm_id });
            deleted += gone;
          }
        });
      if (page.length < pageSize) break;
      after = page.at(-1)?.id ?? end;
      await runtime.nextTurn();
    }
    if (deleted > 0) log.info("deleted solutions at the end of their retention", { deleted });
  }

  function run(): void {
    if (!started || days === undefined || underWay) return;
    underWay = sweep(runtime.now() - days * day)
      .catch((error) => log.error("solutions can't be swept", { error }))
      .finally(() => {
        underWay = undefined;
        if (started) cancel = runtime.after(sweepEvery, run);
      });
  }

  async function idle(): Promise<void> {
    while (underWay) await underWay;
  }

  return {
    start() {
      started = true;
      run();
    },
    idle,
    async stop() {
      started = false;
      cancel?.();
      await idle();
    },
  };
}
