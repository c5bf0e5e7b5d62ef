import type { Runtime } from "../../platform/runtime.ts";
import { type Run, Run as RunSchema } from "../../runs/schema.ts";
import { CommandError, type Io } from "../io.ts";
import { type Api, bodyOf } from "./http.ts";
import { createProgress, type Item, type Mark } from "./progress.ts";
import { Unreachable } from "./transport.ts";

/** Poll intervals in milliseconds: short at first, since most runs end within milliseconds, then up to a second. */
const firstPollMs = 50;
const slowestPollMs = 1_000;
/** How long, in milliseconds, to tolerate an unreachable server, as during a restart. Runs are durable. */
const patienceMs = 60_000;

const terminal: readonly Run["status"][] = ["succeeded", "failed", "refused"];
/** Returns whether a run is terminal. */
export const isFinished = (run: Run): boolean => terminal.includes(run.status);

/** Describes a run's progress in one line. */
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

/** Returns a run's steps as a progress list. A single step is in the headline already. */
const stepsOf = (run: Run): readonly Item[] =>
  run.steps.length > 1 ? run.steps.map(({ status, title }) => ({ mark: marks[status], text: title })) : [];

export interface Waited {
  readonly run: Run;
  /** The unparsed record. */
  readonly text: string;
}

/** Seconds that the server waits in one request. Progress is shown at least as often. */
const serverWaits = 1;

/**
 * Reads the text of a record. With a signal, which aborts the wait, the server holds the request for up to a second or
 * until what the record describes has finished.
 */
export const readRecord = (api: Api, path: string, signal: AbortSignal | undefined): Promise<string> =>
  signal ? api.request("GET", `${path}?wait=${serverWaits}`, { signal }) : api.request("GET", path);

/** Reads a run's record. With a signal, waits as `readRecord` does. */
export async function readRun(api: Api, id: string, signal?: AbortSignal): Promise<Waited> {
  const text = await readRecord(api, `/v1/runs/${encodeURIComponent(id)}`, signal);
  return { run: bodyOf(RunSchema, text), text };
}

/**
 * Reads repeatedly until `hasEnded`, even through a server restart. Ctrl-C ends the wait, not what is waited for, and
 * throws `stopped`.
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
      // The server has waited already.
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

export const away = "the server does not answer; retrying";

/** Waits until a run is terminal, showing its progress on stderr. */
export async function waitForRun(api: Api, io: Io, id: string): Promise<Waited> {
  const progress = createProgress(io);
  return pollUntil(
    io.runtime,
    (signal) => readRun(api, id, signal),
    ({ run }) => isFinished(run),
    { show: (seen) => (seen ? progress(progressOf(seen.run), stepsOf(seen.run)) : progress(away)) },
    new CommandError(130, `Stopped waiting. The run continues: ${id}`, `Resume watching with: assay runs watch ${id}`),
  );
}
