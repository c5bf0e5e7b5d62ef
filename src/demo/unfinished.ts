import { runScopes } from "../contracts/scopes.ts";
import { openKeyring } from "../identity/keyring.ts";
import { actorOf } from "../identity/principal.ts";
import { present } from "../platform/assert.ts";
import { minute } from "../platform/clock.ts";
import { sha256Hex } from "../platform/ids.ts";
import { canonical } from "../platform/json.ts";
import { europeanMarketEntryPack as pack } from "../products/use-cases/european-market-entry-pack.ts";
import { soldStep } from "../registry/contract.ts";
import { withEngine } from "../registry/registry.ts";
import { newRun, type Planned } from "../runs/accept.ts";
import { decideNewRun } from "../runs/decide.ts";
import { capabilityPlan } from "../runs/plan.ts";
import { insuranceQuestion, packInput } from "./examples.ts";
import { type Hosted, hostOf, personOf } from "./history.ts";
import type { DemoOptions } from "./index.ts";
import type { DemoFirm, DemoWorld } from "./world.ts";

/**
 * Runs that have started and that the server finishes once it is up, so that the demo's start does not wait for them.
 * They started so long ago that no process holds their remaining work, and the server can claim it.
 */

/** A fictitious profile. No page was read for it. */
const profile = {
  company_name: "SYNTHETIC Example Brokers",
  target_audience: "SYNTHETIC: young families",
  products_services: ["SYNTHETIC: household insurance"],
  market: "SYNTHETIC: Germany",
};
const engine = { name: "synthetic-sample", version: "1.0.0", model: null };

type Begun = Parameters<typeof decideNewRun>[1];

async function begin({ host, kind }: Hosted, submission: Planned, at: number, events: Begun): Promise<void> {
  const input_json = canonical(submission.input);
  const id = kind.rules.runtime.id(at);
  const made = newRun(submission, { id, input_json, input_sha256: sha256Hex(input_json), at });
  const context = { at, actor: actorOf(submission.principal), result: profile, engine };
  const begun = await host.commit(kind, decideNewRun(made, events, context, kind.rules));
  if (begun.refused) throw new Error(`the demo's run was refused: ${begun.refused}`);
}

/** Returns a market-entry pack with its first step done; the server takes it to the targets, which await approval. */
function packOf(firm: DemoFirm): Planned {
  const { slug, semantic_version, steps } = pack;
  const sale = { kind: "use_case" as const, slug, semantic_version, steps: steps.map(soldStep) };
  return {
    principal: personOf(firm, 1),
    plan: { ...sale, blocker: () => null, trial: null, spending: runScopes },
    input: packInput,
    mode: "live",
    workspace_id: present(firm.workspaces[1], "the demo firm's second workspace").id,
    surface: "web",
  };
}

/** Starts the first firm's pack, and its question about the insurance documents, for the server to finish. */
export async function prepareUnfinished(options: DemoOptions, world: DemoWorld): Promise<void> {
  const { store, services, masterKey, baseUrl, capabilities } = options;
  const now = services.runtime.now();
  const firm = present(world.firms[0], "the demo's first firm");
  const hosted = hostOf(options, await openKeyring(store, masterKey, baseUrl, services.runtime));
  const sold = new Map(capabilities.map((capability) => [capability.slug, capability]));
  const profiled = { type: "STEP_SUCCEEDED" as const, step: "company", credits: 1_000 };
  if (sold.has("market-validator") && sold.has("eu-market-data"))
    await begin(hosted, packOf(firm), now - 50 * minute, [{ type: "START" }, profiled]);
  const assistant = sold.get("insurance-assistant");
  if (!assistant) return;
  const plan = capabilityPlan(withEngine(assistant, services), "live");
  const asked = { ...packOf(firm), plan, input: insuranceQuestion };
  // Not started yet, so that its duration is the real one.
  await begin(hosted, asked, now - 5 * minute, []);
}
