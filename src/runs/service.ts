import { runInFirm, runInWorkspace } from "../../db/runs.ts";
import type { Principal } from "../identity/principal.ts";
import type { Parts } from "../parts.ts";
import { failure } from "../platform/errors.ts";
import { type StoredRun, storedRun } from "./record.ts";

/** A run that the caller may see; any other is `not_found`, whether it exists or not. */
export async function runFor({ store, recentRuns }: Parts, caller: Principal, id: string): Promise<StoredRun> {
  const recent = recentRuns.find(caller, id);
  if (recent) return recent.run;
  const { workspace_id, firm_id } = caller;
  const row =
    workspace_id === null
      ? await runInFirm.first(store.read, { id, firm_id })
      : await runInWorkspace.first(store.read, { id, workspace_id });
  if (!row) throw failure("not_found");
  return storedRun(row);
}
