import { runById } from "../../db/queries/runs.ts";
import type { Store } from "../../db/store.ts";
import { unscoped } from "../../db/tenancy.ts";
import type { RunEvent } from "../../machines/run.ts";
import type { ActorKind } from "../execution/host.ts";
import type { ActorWatch } from "../execution/watch.ts";
import { present } from "../platform/assert.ts";
import type { EventContext } from "./apply-event.ts";
import { decideRun, type RunRules } from "./decide.ts";
import type { RecentRuns } from "./recent.ts";
import type { StoredRun } from "./record.ts";
import { storedRun } from "./results.ts";

export interface RunKind extends ActorKind<StoredRun, RunEvent, EventContext> {
  readonly rules: RunRules;
}

export interface RunKindOptions {
  readonly store: Pick<Store, "read">;
  readonly rules: RunRules;
  readonly recentRuns: RecentRuns;
  readonly watch: ActorWatch;
}

/** Creates the kind of actor that runs are: how the host loads, decides and publishes them. Called by `app.ts`. */
export const createRunKind = ({ store, rules, recentRuns, watch }: RunKindOptions): RunKind => ({
  rules,
  async load(id) {
    const row = await runById.first(unscoped(store.read), { id });
    return storedRun(store.read, present(row, "the run of an effect or a decision"));
  },
  decide: (run, events, context) => decideRun(run, events, context, rules),
  placed: (run, seq) => ({ ...run, row: { ...run.row, seq } }),
  published(run) {
    recentRuns.put(run);
    watch.publish(run.row.id);
  },
});
