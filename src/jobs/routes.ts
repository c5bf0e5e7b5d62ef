import { Type as T } from "@sinclair/typebox";
import type { Store } from "../../db/store.ts";
import type { Waits } from "../execution/wait.ts";
import { callerOf } from "../web/access.ts";
import type { Cursors } from "../web/cursor.ts";
import { defineRoute, type Route } from "../web/define-route.ts";
import { errorResponses } from "../web/errors.ts";
import { afterWait, WaitQuery } from "../web/waiting.ts";
import {
  analysisKeyHeader,
  CompanyAnalysisRequest,
  CompanyAnalysisSubmission,
  Job,
  JobList,
  JobQuery,
} from "./schema.ts";
import { type Jobs, listJobs } from "./service.ts";
import { openJobType } from "./types.ts";

const tags = ["Jobs"];

/** Services used by the job routes. */
interface JobRoutesServices {
  readonly cursors: Cursors;
  readonly jobs: Jobs;
  readonly store: Store;
  readonly waits: Waits;
}

/** Routes that submit company analyses and poll jobs. */
export const jobRoutes = ({ jobs, store, cursors, waits }: JobRoutesServices): Route[] => [
  defineRoute({
    method: "POST",
    path: "/v1/company-analyses",
    access: { credential: "Key", scopes: ["company:analyze"] },
    headers: T.Object({ "idempotency-key": analysisKeyHeader }),
    body: CompanyAnalysisRequest,
    response: { 202: CompanyAnalysisSubmission, ...errorResponses(401, 402, 403, 404, 409, 422, 429, 500, 503) },
    detail: {
      operationId: "createCompanyAnalysis",
      summary: "Analyse a company's website",
      description:
        "Queues a job of type `company.analyze_url`; poll it at `status_url`. Repeating the request with the same key and address returns the same job and consumes no quota. New analyses count towards the API key's monthly quota.",
      tags,
    },
    handler: async ({ body, headers, request, set }) => {
      const submission = await jobs.submitCompanyAnalysis(callerOf(request), {
        company_url: body.company_url,
        idempotency_key: headers["idempotency-key"],
      });
      set.status = 202;
      set.headers.location = submission.status_url;
      set.headers["retry-after"] = String(submission.poll_after_seconds);
      if (submission.replayed) set.headers["idempotency-replayed"] = "true";
      return submission;
    },
  }),
  defineRoute({
    method: "GET",
    path: "/v1/jobs",
    access: { credential: "Key", scopes: ["jobs:read"] },
    query: JobQuery,
    response: { 200: JobList, ...errorResponses(401, 403, 422) },
    detail: {
      operationId: "listJobs",
      summary: "List jobs",
      description:
        "Company analyses, newest first, that the key's user submitted in its workspace, with any key. Enrichments are polled at their own route, with its scope.",
      tags,
    },
    handler: ({ query, request }) => listJobs({ store, cursors }, callerOf(request), query),
  }),
  defineRoute({
    method: "GET",
    path: "/v1/jobs/:job_id",
    access: { credential: "Key", scopes: ["jobs:read"] },
    params: T.Object({ job_id: T.String({ format: "uuid" }) }),
    query: WaitQuery,
    response: { 200: Job, ...errorResponses(401, 403, 404, 422, 429, 500, 503) },
    detail: {
      operationId: "getJob",
      summary: "Poll a job",
      description:
        "Poll until the status is `succeeded` or `failed`, or use `wait`: the response is then sent when the job ends, at the latest after that many seconds. Only keys of the user who submitted the job can see it, in its workspace; any other job is a 404.",
      tags,
    },
    handler: ({ params: { job_id: id }, query: { wait }, request }) => {
      const caller = callerOf(request);
      const read = () => jobs.jobView(caller, id, openJobType);
      const rests = ({ finished_at }: Job) => finished_at !== null;
      return afterWait(waits, request, wait, { id, caller, read, rests });
    },
  }),
];
