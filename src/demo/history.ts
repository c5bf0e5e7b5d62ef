import { insertSavedConfiguration } from "../../db/queries/saved-configurations.ts";
import type { EngineOutcome } from "../contracts/engine.ts";
import { unhostedContext } from "../execution/attempt.ts";
import { createHost, type Host } from "../execution/host.ts";
import { createActorWatch } from "../execution/watch.ts";
import { type Keyring, openKeyring } from "../identity/keyring.ts";
import { present } from "../platform/assert.ts";
import { day, minute, second } from "../platform/clock.ts";
import { sha256Hex } from "../platform/ids.ts";
import { canonical } from "../platform/json.ts";
import { seededRandom } from "../platform/random.ts";
import type { Runtime } from "../platform/runtime.ts";
import type { CapabilityManifest } from "../registry/contract.ts";
import { withEngine } from "../registry/registry.ts";
import { newRun } from "../runs/accept.ts";
import { decideNewRun } from "../runs/decide.ts";
import { createRunKind, type RunKind } from "../runs/kind.ts";
import { capabilityPlan } from "../runs/plan.ts";
import { createRecentRuns } from "../runs/recent.ts";
import { receiptType } from "../runs/schema.ts";
import { createStepSealing } from "../runs/sealing.ts";
import type { DemoOptions } from "./index.ts";
import type { DemoFirm, DemoWorld } from "./world.ts";

const historyDays = 30;
const slug = "exa-filter";

/** Questions of an ordinary week, about made-up policies. */
const examples: readonly Readonly<Record<string, unknown>>[] = [
  {
    question: "Jaký je limit pojistného plnění?",
    answer: "Limit pojistného plnění je 500 000 Kč.",
    sources: ["Limit pojistného plnění činí 500 000 Kč pro jednu pojistnou událost."],
    country: "CZ",
  },
  {
    question: "Jaká je spoluúčast?",
    answer: "Spoluúčast je 5 000 Kč. Škody na skle se hradí bez spoluúčasti.",
    sources: ["Spoluúčast činí 10 000 Kč. U škod na skle se spoluúčast neuplatní."],
    country: "CZ",
  },
  {
    question: "Aká je čakacia lehota?",
    answer: "Čakacia lehota je tri mesiace.",
    sources: ["Čakacia lehota trvá tri mesiace od začiatku poistenia."],
    country: "SK",
  },
  {
    question: "Is theft from a parked car covered?",
    answer: "Theft from a parked car is covered when the car was locked.",
    sources: ["Theft of things from a parked vehicle is covered, provided that the vehicle was locked."],
    country: "CZ",
  },
];

interface Entry {
  readonly input: unknown;
  readonly outcome: EngineOutcome<unknown>;
  readonly at: number;
  readonly tookMs: number;
}

/** What the engine really answered for each example, measured; the same answers make up the month. */
async function answers(runtime: Runtime, manifest: CapabilityManifest) {
  const made = [];
  for (const input of examples) {
    const random = seededRandom(canonical(input));
    const began = runtime.elapsed();
    const context = unhostedContext({
      signal: new AbortController().signal,
      stepKey: "demo",
      firm: "demo",
      now: () => new Date(runtime.now()),
      random,
      earlier: {},
    });
    const outcome = await manifest.engine.run(input, context);
    made.push({ input, outcome, tookMs: Math.max(1, Math.round(runtime.elapsed() - began)) });
  }
  return made;
}

/** When the runs were: a few on each working day, fewer at the weekend, the same ones for every demo. */
function times(now: number): number[] {
  const random = seededRandom("demo history");
  return Array.from({ length: historyDays }, (_, i) => now - (historyDays - i) * day).flatMap((start) => {
    const weekday = new Date(start).getUTCDay();
    const runs = weekday === 0 || weekday === 6 ? 1 : 2 + Math.floor(random() * 4);
    return Array.from(
      { length: runs },
      () => start + Math.floor(random() * 8 * 60) * minute + Math.floor(random() * 60) * second,
    );
  });
}

