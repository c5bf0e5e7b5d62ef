import { type Static, Type as T } from "@sinclair/typebox";
import { closed, enumeration, nullable } from "../platform/schema.ts";
import { definePattern } from "../platform/validate.ts";
import { Reason } from "../runs/schema.ts";
import { cursorMember, page } from "../web/cursor.ts";

export const JobStatus = enumeration("queued", "running", "succeeded", "failed");
export const JobTypeName = enumeration("company.analyze_url", "germany.enrich");

const at = () => T.String({ format: "date-time" });

/** Progress of the current attempt: units done out of the stage's total. */
export const JobProgress = closed({ completed: T.Integer({ minimum: 0 }), total: T.Integer({ minimum: 0 }) });

const exampleResult = {
  company_name: "Example s.r.o.",
  target_audience: "Owners of small houses",
  products_services: ["Household insurance"],
  market: "CZ",
};

/** The polling view of a job, without its input and the key that requested it. */
export const Job = closed(
  {
    id: T.String({ format: "uuid" }),
    type: JobTypeName,
    status: JobStatus,
    stage: nullable(T.String({ description: "What the current attempt is doing, in one or two words." }), null),
    progress: nullable(JobProgress, null),
    attempts: T.Integer({ minimum: 0, description: "Attempts started so far. Transient failures are retried." }),
    result: T.Unknown({ title: "JobResult", examples: [exampleResult] }),
    error: nullable(Reason),
    created_at: at(),
    started_at: nullable(at()),
    finished_at: nullable(at()),
    links: closed({ self: T.String() }),
  },
  { title: "Job" },
);
export type Job = Static<typeof Job>;

export const JobQuery = T.Object({
  status: T.Optional(JobStatus),
  limit: T.Integer({ minimum: 1, maximum: 100, default: 50 }),
  ...cursorMember,
});
export type JobQuery = Static<typeof JobQuery>;

export const JobList = page(Job, "JobList");
export type JobList = Static<typeof JobList>;

export const CompanyAnalysisRequest = closed(
  {
    company_url: T.String({
      format: "uri",
      maxLength: 2048,
      description: "Absolute HTTP or HTTPS address of a public page.",
    }),
  },
  { title: "CompanyAnalysisRequest" },
);
export type CompanyAnalysisRequest = Static<typeof CompanyAnalysisRequest>;

/** Stricter than a run's key, as the specification requires. */
export const analysisKeyHeader = T.String({
  minLength: 8,
  maxLength: 128,
  pattern: definePattern(
    "^[A-Za-z0-9][A-Za-z0-9._:-]{7,127}$",
    "must start with a letter or digit, and contain only letters, digits and the characters . _ : -",
  ),
});

/** The response to a submission: where to poll, and how often. */
export const CompanyAnalysisSubmission = closed(
  {
    job_id: T.String({ format: "uuid" }),
    status: JobStatus,
    status_url: T.String(),
    poll_after_seconds: T.Integer({ minimum: 1 }),
    replayed: T.Boolean({
      description: "Whether the idempotency key was used before for the same input, so that this is the earlier job.",
    }),
  },
  { title: "CompanyAnalysisSubmission" },
);
export type CompanyAnalysisSubmission = Static<typeof CompanyAnalysisSubmission>;

const Proposal = closed({
  field: T.String(),
  value: nullable(T.Union([T.String(), T.Array(T.String())], { description: "Null if the site does not say." })),
  reliability: nullable(enumeration("A", "B", "C", "D")),
  evidence: T.Array(closed({ url: T.String(), place: T.String(), excerpt: T.String({ maxLength: 160 }) })),
});

/** The result of a `germany.enrich` job: proposals, each with its evidence. */
export const GermanyEnrichment = closed(
  {
    target_key: T.String(),
    version: T.Integer({ minimum: 0, description: "Version of the data that named the site." }),
    retrieved_at: at(),
    fields: T.Array(Proposal),
    pages: T.Array(T.String(), { description: "The pages that were read." }),
    notes: T.Array(T.String()),
  },
  { title: "GermanyEnrichment" },
);
export type GermanyEnrichment = Static<typeof GermanyEnrichment>;
