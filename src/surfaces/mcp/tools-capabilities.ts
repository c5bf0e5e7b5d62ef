import { Type as T, type TObject } from "@sinclair/typebox";
import { isScope, type Scope } from "../../contracts/scopes.ts";
import { type Identity, workspaceFor } from "../../identity/principal.ts";
import { lacksEntitlements } from "../../platform/errors.ts";
import { closed } from "../../platform/schema.ts";
import type { CapabilityManifest, Tool as CatalogueTool } from "../../registry/contract.ts";
import { checkInput } from "../../registry/input.ts";
import { isVisible, type Registry } from "../../registry/registry.ts";
import type { Acceptance } from "../../runs/accept.ts";
import { capabilityPlan } from "../../runs/plan.ts";
import { runRecord, type StoredRun } from "../../runs/record.ts";
import { type RunLookup, runFor } from "../../runs/service.ts";
import { type Answer, type Call, type Hints, reading, type Tool, ToolFailure, tool } from "./tool.ts";
import { type Stand, type WaitServices, waitFor } from "./wait.ts";

/** How long to wait between two looks at a run that goes on. */
const pollSeconds = 5;

/**
 * A run as a tool answers it: `result` by the capability's output schema, null until it has succeeded; `poll` while it
 * goes on. Every tool that runs something repeats this in every client's context, so that it says no more than it must.
 */
const RunAnswer = T.Object({
  run_id: T.String(),
  status: T.String(),
  result: T.Unknown(),
  charged_credits: T.Integer(),
  poll: T.Optional(T.String()),
});

/** What to do about the reasons that a caller can do something about. */
const nextAfter: Readonly<Record<string, string>> = {
  insufficient_credits: "Stop, and ask the firm's owner to top up. Do not retry before that.",
  capability_runs_disabled: "Retry later; it is not permanent.",
  step_timed_out: "Call again later, once. If it fails again, tell the operator the run's id.",
  engine_failed: "Call again later, once. If it fails again, tell the operator the run's id.",
};

/**
 * A run that has failed or was refused is an error with its reason; any other is told with where to look again. `own`:
 * this call began the run, so that what it was charged counts as the call's.
 */
function answerOf(run: StoredRun, own: boolean): Answer<typeof RunAnswer.static> {
  const { id, status, status_reason, result, charges } = runRecord(run);
  const { charged_credits } = charges;
  const credits = own ? charged_credits : 0;
  if (status === "failed" || status === "refused")
    throw new ToolFailure(
      status_reason?.code ?? status,
      `${status_reason?.message ?? "The run did not succeed."} Run ${id}, ${charged_credits} credits charged.`,
      nextAfter[status_reason?.code ?? ""] ??
        "Read the reason. A call begins a new run: repeat it only where it may pass.",
      credits,
    );
  const value = { run_id: id, status, result, charged_credits };
  if (status === "succeeded") return { value, text: JSON.stringify(result), credits };
  const poll =
    status === "awaiting_approval"
      ? `Run ${id} waits for a person's approval. Tell the person; it can't be given here.`
      : `Run ${id} is ${status}. Poll it with get_run after ${pollSeconds} seconds; do not start it again.`;
  return { value: { ...value, poll }, text: poll, credits };
}

/** A step begun counts for half of one. */
function standOf({ row, steps }: StoredRun): Stand {
  const rests = row.finished_at !== null || row.status === "awaiting_approval";
  const begun = steps.filter(({ status }) => status !== "pending").length;
  return { rests, done: rests ? steps.length : Math.max(0, begun - 0.5), total: steps.length, message: row.status };
}

/** What the tools that run something work with. */
export interface RunToolServices extends RunLookup, WaitServices {
  readonly acceptance: Acceptance;
  readonly identity: Identity;
  readonly registry: Registry;
}

/** Waits for a run that the caller may see. */
async function look(services: RunToolServices, call: Call, id: string, own = false) {
  const read = async () => runFor(services, call.principal, id);
  return answerOf(await waitFor(services, call, { id, read, stand: standOf }), own);
}

const lacking = ({ entitlements }: CapabilityManifest, firm: readonly string[]): string[] =>
  entitlements.filter((name) => !firm.includes(name));

/** Runs of what only reads change nothing but the firm's credits; whoever runs twice pays twice. */
const hintsOf = ({ access, pricing }: CapabilityManifest): Hints => ({
  ...reading,
  readOnlyHint: access === "read" && pricing.live_credits === 0,
  idempotentHint: access === "read" && pricing.live_credits === 0,
});

async function carryOut(services: RunToolServices, manifest: CapabilityManifest, input: unknown, call: Call) {
  const { principal, entitlements, idempotency_key } = call;
  const missing = lacking(manifest, entitlements);
  if (missing.length > 0) throw lacksEntitlements(missing);
  checkInput(manifest.input_schema, input);
  const { run, replayed } = await services.acceptance.accept({
    principal,
    plan: capabilityPlan(manifest, "live"),
    input,
    mode: "live",
    workspace_id: await workspaceFor(services.identity, principal),
    surface: "mcp",
    idempotency_key,
    operation: "capability.run",
  });
  return look(services, call, run.row.id, !replayed);
}

/** What the tool asks for: what is published, and the scope to spend where a run has a price. */
function scopesFor(manifest: CapabilityManifest): readonly Scope[] {
  const own = manifest.permissions.filter(isScope);
  const { spending, steps } = capabilityPlan(manifest, "live");
  const costs = steps.some(({ maximum_credits }) => maximum_credits > 0);
  return costs && !spending.some((scope) => own.includes(scope)) ? [...own, "capabilities:run"] : own;
}

function capabilityTool(services: RunToolServices, manifest: CapabilityManifest, sold: CatalogueTool): Tool {
  const { engine } = manifest;
  return tool<TObject, typeof RunAnswer>({
    name: sold.name,
    title: sold.title,
    description: sold.summary,
    scopes: scopesFor(manifest),
    hints: hintsOf(manifest),
    exists: ({ entitlements }) => isVisible(manifest, entitlements),
    offered: ({ entitlements }) => lacking(manifest, entitlements).length === 0 && engine.ready() === null,
    input: manifest.input_schema,
    output: RunAnswer,
    run: (input, call) => carryOut(services, manifest, input, call),
  });
}

/**
 * A tool for each capability whose tool takes the capability's own input: a call is a run of it, accepted as over REST.
 * Tools that another module contributes by the same name go first.
 */
export const capabilityTools = (services: RunToolServices): Tool[] =>
  [...services.registry.capabilities.values()].flatMap((manifest) =>
    manifest.tools
      .filter(({ input_schema }) => input_schema !== null && Bun.deepEquals(input_schema, manifest.input_schema))
      .map((sold) => capabilityTool(services, manifest, sold)),
  );

/** Reconciling a run that went on after its call was answered. */
export const runTools = (services: RunToolServices): Tool[] => [
  tool({
    name: "get_run",
    title: "Look at a run",
    description: "Status, result and charges of a run of yours; waits up to 45 seconds.",
    scopes: ["runs:read"],
    hints: reading,
    input: closed({ run_id: T.String({ format: "uuid" }) }),
    output: RunAnswer,
    run: ({ run_id }, call) => look(services, call, run_id),
  }),
];