/** The firm's owner, as who asks for a run. */
export function ownerOf(firm: DemoFirm) {
  const owner = present(firm.users[0], "the demo firm's owner");
  return {
    kind: "person" as const,
    user_id: owner.id,
    firm_id: firm.id,
    role: owner.role,
    scopes: new Set<never>(),
    workspace_id: null,
    key_id: null,
    session_id: null,
    connection_id: null,
  };
}

/** A run that was accepted and answered, through the real statechart and ledger. Answers its id. */
async function addRun(
  { host, kind }: { host: Host; kind: RunKind },
  manifest: CapabilityManifest,
  firm: DemoFirm,
  { input, outcome, at, tookMs }: Entry,
): Promise<string> {
  const principal = ownerOf(firm);
  const id = kind.rules.runtime.id(at);
  const input_json = canonical(input);
  const submission = {
    principal,
    plan: capabilityPlan(manifest, "live"),
    input,
    mode: "live" as const,
    workspace_id: present(firm.workspaces[0], "the demo firm's workspace").id,
    surface: "rest",
    operation: "demo",
  };
  const made = newRun(submission, { id, input_json, input_sha256: sha256Hex(input_json), at });
  const started = decideNewRun(made, [{ type: "START" }], { at, actor: `user:${principal.user_id}` }, kind.rules);
  const accepted = await host.commit(kind, started);
  if (accepted.refused) throw new Error(`the demo's run was refused: ${accepted.refused}`);
  await host.deliver(kind, {
    id,
    known: accepted.state,
    effect: present(accepted.effects[0], "the step's effect"),
    events: [{ type: "STEP_SUCCEEDED", step: slug, credits: outcome.credits ?? 0 }],
    context: { at: at + tookMs, actor: "host", result: outcome.result, engine: manifest.engine.identity },
  });
  return id;
}

/** The host of the runs that are made before the server is there. */
export function hostOf({ store, services, masterKey }: DemoOptions, keyring: Keyring): { host: Host; kind: RunKind } {
  const { runtime } = services;
  const sealing = createStepSealing(runtime, masterKey);
  const rules = { runtime, owner: "demo", sealing, providerShare: () => undefined };
  return {
    host: createHost({ store, sign: (payload) => keyring.sign(payload, receiptType) }),
    kind: createRunKind({ store, rules, recentRuns: createRecentRuns(), watch: createActorWatch() }),
  };
}

/** A month of runs for the first firm, by the real engine and through the real ledger, and a saved configuration. */
export async function prepareHistory(options: DemoOptions, world: DemoWorld): Promise<Record<string, string>> {
  const { store, services, masterKey, baseUrl } = options;
  const { runtime } = services;
  const firm = present(world.firms[0], "the demo's first firm");
  const definition = options.capabilities.find((capability) => capability.slug === slug);
  const manifest = withEngine(present(definition, "the capability of the demo's history"), services);
  if (manifest.engine.ready() !== null) return {};
  const keyring = await openKeyring(store, masterKey, baseUrl, runtime);
  const hosted = hostOf(options, keyring);
  const answered = await answers(runtime, manifest);
  const runs = times(runtime.now())
    .sort((a, b) => a - b)
    .map((at, i) => {
      const answer = present(answered[i % answered.length], "an example's answer");
      return addRun(hosted, manifest, firm, { ...answer, at });
    });
  const run_id = (await Promise.all(runs)).at(-1) ?? "";
  const configuration_id = runtime.id();
  await store.write((tx) =>
    insertSavedConfiguration(tx, {
      id: configuration_id,
      firm_id: firm.id,
      workspace_id: present(firm.workspaces[0], "the demo firm's workspace").id,
      user_id: present(firm.users[0], "the demo firm's owner").id,
      name: "Check an answer about deductibles",
      capability: slug,
      input_json: JSON.stringify(examples[1]),
      mode: "live",
      created_at: runtime.now(),
      last_run_at: null,
    }),
  );
  return { run_id, configuration_id };
}
