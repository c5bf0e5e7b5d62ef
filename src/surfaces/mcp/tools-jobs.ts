import { Type as T } from "@sinclair/typebox";
import type { Scope } from "../../contracts/scopes.ts";
import type { Principal } from "../../identity/principal.ts";
import { analysisKeyHeader, CompanyAnalysisRequest, Job } from "../../jobs/schema.ts";
import type { Jobs } from "../../jobs/service.ts";
import { openJobType } from "../../jobs/types.ts";
import { closed } from "../../platform/schema.ts";
import type { Tool as CatalogueTool } from "../../registry/contract.ts";
import type { Registry } from "../../registry/registry.ts";
import { checkKey, freshKeyAdvice } from "./idempotency.ts";
import { spending } from "./run-answer.ts";
import { type Answer, type Call, reading, type Tool, ToolFailure, tool } from "./tool.ts";
import { type Stand, type WaitServices, waitFor } from "./wait.ts";

/** Seconds to wait between two polls of an unfinished job. */
const pollSeconds = 5;
const capability = "company-intelligence";

/** The job as REST returns it, also with `job_id`; `poll` is set while it is unfinished. */
const JobAnswer = T.Object({ ...Job.properties, job_id: T.String(), poll: T.Optional(T.String()) });

/**
 * Scopes that the tools require of an API key. No other credential is accepted, so that no OAuth token ever has to
 * carry them.
 */
const analysing: readonly Scope[] = ["company:analyze", "jobs:read"];
const looking: readonly Scope[] = ["jobs:read"];
const isRightKey = ({ kind, scopes }: Principal, wanted: readonly Scope[]): boolean =>
  kind === "key" && wanted.every((scope) => scopes.has(scope));

function requireKey({ principal }: Call, wanted: readonly Scope[]): void {
  if (!isRightKey(principal, wanted))
    throw new ToolFailure(
      "api_key_required",
      `This tool takes an API key that carries ${wanted.length > 1 ? "both " : ""}${wanted.join(" and ")}.`,
      "Connect with such a key; OAuth and personal connections are refused. Do not retry with this credential.",
    );
}

const standOf = ({ status, stage, progress }: Job): Stand => {
  const rests = status === "succeeded" || status === "failed";
  const begun = progress && progress.total > 0 ? progress.completed / progress.total : 0;
  return { rests, done: rests ? 1 : Math.min(begun, 0.99), total: 1, message: stage ?? status };
};

/** Returns the job's record. A failed job is not an error here: the lookup succeeded. */
function recordOf(job: Job): Answer<typeof JobAnswer.static> {
  const { id, status, result, error } = job;
  const head = `Job ${id}: ${status}.`;
  const value = { ...job, job_id: id };
  if (status === "succeeded") return { value, text: `${head}\n\n${JSON.stringify(result)}` };
  if (error) return { value, text: `${head} ${error.message} (${error.code})` };
  const poll = `Poll it with get_job after ${pollSeconds} seconds; do not start it again.`;
  return { value: { ...value, poll }, text: `${head} ${poll}` };
}

/** Returns the outcome of a requested analysis. Throws `ToolFailure` with the reason if it failed. */
function outcomeOf(job: Job): Answer<typeof JobAnswer.static> {
  if (job.status === "failed")
    throw new ToolFailure(
      job.error?.code ?? "internal_error",
      `${job.error?.message ?? "The job failed."} Job ${job.id} failed.`,
      `Read the reason. Repeat the call only if it may succeed. ${freshKeyAdvice}`,
    );
  return recordOf(job);
}

/** Services used by the job tools. */
export interface JobToolServices extends WaitServices {
  readonly jobs: Jobs;
  readonly registry: Registry;
}

function restingJob(services: JobToolServices, call: Call, id: string): Promise<Job> {
  const read = () => services.jobs.jobView(call.principal, id, openJobType);
  return waitFor(services, call, { id, read, stand: standOf });
}

const analysis = (services: JobToolServices, sold: CatalogueTool): Tool[] => [
  tool({
    name: sold.name,
    title: sold.title,
    description: sold.summary,
    scopes: [],
    // It starts a job that fetches web pages and counts against the key's monthly quota.
    hints: { ...spending, openWorldHint: true },
    advice: {
      quota_exceeded:
        "Stop. This month's analyses are used up. Ask the account's owner: the operator can raise the limit.",
    },
    offered: ({ principal }) =>
      isRightKey(principal, analysing) && services.registry.capabilities.get(capability)?.engine.ready() === null,
    input: CompanyAnalysisRequest,
    output: JobAnswer,
    async run({ company_url }, call) {
      requireKey(call, analysing);
      const { principal, idempotency_key } = call;
      checkKey(analysisKeyHeader, idempotency_key);
      const { job_id } = await services.jobs.submitCompanyAnalysis(principal, { company_url, idempotency_key });
      return outcomeOf(await restingJob(services, call, job_id));
    },
  }),
  tool({
    name: "get_job",
    title: "Get a job",
    description: "Get the status and result of a company analysis. Waits up to 45 seconds.",
    scopes: [],
    hints: reading,
    offered: ({ principal }) => isRightKey(principal, looking),
    input: closed({ job_id: T.String({ format: "uuid", description: "The job's id." }) }),
    output: JobAnswer,
    async run({ job_id }, call) {
      requireKey(call, looking);
      return recordOf(await restingJob(services, call, job_id));
    },
  }),
];

/** The tools for company analyses: the one sold in the catalogue, and `get_job`. */
export function jobTools(services: JobToolServices): Tool[] {
  const sold = services.registry.capabilities.get(capability)?.tools[0];
  return sold ? analysis(services, sold) : [];
}
