import { claimedBefore, claimIdempotencyKey } from "../../db/queries/idempotency.ts";
import { jobInFirm } from "../../db/queries/jobs.ts";
import type { JobTable, JobTypeName } from "../../db/schema/job-tables.ts";
import type { Db, Store } from "../../db/sqlite/connection.ts";
import { type Counted, useMonthly } from "../execution/usage/quota.ts";
import type { Worker } from "../execution/worker.ts";
import { actorOf, type Principal } from "../identity/principal.ts";
import { OutboundError } from "../integrations/outbound/types.ts";
import { present } from "../platform/assert.ts";
import type { Clock } from "../platform/clock.ts";
import { failure, invalid } from "../platform/errors.ts";
import { newId, sha256Hex } from "../platform/ids.ts";
import { canonical } from "../platform/json.ts";
import { capabilityBlocker, type Registry } from "../registry/registry.ts";
import type { JobActors, JobMoved } from "./actor.ts";
import { jobRecord } from "./record.ts";
import type { CompanyAnalysisRequest, CompanyAnalysisSubmission, Job } from "./schema.ts";
import { capabilityOf, jobPath } from "./types.ts";

/** What is asked for over REST or MCP. Without a key every submission is a new one. */
export interface CompanyAnalysis extends CompanyAnalysisRequest {
  readonly idempotency_key?: string | undefined;
}

/** A job of any sort. Credential, scopes and entitlements have been checked before. */
export interface JobSubmission {
  readonly principal: Principal;
  readonly type: JobTypeName;
  readonly workspace_id: string;
  /** In its canonical form: what is the same must look the same. */
  readonly input: unknown;
  readonly idempotency_key?: string | undefined;
  /** What it counts towards. */
  readonly quota?: Pick<Counted, "subject" | "name">;
}

export interface JobsOptions {
  readonly store: Store;
  readonly registry: Registry;
  readonly worker: Worker;
  readonly actors: JobActors;
  readonly clock: Clock;
  /** The canonical address; throws `OutboundError` where its spelling alone says that it may not be fetched. */
  readonly checkUrl: (text: string) => URL;
}

/** Seconds that a poller waits between two looks. */
const pollAfter = 2;

/** Jobs as their routes and MCP use them. */
export function createJobs({ store, registry, worker, actors, clock, checkUrl }: JobsOptions) {
  /** The job that this key made before, if its input was the same; else `idempotency_conflict`. */
  async function earlier(tx: Db, claim: { firm_id: string; operation: string; key: string }, input_hash: string) {
    const known = present(await claimedBefore(tx, claim), "the key that was claimed before");
    if (known.input_hash !== input_hash) throw failure("idempotency_conflict");
    const id = known.resource_id;
    return present(await jobInFirm.first(tx, { id, firm_id: claim.firm_id }), "the job of an idempotency key");
  }

  async function admit({ type }: JobSubmission): Promise<void> {
    const capability = capabilityOf(registry, type);
    if (!capability || capabilityBlocker(capability, await registry.gates())) throw failure("capability_runs_disabled");
  }

  /** In one transaction: the key, the quota and the job. */
  async function accept(tx: Db, submission: JobSubmission, id: string): Promise<JobMoved | JobTable> {
    const { principal, type, workspace_id, idempotency_key: key, quota } = submission;
    const { firm_id, user_id, key_id: api_key_id } = principal;
    const now = clock.now();
    const input_json = canonical(submission.input);
    if (key !== undefined) {
      const claim = { firm_id, operation: type, key };
      const input_hash = sha256Hex(JSON.stringify([workspace_id, user_id, input_json]));
      const made = { input_hash, resource_id: id, created_at: now };
      if (!(await claimIdempotencyKey(tx, { ...claim, ...made }))) return earlier(tx, claim, input_hash);
    }
    await admit(submission);
    const counted = quota ? await useMonthly(tx, { ...quota, firm_id }, now) : null;
    const owner = { firm_id, workspace_id, user_id, api_key_id };
    const job = { id, ...owner, type, input_json, quota: counted, created_at: now };
    return actors.create(tx, job, actorOf(principal));
  }

  const jobs = {
    /**
     * Queues a job; answers once it is durable. The key is unique within the firm and the sort of jobs. Throws
     * `idempotency_conflict`, `capability_runs_disabled` and `quota_exceeded`; then nothing was written.
     */
    async submit(submission: JobSubmission): Promise<{ readonly row: JobTable; readonly replayed: boolean }> {
      const id = newId();
      const accepted = await store.write((tx) => accept(tx, submission, id));
      if (!("effects" in accepted)) return { row: accepted, replayed: true };
      for (const effect of accepted.effects) worker.submit(effect);
      return { row: accepted.actor.row, replayed: false };
    },

    /**
     * Queues the analysis of a company's website, for an API key alone. Throws what `submit` throws, and
     * `validation_error` at `/body/company_url` for an address that may not be fetched.
     */
    async submitCompanyAnalysis(principal: Principal, asked: CompanyAnalysis): Promise<CompanyAnalysisSubmission> {
      const { row, replayed } = await jobs.submit({
        principal,
        type: "company.analyze_url",
        workspace_id: present(principal.workspace_id ?? undefined, "the workspace of a key"),
        input: { company_url: canonicalUrl(asked.company_url) },
        idempotency_key: asked.idempotency_key,
        quota: { subject: `key:${present(principal.key_id ?? undefined, "the key")}`, name: "company-analyses" },
      });
      const status_url = jobPath(row.type, row.id);
      return { job_id: row.id, status: row.status, status_url, poll_after_seconds: pollAfter, replayed };
    },

    /**
     * A job that the caller's user submitted, for a key within its workspace. Throws `not_found` for any other, and for
     * one of another sort than asked for.
     */
    async jobView(principal: Principal, id: string, type?: JobTypeName): Promise<Job> {
      const { firm_id, user_id, workspace_id } = principal;
      const row = await jobInFirm.first(store.read, { id, firm_id });
      const isOwn = row?.user_id === user_id && (workspace_id === null || row.workspace_id === workspace_id);
      if (!row || !isOwn || (type !== undefined && row.type !== type)) throw failure("not_found");
      return jobRecord(row);
    },
  };

  function canonicalUrl(text: string): string {
    try {
      return checkUrl(text).href;
    } catch (error) {
      if (error instanceof OutboundError) throw invalid("/body/company_url", error.message);
      throw error;
    }
  }

  return jobs;
}

export type Jobs = ReturnType<typeof createJobs>;
