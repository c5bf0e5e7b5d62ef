import { jobById } from "../../db/queries/jobs.ts";
import { snapshotOf } from "../../db/queries/snapshots.ts";
import type { Store } from "../../db/store.ts";
import { unscoped } from "../../db/tenancy.ts";
import type { JobEvent } from "../../machines/job.ts";
import type { ActorKind } from "../execution/host.ts";
import type { ActorWatch } from "../execution/watch.ts";
import { present } from "../platform/assert.ts";
import { decideJob, type JobEventContext, type JobRules, type JobState } from "./decide.ts";

export interface JobKind extends ActorKind<JobState, JobEvent, JobEventContext> {
  readonly rules: JobRules;
}

/** Creates the job kind, through which the host moves jobs. Called by `app.ts`. */
export const createJobKind = (store: Pick<Store, "read">, rules: JobRules, watch: ActorWatch): JobKind => ({
  rules,
  async load(id) {
    const row = present(await jobById.first(unscoped(store.read), { id }), "the job of an effect");
    const stored = present(await snapshotOf.first(store.read, { actor_id: id }), "the snapshot of a job");
    return { row, revision: stored.revision, snapshot: stored.snapshot_json };
  },
  decide: (job, events, context) => decideJob(job, events, context, rules),
  published: ({ row }) => watch.publish(row.id),
});
