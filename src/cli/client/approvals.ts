import type { Command } from "commander";
import { type Run, Run as RunSchema } from "../../runs/schema.ts";
import { CommandError, type Io } from "../io.ts";
import { type Api, bodyOf, createApi } from "./http.ts";
import { printRun, RunList, runName } from "./runs.ts";
import { credits, facts, instant, outline, printLines, section } from "./screen.ts";
import { sessionCredential } from "./session.ts";
import {
  type ClientOptions,
  type Credential,
  checkedCredential,
  clientOptions,
  clientSettings,
  type Settings,
} from "./settings.ts";

interface ApprovalOptions extends ClientOptions {
  readonly accessTokenStdin?: boolean;
  readonly comment?: string;
}

const hint =
  "Sign in with `assay login`. Where you operate the server, `assay admin users token EMAIL` makes an access token for ASSAY_ACCESS_TOKEN.";

/** A person's credential: from stdin, the environment, or who signed in. */
async function personOf(io: Io, options: ApprovalOptions, settings: Settings): Promise<Credential> {
  const { ASSAY_ACCESS_TOKEN } = io.env;
  if (options.accessTokenStdin) return checkedCredential(await io.stdin(), "stdin");
  if (ASSAY_ACCESS_TOKEN) return checkedCredential(ASSAY_ACCESS_TOKEN, "ASSAY_ACCESS_TOKEN");
  const person = await sessionCredential(io, settings);
  if (!person) throw new CommandError(3, "Approvals are for an owner or approver in person, not for an API key.", hint);
  return person;
}

/** Approvals are decided by people, never by an API key: these commands send an access token. */
async function apiOfPerson(io: Io, options: ApprovalOptions): Promise<Api> {
  const settings = await clientSettings(io, options);
  return createApi(io, {
    ...settings,
    credential: await personOf(io, options, settings),
    credentialHint: hint,
  });
}

async function decide(io: Io, id: string, decision: string, options: ApprovalOptions): Promise<void> {
  const api = await apiOfPerson(io, options);
  const body = { decision, ...(options.comment !== undefined && { comment: options.comment }) };
  const text = await api.request("POST", `/v1/runs/${encodeURIComponent(id)}/approval`, { body });
  if (options.json) return io.out(text);
  printRun(io, bodyOf(RunSchema, text));
  io.err(`Follow it with: assay runs watch ${id}`);
}

/** What a person decides on: which step waits, why, until when, and what it would deliver. */
function printWaiting(io: Io, run: Run): void {
  const { approval } = run;
  const step = run.steps.find(({ key }) => key === approval?.step);
  const pairs: [string, string | null][] = [
    ["run", run.id],
    ["step", step ? `${step.title}, at most ${credits(step.maximum_credits)}` : null],
    ["reason", approval?.reason ?? null],
    ["expires", approval && `${instant(approval.expires_at)} UTC`],
  ];
  section(io, `${runName(run)} ${run.semantic_version}`, facts(io, pairs));
  printLines(io, outline({ output: step?.result ?? null }, io.columns));
}

async function list(io: Io, options: ApprovalOptions): Promise<void> {
  const api = await apiOfPerson(io, options);
  const text = await api.request("GET", "/v1/runs?status=awaiting_approval&limit=100");
  if (options.json) return io.out(text);
  const { items, next_cursor } = bodyOf(RunList, text);
  if (items.length === 0) return io.err("Nothing waits for approval.");
  for (const run of items) printWaiting(io, run);
  if (next_cursor !== null) io.err("There are more: they show when these are decided.");
  io.err("Decide with: assay approvals approve RUN, or reject RUN");
}

/** `assay approvals list|approve|reject`. */
export function registerApprovals(program: Command, io: Io): void {
  const approvals = program.command("approvals").description("decide what runs wait for, as a person");
  const withToken = (command: Command): Command =>
    clientOptions(command).option(
      "--access-token-stdin",
      "read an access token from stdin, instead of ASSAY_ACCESS_TOKEN or the sign-in",
    );
  withToken(approvals.command("list").description("runs that wait for a decision")).action(
    async (_options, command: Command) => list(io, command.optsWithGlobals<ApprovalOptions>()),
  );
  for (const decision of ["approve", "reject"])
    withToken(approvals.command(`${decision} <run>`).description(`${decision} the step that the run waits at`))
      .option("--comment <text>", "kept with the decision")
      .action(async (id: string, _options, command: Command) =>
        decide(io, id, decision, command.optsWithGlobals<ApprovalOptions>()),
      );
}
