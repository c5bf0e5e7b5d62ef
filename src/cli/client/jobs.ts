import type { Command } from "commander";
import { CompanyAnalysisSubmission, type Job, JobList, Job as JobSchema } from "../../jobs/schema.ts";
import { isHttpUrl } from "../../platform/validate.ts";
import { CommandError, type Io } from "../io.ts";
import { type Api, apiFor, bodyOf, queryOf } from "./http.ts";
import { createProgress } from "./progress.ts";
import { age, facts, harmless, instant, outline, paint, printLines, section, type Tone, table } from "./screen.ts";
import { type ClientOptions, clientOptions, suggesting } from "./settings.ts";
import { away, pollUntil, readRecord } from "./wait.ts";

const tones: Readonly<Record<Job["status"], Tone | undefined>> = {
  queued: undefined,
  running: undefined,
  succeeded: "good",
  failed: "bad",
};

/** Prints a job. */
function printJob(io: Io, job: Job): void {
  const { error, progress } = job;
  io.out(paint(io, "bold", job.type) + paint(io, tones[job.status], `  ${job.status}`));
  printLines(
    io,
    facts(io, [
      ["job", job.id],
      ["stage", [job.stage, progress && `${progress.completed} of ${progress.total}`].filter(Boolean).join(", ")],
      ["attempts", job.attempts > 1 ? String(job.attempts) : null],
      ["created", `${instant(job.created_at)} UTC`],
      ["finished", job.finished_at && `${instant(job.finished_at)} UTC`],
      ["error", error && `${error.message} (${error.code})`],
    ]),
  );
  if (job.result !== null && job.result !== undefined) section(io, "Result", outline(job.result, io.columns));
}

function failUnlessSucceeded({ status, error }: Job): void {
  if (status !== "failed") return;
  const { message, code } = error ?? { message: "No reason was given.", code: "unknown" };
  throw new CommandError(1, harmless(`The job failed: ${message} (${code})`));
}

async function readJob(api: Api, id: string, signal?: AbortSignal): Promise<{ job: Job; text: string }> {
  const text = await readRecord(api, `/v1/jobs/${encodeURIComponent(id)}`, signal);
  return { job: bodyOf(JobSchema, text), text };
}

function summary({ status, stage, progress }: Job): string {
  const count = progress && progress.total > 0 ? `${progress.completed} of ${progress.total}` : null;
  return [status, stage, count].filter((part) => part !== null).join(" · ");
}

/** Waits until a job has finished, then prints it. Throws exit 1 if it failed. */
async function watch(io: Io, api: Api, id: string, json: boolean | undefined): Promise<void> {
  const progress = createProgress(io);
  const { job, text } = await pollUntil(
    io.runtime,
    (signal) => readJob(api, id, signal),
    (seen) => seen.job.finished_at !== null,
    { show: (seen) => progress(seen ? summary(seen.job) : away) },
    new CommandError(130, `Stopped waiting. The job continues: ${id}`, `Resume watching with: assay jobs watch ${id}`),
  );
  if (json) io.out(text);
  else printJob(io, job);
  failUnlessSucceeded(job);
}

interface AnalyzeOptions extends ClientOptions {
  readonly wait?: boolean;
  readonly idempotencyKey?: string;
}

async function analyze(io: Io, url: string, options: AnalyzeOptions): Promise<void> {
  if (!isHttpUrl(url))
    throw new CommandError(2, "The address must be an absolute http or https URL.", "For example https://example.com/");
  const api = await apiFor(io, options);
  const key = options.idempotencyKey ?? io.runtime.id();
  if (options.idempotencyKey === undefined) io.err(`To retry this analysis, use --idempotency-key ${key}`);
  const call = { body: { company_url: url }, headers: { "idempotency-key": key } };
  const text = await api.request("POST", "/v1/company-analyses", call);
  const { job_id, status, replayed } = bodyOf(CompanyAnalysisSubmission, text);
  if (replayed) io.err("The key was used before: this is the earlier job.");
  if (options.wait) return watch(io, api, job_id, options.json);
  if (options.json) return io.out(text);
  printLines(
    io,
    facts(io, [
      ["job", job_id],
      ["status", status],
    ]),
  );
  io.err(`Follow it with: assay jobs watch ${job_id}`);
}

interface ListOptions extends ClientOptions {
  readonly status?: string;
  readonly limit?: string;
  readonly cursor?: string;
}

async function list(io: Io, options: ListOptions): Promise<void> {
  const api = await apiFor(io, options);
  const { status, limit, cursor } = options;
  const text = await api.request("GET", `/v1/jobs${queryOf({ status, limit, cursor })}`);
  if (options.json) return io.out(text);
  const { items, next_cursor } = bodyOf(JobList, text);
  if (items.length === 0) return io.err("No jobs. Start one with: assay analyze URL");
  const lines = table(
    io,
    [
      { title: "job", cell: (job) => job.id },
      { title: "status", cell: (job) => job.status, tone: (job) => tones[job.status] },
      { title: "age", cell: (job) => age(job.created_at, io.runtime.now()), align: "right" },
      { title: "what", cell: (job) => job.type },
    ],
    items,
  );
  printLines(io, lines);
  if (next_cursor !== null) io.err(harmless(`There are more: --cursor ${next_cursor}`));
}

/** `assay analyze` and `assay jobs list|get|watch`. */
export function registerJobs(program: Command, io: Io): void {
  clientOptions(program.command("analyze <url>").description("Profile a company from its public website"))
    .option("--wait", "wait until the analysis finishes; exit 1 unless it succeeds")
    .option("--idempotency-key <key>", "8 to 128 characters; the same key and address give the same job")
    .action(async (url: string, _options, command: Command) =>
      analyze(io, url, command.optsWithGlobals<AnalyzeOptions>()),
    );
  const jobs = program.command("jobs").description("List, show and watch jobs");
  clientOptions(jobs.command("list").description("List jobs, newest first"))
    .addOption(suggesting("--status <status>", "only jobs with this status", JobSchema.properties.status.enum))
    .option("--limit <count>", "1 to 100 (default: 50)")
    .option("--cursor <cursor>", "continue after an earlier list")
    .action(async (_options, command: Command) => list(io, command.optsWithGlobals<ListOptions>()));
  clientOptions(jobs.command("get <id>").description("Show a job: status, stage, result")).action(
    async (id: string, _options, command: Command) => {
      const options = command.optsWithGlobals<ClientOptions>();
      const { job, text } = await readJob(await apiFor(io, options), id);
      if (options.json) io.out(text);
      else printJob(io, job);
    },
  );
  clientOptions(jobs.command("watch <id>").description("Wait for a job to finish, then show it")).action(
    async (id: string, _options, command: Command) => {
      const options = command.optsWithGlobals<ClientOptions>();
      await watch(io, await apiFor(io, options), id, options.json);
    },
  );
}
