import { claimDigest } from "../../db/claim-digest.ts";
import { claimByDigest } from "../../db/queries/idempotency.ts";
import { jobInFirm, jobsOf } from "../../db/queries/jobs.ts";
import type { JobTable, JobTypeName } from "../../db/schema/job-tables.ts";
import type { Store } from "../../db/store.ts";
import type { Claim, Guard, Refused } from "../../db/transition.ts";
import type { Host } from "../execution/host.ts";
import { type Counted, monthlyGuard } from "../execution/usage/quota.ts";
import type { Worker } from "../execution/worker.ts";
import { actorOf, type Principal } from "../identity/principal.ts";
import { OutboundError } from "../integrations/outbound/types.ts";
import { present } from "../platform/assert.ts";
import { failure, invalid } from "../platform/errors.ts";
import { sha256Hex } from "../platform/ids.ts";
import { canonical } from "../platform/json.ts";
import type { Runtime } from "../platform/runtime.ts";
import { capabilityBlocker, type Registry } from "../registry/registry.ts";
import type { Cursors } from "../web/cursor.ts";
import { decideNewJob } from "./decide.ts";
import type { JobKind } from "./kind.ts";
import { jobRecord } from "./record.ts";
import type { CompanyAnalysisRequest, CompanyAnalysisSubmission, Job, JobList, JobQuery } from "./schema.ts";
import { capabilityOf, jobPath, jobTypes, openJobType } from "./types.ts";

/** A company analysis requested over REST or MCP. Without a key, every submission is a new one. */
export interface CompanyAnalysis extends CompanyAnalysisRequest {
  readonly idempotency_key?: string | undefined;
}

/** A job of any type. Credential, scopes and entitlements have already been checked. */
export interface JobSubmission {
  readonly principal: Principal;
  readonly type: JobTypeName;
  readonly workspace_id: string;
  /** In canonical form, so that equal inputs compare equal. */
  readonly input: unknown;
  readonly idempotency_key?: string | undefined;
  /** The quota that it counts towards. */
  readonly quota?: Pick<Counted, "subject" | "name">;
}

export interface JobsOptions {
  readonly store: Store;
  readonly registry: Registry;
  readonly worker: Worker;
  readonly host: Host;
  readonly kind: JobKind;
  readonly runtime: Runtime;
  /** Returns the canonical address. Throws `OutboundError` if the URL alone shows that it may not be fetched. */
  readonly checkUrl: (text: string) => URL;
}

/** Recommended polling interval, in seconds. */
const pollAfter = 2;
const listName = "jobs";

const refusedAs = ({ refused }: Refused): Error =>
  refused === "quota_exceeded" ? failure(refused) : new Error(`a new job was refused: ${refused}`);

/** Returns the claim of the caller's idempotency key. */
function claimOf(submission: JobSubmission, id: string, at: number): Claim | undefined {
  const { principal, type, workspace_id, idempotency_key: key, input } = submission;
  if (key === undefined) return undefined;
  const { firm_id, user_id } = principal;
  const input_hash = sha256Hex(JSON.stringify([workspace_id, user_id, canonical(input)]));
  return { firm_id, operation: type, key, input_hash, resource_id: id, created_at: at };
}

/**
 * Returns the job created earlier with this key, if its input was the same; otherwise throws `idempotency_conflict`.
 */
async function earlierJob(store: Store, claim: Claim, earlier: Pick<Claim, "input_hash" | "resource_id">) {
  if (earlier.input_hash !== claim.input_hash) throw failure("idempotency_conflict");
  const { firm_id } = claim;
  const row = await jobInFirm.first(store.read, { id: earlier.resource_id, firm_id });
  return { row: present(row, "the job of an idempotency key"), replayed: true };
}

/** Returns null if the capability is sold here and its gate is open. */
async function blockerOf(registry: Registry, type: JobTypeName) {
  const capability = capabilityOf(registry, type);
  return !capability || capabilityBlocker(capability, await registry.gates()) ? "capability_runs_disabled" : null;
}

/** Returns the canonical address. Throws `validation_error` at `/body/company_url` if it may not be fetched. */
function canonicalUrl(text: string, checkUrl: JobsOptions["checkUrl"]): string {
  try {
    return checkUrl(text).href;
  } catch (error) {
    if (error instanceof OutboundError) throw invalid("/body/company_url", error.message);
    throw error;
  }
}

