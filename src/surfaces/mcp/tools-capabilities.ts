import { isScope, type Scope } from "../../contracts/scopes.ts";
import { type Identity, workspaceFor } from "../../identity/principal.ts";
import type { CapabilityManifest, Tool as CatalogueTool } from "../../registry/contract.ts";
import { checkInput, runTools } from "../../registry/input.ts";
import { isVisible } from "../../registry/registry.ts";
import type { Acceptance } from "../../runs/accept.ts";
import { capabilityPlan } from "../../runs/plan.ts";
import { followRun, RunAnswer, type RunWaitServices, spending } from "./run-answer.ts";
import { type Call, type Hints, reading, type Tool, ToolFailure } from "./tool.ts";

/** Services used by the tools that run capabilities. */
export interface RunToolServices extends RunWaitServices {
  readonly acceptance: Acceptance;
  readonly identity: Identity;
}

const lacking = ({ entitlements }: CapabilityManifest, firm: readonly string[]): string[] =>
  entitlements.filter((name) => !firm.includes(name));

/**
 * Returns the hints of a capability's tool. A free capability that only reads changes nothing; with a price, two runs
 * are charged twice.
 */
const hintsOf = ({ access, pricing }: CapabilityManifest): Hints =>
  access === "read" && pricing.live_credits === 0 ? reading : spending;

async function carryOut(services: RunToolServices, manifest: CapabilityManifest, input: unknown, call: Call) {
  const { principal, entitlements, idempotency_key } = call;
  const { run } = await services.acceptance.accept({
    principal,
    slug: manifest.slug,
    plan() {
      checkInput(manifest.input_schema, input, "/body");
      const missing = lacking(manifest, entitlements);
      if (missing.length === 0) return capabilityPlan(manifest, "live");
      throw new ToolFailure(
        "missing_scope",
        `The firm lacks the entitlement ${missing.join(" and ")}, which ${manifest.name} needs.`,
        "Tell the person: the firm's owner can ask the operator for it. Do not retry before that.",
      );
    },
    input,
    mode: "live",
    workspace_id: await workspaceFor(services.identity, principal),
    surface: "mcp",
    idempotency_key,
    operation: "capability.run",
  });
  return followRun(services, call, run.row.id);
}

/** Returns the scopes of the tool: those published, and a scope to spend credits if a run has a price. */
function scopesFor(manifest: CapabilityManifest): readonly Scope[] {
  const own = manifest.permissions.filter(isScope);
  const { spending: scopes, steps } = capabilityPlan(manifest, "live");
  const costs = steps.some(({ maximum_credits }) => maximum_credits > 0);
  return costs && !scopes.some((scope) => own.includes(scope)) ? [...own, "capabilities:run"] : own;
}

function capabilityTool(services: RunToolServices, manifest: CapabilityManifest, sold: CatalogueTool): Tool {
  const { engine } = manifest;
  return {
    name: sold.name,
    title: sold.title,
    description: sold.summary,
    scopes: scopesFor(manifest),
    hints: hintsOf(manifest),
    exists: ({ entitlements }) => isVisible(manifest, entitlements),
    offered: ({ entitlements }) => lacking(manifest, entitlements).length === 0 && engine.ready() === null,
    input: manifest.input_schema,
    output: RunAnswer,
    // Not by `tool`, which would refuse an input before looking for the call's earlier run.
    run: (input, call) => carryOut(services, manifest, input, call),
  };
}

/**
 * Creates a tool for each capability whose tool takes the capability's own input: a call is a run, accepted as over
 * REST. Tools of the same name from other modules take precedence.
 */
export const capabilityTools = (services: RunToolServices): Tool[] =>
  [...services.registry.capabilities.values()].flatMap((manifest) =>
    runTools(manifest).map((sold) => capabilityTool(services, manifest, sold)),
  );
