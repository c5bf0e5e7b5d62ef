import type { Command } from "commander";
import { type Run, Run as RunSchema } from "../../runs/schema.ts";
import { page } from "../../web/cursor.ts";
import { CommandError, type Io } from "../io.ts";
import { type Api, apiFor, bodyOf, queryOf } from "./http.ts";
import {
  age,
  credits,
  facts,
  harmless,
  instant,
  outline,
  paint,
  printLines,
  section,
  type Tone,
  table,
} from "./screen.ts";
import { type ClientOptions, clientOptions, suggesting } from "./settings.ts";
import { readRun, waitForRun } from "./wait.ts";

export const RunList = page(RunSchema, "RunList");

const tones: Readonly<Record<string, Tone>> = {
  succeeded: "good",
  failed: "bad",
  refused: "bad",
  withheld: "warn",
  awaiting_approval: "warn",
};
const statusTone = ({ status }: { status: string }): Tone | undefined => tones[status];
/** Returns the slug of what was run. */
export const runName = (run: Run): string => run.capability ?? run.use_case ?? run.kind;

function took({ started_at, finished_at }: Run): string | null {
  if (started_at === null || finished_at === null) return null;
  return `${((Date.parse(finished_at) - Date.parse(started_at)) / 1000).toFixed(2)} s`;
}

function chargesOf({ charges, finished_at }: Run): string {
  const { charged_credits, maximum_credits, reserved_credits, released_credits } = charges;
  const still = reserved_credits - charged_credits - released_credits;
  const open = finished_at === null ? `${still} reserved` : `${released_credits} released`;
  return `${credits(charged_credits)} of at most ${maximum_credits} (${open})`;
}

/** Prints a run: its facts, steps, charges and result. */
export function printRun(io: Io, run: Run): void {
  io.out(paint(io, "bold", `${runName(run)} ${run.semantic_version}`) + paint(io, statusTone(run), `  ${run.status}`));
  const { status_reason: reason, engine, approval } = run;
  printLines(
    io,
    facts(io, [
      ["run", run.id],
      ["reason", reason && `${reason.message} (${reason.code})`],
      ["mode", `${run.mode}, from ${run.surface}`],
      ["engine", engine && [engine.name, engine.version, engine.model].filter((part) => part !== null).join(" ")],
      ["created", `${instant(run.created_at)} UTC`],
      ["took", took(run)],
      ["charged", chargesOf(run)],
      ["approval", approval && `${approval.decision ?? "awaited"} · ${approval.step}: ${approval.reason}`],
      ["receipt", run.receipt_url && `assay receipt get ${run.id}`],
    ]),
  );
  if (run.steps.length > 1)
    section(
      io,
      "Steps",
      table(
        io,
        [
          { title: "step", cell: (step) => step.key },
          { title: "status", cell: (step) => step.status, tone: statusTone },
          { title: "charged", cell: (step) => String(step.charged_credits), align: "right" },
          { title: "maximum", cell: (step) => String(step.maximum_credits), align: "right" },
          { title: "what", cell: (step) => (step.error ? `${step.title}: ${step.error.message}` : step.title) },
        ],
        run.steps,
      ),
    );
  if (run.result !== null) section(io, "Result", outline(run.result, io.columns));
}

/** Throws if a finished run did not succeed: exit 1 with its reason, or 4 for want of credits. */
export function failUnlessSucceeded(run: Run): void {
  if (run.status === "succeeded") return;
  const { message, code } = run.status_reason ?? { message: "No reason was given.", code: "unknown" };
  const outcome = run.status === "refused" ? "refused" : "not successful";
  const exit = code === "insufficient_credits" ? 4 : 1;
  throw new CommandError(exit, harmless(`The run was ${outcome}: ${message} (${code})`));
}

/** Waits for a run, then prints it; unparsed with `--json`. Throws as `failUnlessSucceeded` does. */
export async function waitAndPrint(api: Api, io: Io, id: string, json: boolean | undefined): Promise<void> {
  const { run, text } = await waitForRun(api, io, id);
  if (json) io.out(text);
  else printRun(io, run);
  failUnlessSucceeded(run);
}

interface ListOptions extends ClientOptions {
  readonly status?: string;
  readonly capability?: string;
  readonly from?: string;
  readonly to?: string;
  readonly limit?: string;
  readonly cursor?: string;
}

async function list(io: Io, options: ListOptions): Promise<void> {
  const api = await apiFor(io, options);
  const { status, capability, from, to, limit, cursor } = options;
  const text = await api.request("GET", `/v1/runs${queryOf({ status, capability, from, to, limit, cursor })}`);
  if (options.json) return io.out(text);
  const { items, next_cursor } = bodyOf(RunList, text);
  if (items.length === 0) return io.err("No runs. Start one with: assay run SLUG");
  const lines = table(
    io,
    [
      { title: "run", cell: (run) => run.id },
      { title: "status", cell: (run) => run.status, tone: statusTone },
      { title: "paid", cell: (run) => String(run.charges.charged_credits), align: "right" },
      { title: "age", cell: (run) => age(run.created_at, io.runtime.now()), align: "right" },
      { title: "what", cell: runName },
    ],
    items,
  );
  printLines(io, lines);
  if (next_cursor !== null) io.err(harmless(`There are more: --cursor ${next_cursor}`));
}

/** `assay runs list|get|watch|cancel`. */
export function registerRuns(program: Command, io: Io): void {
  const runs = program.command("runs").description("List, show, watch and cancel runs");
  clientOptions(runs.command("list").description("List runs, newest first"))
    .addOption(suggesting("--status <status>", "only runs with this status", RunSchema.properties.status.enum))
    .option("--capability <slug>", "only runs of this capability")
    .option("--from <date>", "only runs from this day (UTC) on, such as 2026-11-01")
    .option("--to <date>", "only runs up to this day")
    .option("--limit <count>", "1 to 100 (default: 50)")
    .option("--cursor <cursor>", "continue after an earlier list")
    .action(async (_options, command: Command) => list(io, command.optsWithGlobals<ListOptions>()));
  clientOptions(runs.command("get <id>").description("Show a run: status, steps, charges, result")).action(
    async (id: string, _options, command: Command) => {
      const options = command.optsWithGlobals<ClientOptions>();
      const { run, text } = await readRun(await apiFor(io, options), id);
      if (options.json) io.out(text);
      else printRun(io, run);
    },
  );
  clientOptions(runs.command("watch <id>").description("Wait for a run to finish, then show it")).action(
    async (id: string, _options, command: Command) => {
      const options = command.optsWithGlobals<ClientOptions>();
      await waitAndPrint(await apiFor(io, options), io, id, options.json);
    },
  );
  clientOptions(runs.command("cancel <id>").description("Cancel a run and release its reserved credits")).action(
    async (id: string, _options, command: Command) => {
      const options = command.optsWithGlobals<ClientOptions>();
      const text = await (await apiFor(io, options)).request("POST", `/v1/runs/${encodeURIComponent(id)}/cancel`);
      if (options.json) io.out(text);
      else printRun(io, bodyOf(RunSchema, text));
    },
  );
}
