import type { Principal } from "../identity/principal.ts";
import { type RunProgress, runText, type StoredRun } from "./record.ts";
import { separateChars } from "./results.ts";

interface RecentRun {
  readonly run: StoredRun;
  /** Returns the record as JSON. `approver`: whether the reader may decide approvals. */
  text(approver: boolean, progress: readonly RunProgress[]): string;
}

/** Minimum number of cached runs once it is full; the maximum is twice that. */
const heldAtLeast = 256;
/** Maximum size of a cached run's input and results together, in characters. */
const longestHeld = 16_384;

function recent(run: StoredRun): RecentRun {
  let ended: string | undefined;
  return {
    run,
    text(approver, progress) {
      if (run.row.finished_at === null) return runText(run, approver, progress);
      // Nothing is awaiting approval now, so every reader sees the same text.
      ended ??= runText(run);
      return ended;
    },
  };
}

/**
 * A cache of recently written runs, for clients that poll right after a run's start or end and for the host between two
 * steps, and of recently read finished runs. Without it, the reading connection has to fetch the row's pages again
 * after each commit. Only this process changes runs, so an entry is never older than its row. Eviction drops the older
 * half at once, which costs nothing per run.
 */
export function createRecentRuns() {
  let young = new Map<string, RecentRun>();
  let old = young;
  /** By run with steps running here: the latest report of each step. */
  const progress = new Map<string, readonly RunProgress[]>();
  const progressOf = (id: string): readonly RunProgress[] => progress.get(id) ?? [];
  return {
    /** Stores the progress that a step's engine reports, for clients that poll. */
    report(id: string, reported: RunProgress): void {
      progress.set(id, [...progressOf(id).filter(({ step }) => step !== reported.step), reported]);
    },
    progressOf,
    /** Caches a run once its transition is durable. The higher revision wins. */
    put(run: StoredRun): void {
      const { id, input_json, steps_json, revision } = run.row;
      if (progress.size > 0 && !run.steps.some(({ status }) => status === "running")) progress.delete(id);
      const known = young.get(id) ?? old.get(id);
      if (known && known.run.row.revision > revision) return;
      if (input_json.length + steps_json.length + separateChars(run.steps) > longestHeld) {
        young.delete(id);
        old.delete(id);
        return;
      }
      if (young.size >= heldAtLeast) {
        old = young;
        young = new Map();
      }
      young.set(id, recent(run));
    },
    /** Returns the cached run, for the host. */
    get: (id: string): StoredRun | undefined => (young.get(id) ?? old.get(id))?.run,
    /** Returns the cached run if the caller may see it: a key sees its workspace's runs, a person the firm's. */
    find({ firm_id, workspace_id }: Principal, id: string): StoredRun | undefined {
      const run = (young.get(id) ?? old.get(id))?.run;
      if (run?.row.firm_id !== firm_id) return undefined;
      return workspace_id === null || workspace_id === run.row.workspace_id ? run : undefined;
    },
    /**
     * Returns a run's record as JSON, serialised once for all who poll. `approver`: the reader may decide approvals.
     */
    text(run: StoredRun, approver: boolean): string {
      const held = young.get(run.row.id) ?? old.get(run.row.id);
      const reported = progressOf(run.row.id);
      return held?.run === run ? held.text(approver, reported) : runText(run, approver, reported);
    },
  };
}

export type RecentRuns = ReturnType<typeof createRecentRuns>;
