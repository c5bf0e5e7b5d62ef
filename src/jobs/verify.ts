import type { Reader, StoredJob } from "../../db/sqlite/verification.ts";
import type { JobContext } from "../../machines/job.ts";
import { breathe, createFindings, type Findings } from "../platform/findings.ts";
import { sha256Hex } from "../platform/ids.ts";

const pageSize = 1_000;

/** Returns a snapshot's top-level state and its context. */
function read(snapshot: string): { state: string; context: JobContext } {
  const { value, context } = JSON.parse(snapshot) as { value: string | object; context: JobContext };
  return { state: typeof value === "string" ? value : (Object.keys(value)[0] ?? ""), context };
}

/** Yields the problems with one job, one line each. */
function* jobProblems({ id, snapshot_json, ...job }: StoredJob): Generator<string> {
  if (snapshot_json === null) {
    yield `job ${id} has no snapshot`;
    return;
  }
  const { state, context } = read(snapshot_json);
  const isOver = state === "succeeded" || state === "failed";
  if (state !== job.status) yield `job ${id} is ${job.status}, but its snapshot is ${state}`;
  if (context.attempts !== job.attempts)
    yield `job ${id} has ${job.attempts} attempts, but its snapshot has ${context.attempts}`;
  if (context.reason !== job.error_code) yield `job ${id} has another error than its snapshot`;
  if (isOver !== (job.finished_at !== null)) yield `job ${id} is ${state}, which contradicts its end time`;
  if ((state === "succeeded") !== (job.result_json !== null))
    yield `job ${id} is ${state}, which contradicts its result`;
  if (job.effects !== (isOver ? 0 : 1)) yield `job ${id} is ${state}, but has ${job.effects} pending effects`;
}

function problemsOf(job: StoredJob): string[] {
  try {
    return [...jobProblems(job)];
  } catch (error) {
    return [`job ${job.id} can't be read: ${error instanceof Error ? error.message : String(error)}`];
  }
}

/** Checks results against the hashes in the audit log; earlier releases recorded none. */
function checkResults(reader: Reader, problem: (line: string) => void): void {
  for (const { subject, data_json } of reader.auditEntries("job.succeeded")) {
    const { result_sha256 } = JSON.parse(data_json) as { result_sha256?: string };
    if (result_sha256 !== undefined && sha256Hex(reader.jobResult(subject) ?? "") !== result_sha256)
      problem(`job ${subject}: its result is not the one in the audit log`);
  }
}

/**
 * Checks jobs for `assay verify`: each job against its snapshot (an unfinished one has exactly one pending effect, a
 * finished one none), the monthly counters against the jobs that count, and each result against the audit log.
 */
export async function verifyJobs(reader: Reader, progress?: (done: string) => void): Promise<Findings> {
  const findings = createFindings("jobs", progress);
  for (const { name, period, used, jobs } of reader.miscountedJobs())
    findings.problem(`${name} counts ${used} in ${period}, but there are ${jobs} jobs`);
  checkResults(reader, findings.problem);
  let after = "";
  for (;;) {
    const page = reader.jobs(after, pageSize);
    for (const job of page) {
      findings.count();
      for (const line of problemsOf(job)) findings.problem(line);
      after = job.id;
    }
    if (page.length < pageSize) return findings.result();
    await breathe();
  }
}
