import type { Principal } from "../identity/principal.ts";
import { runRecord, type StoredRun } from "./record.ts";

/** A run behind its end, and its record as it goes out. */
export interface EndedRun {
  readonly run: StoredRun;
  /** The record's JSON: in a terminal run nothing waits for approval, so that everybody who may see it sees the same. */
  text(): string;
}

/** Between one and two times so many are held. */
const heldAtLeast = 512;
/** A run whose input and results are longer together, in characters, is not held. */
const longestHeld = 16_384;

/**
 * Runs that ended a moment ago, for whoever polls right behind the end: a terminal run never changes again. The older
 * half goes at once, which costs nothing by the run.
 */
export function createEndedRuns() {
  let young = new Map<string, EndedRun>();
  let old = young;
  return {
    /** Takes a terminal run whose end is durable. */
    add(run: StoredRun): void {
      if (run.row.input_json.length + run.row.steps_json.length > longestHeld) return;
      if (young.size >= heldAtLeast) {
        old = young;
        young = new Map();
      }
      let text: string | undefined;
      young.set(run.row.id, {
        run,
        text() {
          text ??= JSON.stringify(runRecord(run));
          return text;
        },
      });
    },
    /** One that the caller may see: a key its workspace's, a person the firm's. */
    find({ firm_id, workspace_id }: Principal, id: string): EndedRun | undefined {
      const ended = young.get(id) ?? old.get(id);
      if (ended?.run.row.firm_id !== firm_id) return undefined;
      return workspace_id === null || workspace_id === ended.run.row.workspace_id ? ended : undefined;
    },
  };
}

export type EndedRuns = ReturnType<typeof createEndedRuns>;
