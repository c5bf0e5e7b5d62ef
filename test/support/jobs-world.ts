import type { Job } from "../../src/jobs/schema.ts";
import { capability, ScriptedEngine } from "./engines.ts";
import { type Ask, type Firm, freshKey, World } from "./harness.ts";

/** The deadline of an attempt, in milliseconds. */
export const jobDeadline = 5_000;

export interface JobsWorld extends AsyncDisposable {
  readonly world: World;
  readonly engine: ScriptedEngine;
  /** Requests an analysis. */
  submit(firm: Firm, ask?: Submitting): Promise<Response>;
  /** Requests an analysis and returns its id; throws if it is not accepted. */
  accepted(firm: Firm, ask?: Submitting): Promise<string>;
  /** Returns the job as seen with its firm's key, in this world or in one restarted from it. */
  job(firm: Firm, id: string, on?: World): Promise<Job>;
  /** Waits until the job is terminal, advancing the clock so that retries become due. */
  ended(firm: Firm, id: string, on?: World): Promise<Job>;
}

export interface Submitting extends Ask {
  readonly url?: string;
  readonly key?: string;
}

/** Opens a world that sells company analyses, with an engine whose behaviour the test sets. */
export async function openJobs(
  engine = new ScriptedEngine("company-intelligence"),
  onCommit?: (world: () => World) => void,
): Promise<JobsWorld> {
  const slug = "company-intelligence";
  const capabilities = [capability(slug, { engine, deadline_ms: jobDeadline })];
  const world = await World.open(onCommit, { capabilities, useCases: [], stepEngines: {} });
  await world.openGates(slug);
  const jobs: JobsWorld = {
    world,
    engine,
    submit: (firm, { url = "https://example.com/", key = freshKey(), as = firm.key, body, headers } = {}) =>
      world.ask("/v1/company-analyses", {
        as,
        body: body ?? { company_url: url },
        headers: { "idempotency-key": key, ...headers },
      }),
    async accepted(firm, ask) {
      const response = await jobs.submit(firm, ask);
      if (response.status !== 202) throw new Error(`not accepted: ${response.status} ${await response.text()}`);
      return ((await response.json()) as { job_id: string }).job_id;
    },
    job: async (firm, id, on = world) => (await (await on.ask(`/v1/jobs/${id}`, { as: firm.key })).json()) as Job,
    async ended(firm, id, on = world) {
      await on.untilAfterPauses(async () => (await jobs.job(firm, id, on)).finished_at !== null, "the job ends");
      await on.idle();
      return jobs.job(firm, id, on);
    },
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  };
  return jobs;
}
