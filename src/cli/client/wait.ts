import { setTimeout as after } from "node:timers/promises";
import { type Run, Run as RunSchema } from "../../runs/schema.ts";
import { CommandError, type Io } from "../io.ts";
import { type Api, bodyOf, Unreachable } from "./http.ts";
import { paint, width } from "./screen.ts";

/** Polls come quickly first, since most runs end within milliseconds, then once a second. */
const firstPollMs = 50;
const slowestPollMs = 1_000;
/** A server may be away for so long, for a restart, before waiting ends. The run itself is durable. */
const patienceMs = 60_000;

const terminal: readonly Run["status"][] = ["succeeded", "failed", "refused"];
export const isFinished = (run: Run): boolean => terminal.includes(run.status);

/** What a run is doing, in one line. */
export function progressOf(run: Run): string {
  const done = run.steps.filter((step) => step.finished_at !== null).length;
  const current = run.steps.find((step) => step.status === "running" || step.status === "awaiting_approval");
  const steps = run.steps.length > 1 ? ` · ${done} of ${run.steps.length} steps done` : "";
  const now = current && !isFinished(run) ? ` · ${current.title}` : "";
  const approval = run.status === "awaiting_approval" ? ` · decide with: assay approvals approve ${run.id}` : "";
  return `${run.status.replace("_", " ")}${steps}${now}${approval}`;
}

/** Progress on stderr: one line that is rewritten where people look on, else a line for each change. */
function reporter(io: Io): (told: string) => void {
  const live = io.terminal && process.stderr.isTTY === true && io.env.TERM !== "dumb";
  const began = Date.now();
  let last: string | undefined;
  return (told) => {
    const seconds = Math.floor((Date.now() - began) / 1000);
    const line = live && seconds > 0 ? `${told} · ${seconds} s` : told;
    if (line === last) return;
    // One line up and emptied: only for what fits a line, so that nothing above is lost.
    const again = live && last !== undefined && width(last) < io.columns ? "\u001b[1A\u001b[2K" : "";
    io.err(again + paint(io, "dim", line));
    last = line;
  };
}

export interface Waited {
  readonly run: Run;
  /** The record as the API sent it. */
  readonly text: string;
}

/** Reads a run's record. */
export async function readRun(api: Api, id: string, signal?: AbortSignal): Promise<Waited> {
  const text = await api.request("GET", `/v1/runs/${encodeURIComponent(id)}`, signal ? { signal } : {});
  return { run: bodyOf(RunSchema, text), text };
}

async function poll(api: Api, id: string, signal: AbortSignal, report: (told: string) => void): Promise<Waited> {
  let pause = firstPollMs;
  let heard = Date.now();
  for (;;) {
    try {
      const seen = await readRun(api, id, signal);
      report(progressOf(seen.run));
      if (isFinished(seen.run)) return seen;
      heard = Date.now();
    } catch (error) {
      if (!(error instanceof Unreachable) || Date.now() - heard > patienceMs) throw error;
      report("the server does not answer, trying again");
    }
    await after(pause, undefined, { signal });
    pause = Math.min(pause * 1.5, slowestPollMs);
  }
}

/** Polls a run until it is terminal, telling on stderr what it does. Ctrl-C ends the waiting, not the run: exit 1. */
export async function waitForRun(api: Api, io: Io, id: string): Promise<Waited> {
  const interruption = new AbortController();
  const interrupt = () => interruption.abort();
  process.once("SIGINT", interrupt);
  try {
    return await poll(api, id, interruption.signal, reporter(io));
  } catch (error) {
    if (!interruption.signal.aborted) throw error;
    throw new CommandError(1, `Stopped waiting. The run goes on: ${id}`, `Go on watching with: assay runs watch ${id}`);
  } finally {
    process.off("SIGINT", interrupt);
  }
}
