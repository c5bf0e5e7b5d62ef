import type { Principal } from "../identity/principal.ts";
import { type RunProgress, runText, type StoredRun } from "./record.ts";
import { separateChars } from "./results.ts";

interface RecentRun {
  readonly run: StoredRun;
  /** The record's JSON. `approver`: the reader may decide approvals. */
  text(approver: boolean, progress: readonly RunProgress[]): string;
}

/** Between one and two times so many are held. */
const heldAtLeast = 256;
/** A run whose input and results are longer together, in characters, is not held. */
const longestHeld = 16_384;

function recent(run: StoredRun): RecentRun {
  let ended: string | undefined;
  return {
    run,
    text(approver, progress) {
      if (run.row.finished_at === null) return runText(run, approver, progress);
      // Nothing waits for approval any more: everybody who may see it sees the same.
      ended ??= runText(run);
      return ended;
    },
  };
}

/**
 * Runs that were written a moment ago, for those who poll right after their start and their end, and for the host between
 * two steps; and ended ones that were read a moment ago. After each commit the reading connection has to fetch the row's
 * pages again. Only this process moves runs, so what it remembers is never older than the rows. The older half goes at
 * once, which costs nothing by the run.
 */
export function createRecentRuns() {
  let young = new Map<string, RecentRun>();
  let old = young;
  /** Of runs with steps under way here: the last of each step. */
  const progress = new Map<string, readonly RunProgress[]>();
  const progressOf = (id: string): readonly RunProgress[] => progress.get(id) ?? [];
  return {
    /** What the engine of a run's step reports, for those who poll. */
    report(id: string, reported: RunProgress): void {
      progress.set(id, [...progressOf(id).filter(({ step }) => step !== reported.step), reported]);
    },
    progressOf,
    /** Takes a run as it is, once that is durable. Of two transitions the later one counts. */
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
    /** For the host: the run as it was last written here, if it is remembered. */
    get: (id: string): StoredRun | undefined => (young.get(id) ?? old.get(id))?.run,
    /** One that the caller may see: a key its workspace's, a person the firm's. */
    find({ firm_id, workspace_id }: Principal, id: string): StoredRun | undefined {
      const run = (young.get(id) ?? old.get(id))?.run;
      if (run?.row.firm_id !== firm_id) return undefined;
      return workspace_id === null || workspace_id === run.row.workspace_id ? run : undefined;
    },
    /** A run's record as it goes out, in JSON: written once for all who poll. `approver`: may decide approvals. */
    text(run: StoredRun, approver: boolean): string {
      const held = young.get(run.row.id) ?? old.get(run.row.id);
      const reported = progressOf(run.row.id);
      return held?.run === run ? held.text(approver, reported) : runText(run, approver, reported);
    },
  };
}

export type RecentRuns = ReturnType<typeof createRecentRuns>;
