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
  readonly host: Host;
  readonly kind: JobKind;
  readonly runtime: Runtime;
  /** The canonical address; throws `OutboundError` where its spelling alone says that it may not be fetched. */
  readonly checkUrl: (text: string) => URL;
}

/** Seconds that a poller waits between two looks. */
const pollAfter = 2;
const listName = "jobs";

const refusedAs = ({ refused }: Refused): Error =>
  refused === "quota_exceeded" ? failure(refused) : new Error(`a new job was refused: ${refused}`);

/** The claim of the caller's idempotency key. */
function claimOf(submission: JobSubmission, id: string, at: number): Claim | undefined {
  const { principal, type, workspace_id, idempotency_key: key, input } = submission;
  if (key === undefined) return undefined;
  const { firm_id, user_id } = principal;
  const input_hash = sha256Hex(JSON.stringify([workspace_id, user_id, canonical(input)]));
  return { firm_id, operation: type, key, input_hash, resource_id: id, created_at: at };
}

/** The job that this key made before, if its input was the same; else `idempotency_conflict`. */
async function earlierJob(store: Store, claim: Claim, earlier: Pick<Claim, "input_hash" | "resource_id">) {
  if (earlier.input_hash !== claim.input_hash) throw failure("idempotency_conflict");
  const { firm_id } = claim;
  const row = await jobInFirm.first(store.read, { id: earlier.resource_id, firm_id });
  return { row: present(row, "the job of an idempotency key"), replayed: true };
}

/** Null: it is sold and its gate is open. */
async function blockerOf(registry: Registry, type: JobTypeName) {
  const capability = capabilityOf(registry, type);
  return !capability || capabilityBlocker(capability, await registry.gates()) ? "capability_runs_disabled" : null;
}

/** The canonical address; `validation_error` at `/body/company_url` where it may not be fetched. */
function canonicalUrl(text: string, checkUrl: JobsOptions["checkUrl"]): string {
  try {
    return checkUrl(text).href;
  } catch (error) {
    if (error instanceof OutboundError) throw invalid("/body/company_url", error.message);
    throw error;
  }
}

/** A page of the company analyses that the caller's user submitted in the key's workspace, the newest first. For the routes. */
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

/** Jobs as their routes and MCP use them. */
export function createJobs({ store, host, kind, registry, worker, runtime, checkUrl }: JobsOptions) {
  const jobs = {
    /**
     * Queues a job; answers once it is durable. The key is unique within the firm and the sort of jobs. Throws
     * `idempotency_conflict`, `capability_runs_disabled` and `quota_exceeded`; then nothing was written.
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
     * Queues the analysis of a company's website, for an API key alone. Throws what `submit` throws, and
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
     * A job that the caller's user submitted, or a shared one of the firm, for a key within its workspace. Throws `not_found` for any other, and for
     * one of another sort than asked for.
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
