import type { Command } from "commander";
import { type Run, Run as RunSchema } from "../../runs/schema.ts";
import { CommandError, type Io } from "../io.ts";
import { type Api, bodyOf, createApi } from "./http.ts";
import { printRun, RunList, runName } from "./runs.ts";
import { type Column, credits, facts, headed, instant, outline, printLines, table } from "./screen.ts";
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
  readonly items?: string;
  readonly rejectItems?: string;
}

type Item = NonNullable<NonNullable<Run["approval"]>["items"]>[number];

const hint =
  "Sign in with `assay login`. If you operate the server, `assay admin users token EMAIL` issues an access token for ASSAY_ACCESS_TOKEN.";

/** Returns a person's credential: from stdin, the environment or the sign-in. Throws exit 3 if there is none. */
async function personOf(io: Io, options: ApprovalOptions, settings: Settings): Promise<Credential> {
  const { ASSAY_ACCESS_TOKEN } = io.env;
  if (options.accessTokenStdin) return checkedCredential(await io.stdin(), "stdin");
  if (ASSAY_ACCESS_TOKEN) return checkedCredential(ASSAY_ACCESS_TOKEN, "ASSAY_ACCESS_TOKEN");
  const person = await sessionCredential(io, settings);
  if (!person)
    throw new CommandError(3, "Approvals are decided by an owner or approver in person, not with an API key.", hint);
  return person;
}

/** Creates an API client with an access token, because approvals are decided by people, never by an API key. */
async function apiOfPerson(io: Io, options: ApprovalOptions): Promise<Api> {
  const settings = await clientSettings(io, options);
  const credential = await personOf(io, options, settings);
  return createApi(io, { ...settings, credential, credentialHint: hint }, options);
}

const runPath = (id: string): string => `/v1/runs/${encodeURIComponent(id)}`;

/** Parses a list of ids such as `1,3,4`. */
const idsIn = (list = ""): string[] =>
  list
    .split(",")
    .map((id) => id.trim())
    .filter((id) => id !== "");

/** Returns the decision on each item, if the options name items. The server rejects lists that leave one out. */
function itemsOf({ items, rejectItems }: ApprovalOptions) {
  if (items === undefined && rejectItems === undefined) return {};
  return { items: { approve: idsIn(items), reject: idsIn(rejectItems) } };
}

async function decide(io: Io, id: string, decision: string, options: ApprovalOptions): Promise<void> {
  const api = await apiOfPerson(io, options);
  const { comment } = options;
  const body = { decision, ...(comment !== undefined && { comment }), ...itemsOf(options) };
  const text = await api.request("POST", `${runPath(id)}/approval`, { body });
  if (options.json) return io.out(text);
  printRun(io, bodyOf(RunSchema, text));
  io.err(`Follow it with: assay runs watch ${id}`);
}

/** Prints what awaits a decision: the step, the reason, the deadline and the output. */
function printWaiting(io: Io, run: Run): void {
  const { approval } = run;
  const step = run.steps.find(({ key }) => key === approval?.step);
  const pairs: [string, string | null][] = [
    ["run", run.id],
    ["step", step ? `${step.title}, at most ${credits(step.maximum_credits)}` : null],
    ["reason", approval?.reason ?? null],
    ["expires", approval && `${instant(approval.expires_at)} UTC`],
  ];
  headed(io, `${runName(run)} ${run.semantic_version}`, facts(io, pairs));
  printItems(io, approval);
  printLines(io, outline({ output: step?.result ?? null }, io.columns));
}

/** Prints the items of an output, with the decisions already made. */
function printItems(io: Io, approval: Run["approval"]): void {
  const columns: Column<Item>[] = [
    { title: "item", cell: ({ id }) => id },
    { title: "decision", cell: ({ decision }) => decision ?? "" },
    { title: "label", cell: ({ label }) => label ?? "" },
  ];
  if (approval?.items) printLines(io, table(io, columns, approval.items));
}

/** Prints a decision: what, by whom, when, why, and the hash of what was approved. */
function printDecided(io: Io, run: Run): void {
  const { approval } = run;
  if (!approval?.decided_at) {
    io.err("Nothing in this run awaits approval.");
    return;
  }
  headed(
    io,
    `${runName(run)} ${run.semantic_version}`,
    facts(io, [
      ["run", run.id],
      ["step", approval.step],
      ["decision", approval.decision],
      ["decided", `${instant(approval.decided_at)} UTC by ${approval.decided_by}`],
      ["comment", approval.comment],
      ["SHA-256", approval.approved_sha256],
    ]),
  );
  printItems(io, approval);
}

async function show(io: Io, id: string, options: ApprovalOptions): Promise<void> {
  const api = await apiOfPerson(io, options);
  const text = await api.request("GET", runPath(id));
  if (options.json) return io.out(text);
  const run = bodyOf(RunSchema, text);
  if (run.status !== "awaiting_approval") return printDecided(io, run);
  printWaiting(io, run);
  const items = run.approval?.items ? " --items 1,2 --reject-items 3" : "";
  io.err(`Decide with: assay approvals approve ${id}${items}, or reject ${id}`);
}

async function list(io: Io, options: ApprovalOptions): Promise<void> {
  const api = await apiOfPerson(io, options);
  const text = await api.request("GET", "/v1/runs?status=awaiting_approval&limit=100");
  if (options.json) return io.out(text);
  const { items, next_cursor } = bodyOf(RunList, text);
  if (items.length === 0) return io.err("Nothing awaits approval.");
  for (const [place, run] of items.entries()) {
    if (place > 0) io.out("");
    printWaiting(io, run);
  }
  if (next_cursor !== null) io.err("There are more. They are listed once these are decided.");
  io.err("Decide with: assay approvals approve RUN, or reject RUN");
}

/** `assay approvals list|show|approve|reject`. */
export function registerApprovals(program: Command, io: Io): void {
  const approvals = program
    .command("approvals")
    .description("Approve or reject the steps that runs wait for, as a person");
  const withToken = (command: Command): Command =>
    clientOptions(command).option(
      "--access-token-stdin",
      "read an access token from stdin, instead of ASSAY_ACCESS_TOKEN or the sign-in",
    );
  withToken(approvals.command("list").description("List runs that await a decision")).action(
    async (_options, command: Command) => list(io, command.optsWithGlobals<ApprovalOptions>()),
  );
  withToken(
    approvals.command("show <run>").description("Show what a run waits for, item by item, or what was decided"),
  ).action(async (id: string, _options, command: Command) => show(io, id, command.optsWithGlobals<ApprovalOptions>()));
  for (const decision of ["approve", "reject"])
    withToken(
      approvals
        .command(`${decision} <run>`)
        .description(`${decision === "approve" ? "Approve" : "Reject"} the step that a run waits for`),
    )
      .option("--comment <text>", "comment to record with the decision")
      .option("--items <ids>", "items to deliver, such as 1,3,4, if the approval lists items")
      .option("--reject-items <ids>", "items to erase; every item must be in one of the two lists")
      .action(async (id: string, _options, command: Command) =>
        decide(io, id, decision, command.optsWithGlobals<ApprovalOptions>()),
      );
}
