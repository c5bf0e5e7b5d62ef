import type { Waits } from "../../execution/wait.ts";
import { type Identity, type Principal, workspaceFor } from "../../identity/principal.ts";
import { second } from "../../platform/clock.ts";
import { failure } from "../../platform/errors.ts";
import type { CapabilityManifest } from "../../registry/contract.ts";
import { checkInput, inputAt } from "../../registry/input.ts";
import { capabilityBlocker, isVisible, type Registry } from "../../registry/registry.ts";
import type { Acceptance } from "../../runs/accept.ts";
import { capabilityPlan } from "../../runs/plan.ts";
import { runRecord, type StoredRun } from "../../runs/record.ts";
import { type RunLookup, runFor } from "../../runs/service.ts";
import { connectorEntitlement } from "../connectors/manifest.ts";
import type { PartnerToolAccess, PartnerToolCall } from "./schema.ts";

/** The entitlement that a firm needs for the partner tool. */
export const partnerEntitlement = "partner-tool";

/** Maximum time that a call blocks. A longer run is returned unfinished, to be polled. */
const longestWait = 30 * second;

/** The services that the partner tool uses. */
export interface PartnerToolServices extends RunLookup {
  readonly acceptance: Acceptance;
  readonly identity: Identity;
  readonly registry: Registry;
  readonly waits: Waits;
}

/** Returns the firm's own connectors. */
async function connectorsFor(
  { registry, identity }: PartnerToolServices,
  { firm_id }: Principal,
): Promise<CapabilityManifest[]> {
  const held = await identity.entitlements(firm_id);
  const own = ({ entitlements, slug }: CapabilityManifest) => entitlements.includes(connectorEntitlement(slug));
  return [...registry.capabilities.values()].filter((manifest) => own(manifest) && isVisible(manifest, held));
}

/** Returns the tools that the caller's firm may call, and whether a call would be carried out now. */
export async function partnerAccess(services: PartnerToolServices, caller: Principal): Promise<PartnerToolAccess> {
  const gates = await services.registry.gates();
  const tools = (await connectorsFor(services, caller)).flatMap((manifest) =>
    manifest.tools.map(({ name }) => [`tool:${name}`, capabilityBlocker(manifest, gates) ?? "granted"]),
  );
  return { "account:read": "granted", [partnerEntitlement]: "granted", ...Object.fromEntries(tools) };
}

/** Resolves when the run has ended, or after 30 seconds. */
async function settled(services: PartnerToolServices, caller: Principal, id: string, signal: AbortSignal) {
  const read = () => runFor(services, caller, id);
  const rests = ({ row }: StoredRun) => row.finished_at !== null;
  return runRecord(await services.waits.until({ id, caller, ms: longestWait, signal, read, rests }));
}

export interface PartnerCall {
  readonly tool: string;
  readonly arguments: unknown;
  readonly surface: string;
  readonly idempotency_key: string | undefined;
  /** The caller's connection. */
  readonly signal: AbortSignal;
}

/** The current result of a call. `replayed`: the idempotency key had already started the run. */
interface AnsweredCall {
  readonly answer: PartnerToolCall;
  readonly replayed: boolean;
}

/**
 * Calls a tool of the firm's own connectors as a run of its capability, and waits for it for a while. Throws
 * `not_found` for a tool that the firm does not have, and the errors of accepting a run.
 */
export async function callPartnerTool(
  services: PartnerToolServices,
  caller: Principal,
  call: PartnerCall,
): Promise<AnsweredCall> {
  const found = (await connectorsFor(services, caller)).find(({ tools }) =>
    tools.some(({ name }) => name === call.tool),
  );
  const accepting = services.acceptance.accept({
    principal: caller,
    slug: found?.slug,
    plan() {
      if (!found) throw failure("not_found");
      checkInput(found.input_schema, call.arguments);
      return capabilityPlan(found, "live");
    },
    input: call.arguments,
    mode: "live",
    workspace_id: await workspaceFor(services.identity, caller),
    surface: call.surface,
    idempotency_key: call.idempotency_key,
    operation: "partner-tool.call",
  });
  const { run: begun, replayed } = await inputAt("/body/arguments", accepting);
  const run = await settled(services, caller, begun.row.id, call.signal);
  const error = run.steps.find((step) => step.status === "failed")?.error ?? run.status_reason;
  const answer = {
    tool: call.tool,
    run_id: run.id,
    status: run.status,
    result: run.result,
    error,
    charged_credits: run.charges.charged_credits,
    run_url: run.links.self,
  };
  return { answer, replayed };
}
