import { runInFirm, runInWorkspace } from "../../db/queries/runs.ts";
import type { Store } from "../../db/store.ts";
import type { Principal } from "../identity/principal.ts";
import { failure } from "../platform/errors.ts";
import { chain, type MaybePromise } from "../platform/maybe-promise.ts";
import type { RecentRuns } from "./recent.ts";
import type { StoredRun } from "./record.ts";
import { storedRun } from "./results.ts";

/** What a run is looked up in. */
export interface RunLookup {
  readonly store: Store;
  readonly recentRuns: RecentRuns;
}

/** Returns a run that the caller may see. Throws `not_found` for any other, whether it exists or not. */
export function runFor({ store, recentRuns }: RunLookup, caller: Principal, id: string): MaybePromise<StoredRun> {
  const recent = recentRuns.find(caller, id);
  if (recent) return recent;
  const { workspace_id, firm_id } = caller;
  const row =
    workspace_id === null
      ? runInFirm.first(store.read, { id, firm_id })
      : runInWorkspace.first(store.read, { id, workspace_id });
  return chain(row, (found) => {
    if (!found) throw failure("not_found");
    return chain(storedRun(store.read, found), (run) => {
      // A finished run never changes, and is often read again.
      if (run.row.finished_at !== null) recentRuns.put(run);
      return run;
    });
  });
}
