import type { Runtime } from "../../platform/runtime.ts";
import { type Run, Run as RunSchema } from "../../runs/schema.ts";
import { CommandError, type Io } from "../io.ts";
import { type Api, bodyOf } from "./http.ts";
import { createProgress, type Item, type Mark } from "./progress.ts";
import { Unreachable } from "./transport.ts";

/** Polls come quickly first, since most runs end within milliseconds, then once a second. */
const firstPollMs = 50;
const slowestPollMs = 1_000;
/** A server may be away for so long, for a restart, before waiting ends. The run itself is durable. */
const patienceMs = 60_000;

const terminal: readonly Run["status"][] = ["succeeded", "failed", "refused"];
/** Whether there is nothing left to wait for. */
export const isFinished = (run: Run): boolean => terminal.includes(run.status);

/** What a run is doing, in one line. */
export function progressOf(run: Run): string {
  const done = run.steps.filter((step) => step.finished_at !== null).length;
  const current = run.steps.filter((step) => step.status === "running" || step.status === "awaiting_approval");
  const steps = run.steps.length > 1 ? ` · ${done} of ${run.steps.length} steps done` : "";
  const now = current.length > 0 && !isFinished(run) ? ` · ${current.map(({ title }) => title).join(", ")}` : "";
  const approval = run.status === "awaiting_approval" ? ` · decide with: assay approvals approve ${run.id}` : "";
  return `${run.status.replace("_", " ")}${steps}${now}${approval}`;
}

const marks: Readonly<Record<Run["steps"][number]["status"], Mark>> = {
  pending: "open",
  running: "busy",
  awaiting_approval: "waits",
  succeeded: "done",
  failed: "bad",
  withheld: "bad",
  skipped: "open",
};

/** A run's steps as a list to watch; the line above shows a single step already. */
const stepsOf = (run: Run): readonly Item[] =>
  run.steps.length > 1 ? run.steps.map(({ status, title }) => ({ mark: marks[status], text: title })) : [];

export interface Waited {
  readonly run: Run;
  /** The record as the API sent it. */
  readonly text: string;
}

/** Seconds that the server waits in one request: what it works on is shown no more rarely. */
const serverWaits = 1;

/**
 * The text of a record at such a path, as it is; with a signal, which ends the waiting, it is the server that waits for
 * the end of what it is about, for a second at a time.
 */
export const readRecord = (api: Api, path: string, signal: AbortSignal | undefined): Promise<string> =>
  signal ? api.request("GET", `${path}?wait=${serverWaits}`, { signal }) : api.request("GET", path);

/** Reads a run's record; with a signal once the run rests, or as it is after a second. */
export async function readRun(api: Api, id: string, signal?: AbortSignal): Promise<Waited> {
  const text = await readRecord(api, `/v1/runs/${encodeURIComponent(id)}`, signal);
  return { run: bodyOf(RunSchema, text), text };
}

/**
 * Reads something again and again until it has ended, also while a server is away for a restart. Ctrl-C ends the
 * waiting, not what is waited for: the exit is `stopped`'s.
 */
export async function pollUntil<T>(
  runtime: Runtime,
  read: (signal: AbortSignal) => Promise<T>,
  hasEnded: (seen: T) => boolean,
  { show }: { readonly show: (seen: T | undefined) => void },
  stopped: CommandError,
): Promise<T> {
  const interruption = new AbortController();
  const { signal } = interruption;
  const interrupt = () => interruption.abort();
  process.once("SIGINT", interrupt);
  let pause = firstPollMs;
  let heard = runtime.elapsed();
  try {
    for (;;) {
      const asked = runtime.elapsed();
      const seen = await read(signal).catch((error: unknown) => {
        if (!(error instanceof Unreachable) || runtime.elapsed() - heard > patienceMs) throw error;
        return undefined;
      });
      show(seen);
      if (seen !== undefined) heard = runtime.elapsed();
      if (seen !== undefined && hasEnded(seen)) return seen;
      // Where the server waited, there is nothing to wait for here.
      if (runtime.elapsed() - asked >= slowestPollMs) continue;
      await runtime.sleep(pause, signal);
      pause = Math.min(pause * 1.5, slowestPollMs);
    }
  } catch (error) {
    throw signal.aborted ? stopped : error;
  } finally {
    process.off("SIGINT", interrupt);
  }
}

export const away = "the server does not answer, trying again";

/** Waits until a run is terminal, telling on stderr what it does. */
export async function waitForRun(api: Api, io: Io, id: string): Promise<Waited> {
  const progress = createProgress(io);
  return pollUntil(
    io.runtime,
    (signal) => readRun(api, id, signal),
    ({ run }) => isFinished(run),
    { show: (seen) => (seen ? progress(progressOf(seen.run), stepsOf(seen.run)) : progress(away)) },
    new CommandError(130, `Stopped waiting. The run goes on: ${id}`, `Go on watching with: assay runs watch ${id}`),
  );
}