/**
 * Lists a page of the company analyses that the caller's user submitted in the key's workspace, newest first. For the
 * routes.
 */
export async function listJobs(
  { store, cursors }: Pick<JobsOptions, "store"> & { readonly cursors: Cursors },
  { firm_id, user_id, workspace_id }: Principal,
  { status, limit, cursor }: JobQuery,
): Promise<JobList> {
  const owner = { firm_id, user_id, workspace_id: present(workspace_id ?? undefined, "the workspace of a key") };
  const before = cursors.read(listName, cursor);
  const rows = await jobsOf(store.read, { ...owner, type: openJobType, status, before, limit: limit + 1 });
  return cursors.page(listName, { rows, limit, show: jobRecord, position: ({ id }) => id });
}

/** Creates the job service, used by routes and MCP. */
export function createJobs({ store, host, kind, registry, worker, runtime, checkUrl }: JobsOptions) {
  const jobs = {
    /**
     * Queues a job and resolves once it is durable. The idempotency key is unique per firm and job type. Throws
     * `idempotency_conflict`, `capability_runs_disabled` or `quota_exceeded`, in which case nothing was written.
     */
    async submit(submission: JobSubmission): Promise<{ readonly row: JobTable; readonly replayed: boolean }> {
      const { principal, type, workspace_id, quota } = submission;
      const { firm_id, user_id, key_id: api_key_id } = principal;
      const id = runtime.id();
      const created_at = runtime.now();
      const claim = claimOf(submission, id, created_at);
      const blocker = await blockerOf(registry, type);
      if (blocker) {
        const known = claim && (await claimByDigest.first(store.read, { digest: claimDigest(claim), firm_id }));
        if (claim && known) return earlierJob(store, claim, known);
        throw failure(blocker);
      }
      const counted = quota ? await monthlyGuard(store.read, { ...quota, firm_id }, created_at) : null;
      const owner = { firm_id, workspace_id, user_id, api_key_id };
      const input_json = canonical(submission.input);
      const job = { id, ...owner, type, input_json, quota: counted?.name ?? null, created_at };
      const decision = decideNewJob(job, actorOf(principal), kind.rules);
      const guards: Guard[] = [
        ...(claim ? [{ guard: "claim" as const, ...claim }] : []),
        ...(counted ? [counted] : []),
      ];
      const applied = await host.commit(kind, { ...decision, transition: { ...decision.transition, guards } });
      if (applied.refused === "idempotency_key_used")
        return earlierJob(store, present(claim, "the claim"), applied.earlier);
      if (applied.refused) throw refusedAs(applied);
      for (const effect of applied.effects) worker.submit(effect);
      return { row: applied.state.row, replayed: false };
    },

    /**
     * Queues the analysis of a company's website; only for an API key. Throws what `submit` throws, and
     * `validation_error` at `/body/company_url` for an address that may not be fetched.
     */
    async submitCompanyAnalysis(principal: Principal, asked: CompanyAnalysis): Promise<CompanyAnalysisSubmission> {
      const { row, replayed } = await jobs.submit({
        principal,
        type: openJobType,
        workspace_id: present(principal.workspace_id ?? undefined, "the workspace of a key"),
        input: { company_url: canonicalUrl(asked.company_url, checkUrl) },
        idempotency_key: asked.idempotency_key,
        quota: { subject: `key:${present(principal.key_id ?? undefined, "the key")}`, name: "company-analyses" },
      });
      const status_url = jobPath(row.type, row.id);
      return { job_id: row.id, status: row.status, status_url, poll_after_seconds: pollAfter, replayed };
    },

    /**
     * Returns a job that the caller's user submitted, or one shared within the firm; for a key, only in its workspace.
     * Throws `not_found` for any other job, and for one of another type than requested.
     */
    async jobView(principal: Principal, id: string, type?: JobTypeName): Promise<Job> {
      const { firm_id, user_id, workspace_id } = principal;
      const row = await jobInFirm.first(store.read, { id, firm_id });
      const isOwn =
        (row?.user_id === user_id || (row && jobTypes[row.type]?.isShared)) &&
        (workspace_id === null || row.workspace_id === workspace_id);
      if (!row || !isOwn || (type !== undefined && row.type !== type)) throw failure("not_found");
      return jobRecord(row);
    },
  };

  return jobs;
}

export type Jobs = ReturnType<typeof createJobs>;
