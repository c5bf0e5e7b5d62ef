import { insertSavedConfiguration } from "../../db/queries/saved-configurations.ts";
import type { RunEvent } from "../../machines/run.ts";
import type { EngineOutcome } from "../contracts/engine.ts";
import { unhostedContext } from "../execution/attempt.ts";
import { createHost, type Host } from "../execution/host.ts";
import { createActorWatch } from "../execution/watch.ts";
import { type Keyring, openKeyring } from "../identity/keyring.ts";
import { actorOf } from "../identity/principal.ts";
import { present } from "../platform/assert.ts";
import { day, hour, minute, second } from "../platform/clock.ts";
import { sha256Hex } from "../platform/ids.ts";
import { canonical } from "../platform/json.ts";
import { seededRandom } from "../platform/random.ts";
import type { CapabilityManifest } from "../registry/contract.ts";
import { withEngine } from "../registry/registry.ts";
import { newRun } from "../runs/accept.ts";
import type { EventContext } from "../runs/apply-event.ts";
import { decideNewRun } from "../runs/decide.ts";
import { createRunKind, type RunKind } from "../runs/kind.ts";
import { stepFailed } from "../runs/outcome.ts";
import { capabilityPlan } from "../runs/plan.ts";
import { createRecentRuns } from "../runs/recent.ts";
import { receiptType } from "../runs/schema.ts";
import { createStepSealing } from "../runs/sealing.ts";
import recorded from "./answers.json" with { type: "json" };
import { checkedAnswers, examples, failedAnalysis } from "./examples.ts";
import type { DemoOptions } from "./index.ts";
import type { DemoFirm, DemoWorld } from "./world.ts";

const historyDays = 30;
/** An answer of the real engine, and how long it took. */
interface Answer {
  readonly manifest: CapabilityManifest;
  readonly input: unknown;
  readonly outcome: EngineOutcome<unknown>;
  readonly tookMs: number;
}

/** Who requested a run, in which workspace and through which surface. */
interface Asked {
  readonly principal: ReturnType<typeof personOf>;
  readonly workspace_id: string;
  readonly surface: string;
}

/** Milliseconds that an engine takes for a recorded answer, approximately. */
const recordedMs = 8;

/**
 * Returns the engines' real answers to the examples, which make up the month. Answers that depend on the input alone
 * are recorded, since loading the engines' rules would take too long; a test compares them with the engines. An engine
 * that is not ready, or fails, has no answer.
 */
async function answers({ capabilities, services }: DemoOptions): Promise<Answer[]> {
  const { runtime } = services;
  const made = examples.map(async ({ slug, input }): Promise<Answer[]> => {
    const definition = capabilities.find((capability) => capability.slug === slug);
    const manifest = definition && withEngine(definition, services);
    if (!manifest || manifest.engine.ready() !== null) return [];
    const known = recorded.find((one) => one.slug === slug && canonical(one.input) === canonical(input));
    if (known) return [{ manifest, input, outcome: known.outcome, tookMs: recordedMs }];
    const began = runtime.elapsed();
    const context = unhostedContext({
      signal: new AbortController().signal,
      stepKey: "demo",
      firm: "demo",
      now: () => new Date(runtime.now()),
      random: seededRandom(canonical(input)),
      earlier: {},
    });
    try {
      const outcome = await manifest.engine.run(input, context);
      return [{ manifest, input, outcome, tookMs: Math.max(1, Math.round(runtime.elapsed() - began)) }];
    } catch (error) {
      services.log.warn("an example of the demo has no answer", { capability: slug, error });
      return [];
    }
  });
  return (await Promise.all(made)).flat();
}

/** Returns the times of the runs: a few on each working day, fewer at weekends, the same ones in every demo. */
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

/** Returns a user of the firm as the principal of a run, by default the owner; with `key_id`, as that key of theirs. */
export function personOf(firm: DemoFirm, place = 0, key_id: string | null = null) {
  const person = present(firm.users[place], "the demo firm's person");
  return {
    kind: key_id === null ? ("person" as const) : ("key" as const),
    user_id: person.id,
    firm_id: firm.id,
    role: person.role,
    scopes: new Set<never>(),
    workspace_id: null,
    key_id,
    session_id: null,
    connection_id: null,
  };
}

/** Returns who requests runs, and how. Half of them are a program's. */
function ways(firm: DemoFirm): Asked[] {
  const [first, second] = firm.workspaces.map(({ id }) => id);
  const main = present(first, "the demo firm's workspace");
  const [admin, member] = [1, 3].map((place) => personOf(firm, place));
  const program = personOf(firm, 0, firm.seeded.key_id ?? null);
  return [
    { principal: program, workspace_id: main, surface: "rest" },
    { principal: present(member, "the member"), workspace_id: main, surface: "web" },
    { principal: program, workspace_id: main, surface: "mcp" },
    { principal: present(admin, "the admin"), workspace_id: second ?? main, surface: "web" },
  ];
}

/** Creates a run and applies its first step's outcome, through the real statechart and ledger. Returns its id. */
async function addRun(
  { host, kind }: Hosted,
  { principal, workspace_id, surface }: Asked,
  { manifest, input, at }: { readonly manifest: CapabilityManifest; readonly input: unknown; readonly at: number },
  ended: { readonly event: RunEvent; readonly context: EventContext },
): Promise<string> {
  const id = kind.rules.runtime.id(at);
  const input_json = canonical(input);
  const plan = capabilityPlan(manifest, "live");
  const submission = { principal, plan, input, mode: "live" as const, workspace_id, surface };
  const made = newRun(submission, { id, input_json, input_sha256: sha256Hex(input_json), at });
  const started = decideNewRun(made, [{ type: "START" }], { at, actor: actorOf(principal) }, kind.rules);
  const accepted = await host.commit(kind, started);
  if (accepted.refused) throw new Error(`the demo's run was refused: ${accepted.refused}`);
  const effect = present(accepted.effects[0], "the step's effect");
  await host.deliver(kind, { id, known: accepted.state, effect, events: [ended.event], context: ended.context });
  return id;
}

const answeredRun = (hosted: Hosted, asked: Asked, { manifest, input, outcome, tookMs }: Answer, at: number) =>
  addRun(
    hosted,
    asked,
    { manifest, input, at },
    {
      event: { type: "STEP_SUCCEEDED", step: manifest.slug, credits: outcome.credits ?? 0 },
      context: { at: at + tookMs, actor: "host", result: outcome.result, engine: manifest.engine.identity },
    },
  );

/** Returns the failed analysis of a site that did not answer. */
function failedRun({ capabilities, services }: DemoOptions, hosted: Hosted, asked: Asked, now: number): PastRun[] {
  const definition = capabilities.find(({ slug }) => slug === "company-intelligence");
  if (!definition) return [];
  const manifest = withEngine(definition, services);
  const at = now - day - hour;
  const ended = stepFailed(manifest.slug, "site_unreachable", "The site could not be reached.", false);
  const context = { ...ended.context, at: at + 4 * second, actor: "host", engine: manifest.engine.identity };
  const make = () => addRun(hosted, asked, { manifest, input: failedAnalysis, at }, { event: ended.event, context });
  return [{ at, make }];
}

export interface Hosted {
  readonly host: Host;
  readonly kind: RunKind;
}

/** Creates the host of the runs that are made before the server starts. */
export function hostOf({ store, services, masterKey }: DemoOptions, keyring: Keyring): Hosted {
  const { runtime } = services;
  const sealing = createStepSealing(runtime, masterKey);
  const rules = { runtime, owner: "demo", sealing, providerShare: () => undefined };
  return {
    host: createHost({ store, sign: (payload) => keyring.sign(payload, receiptType) }),
    kind: createRunKind({ store, rules, recentRuns: createRecentRuns(), watch: createActorWatch() }),
  };
}

/** A past run, still to be created. */
export interface PastRun {
  readonly at: number;
  /** Commits the run before it returns, and resolves with its id when the run has finished. */
  make(): Promise<string>;
  /** Whether it costs credits. If so, later runs start after its end, as the ledger records both in order. */
  readonly isCharged?: boolean;
  /** Its name in the credentials file, if it is listed there to try things on. */
  readonly named?: string;
}

/** Returns a month of runs by the real engines. */
async function monthOf(options: DemoOptions, firm: DemoFirm, hosted: Hosted, now: number): Promise<PastRun[]> {
  const answered = await answers(options);
  if (answered.length === 0) return [];
  const asked = ways(firm);
  const program = present(asked[0], "a program");
  const random = seededRandom("demo history: who asks what");
  const any = <T>(from: readonly T[]): T => present(from[Math.floor(random() * from.length)], "one of them");
  const runs = times(now)
    .sort((a, b) => a - b)
    .map((at): PastRun => {
      const [who, answer] = [any(asked), any(answered)];
      return { at, make: () => answeredRun(hosted, who, answer, at) };
    });
  // The run that is named in the credentials file is in the first key's workspace.
  const at = now - hour;
  const answer = present(answered[0], "an answer");
  const last = { at, make: () => answeredRun(hosted, program, answer, at), named: "run_id" };
  return [...runs, ...failedRun(options, hosted, program, now), last];
}

/** Creates runs in chronological order, in which lists show them. Returns the ids of the named ones. */
async function madeInOrder(runs: readonly PastRun[]): Promise<Record<string, string>> {
  const made: Promise<readonly [string | undefined, string]>[] = [];
  for (const { make, named, isCharged = false } of [...runs].sort((a, b) => a.at - b.at)) {
    made.push(make().then((id) => [named, id]));
    if (isCharged) await Promise.all(made);
  }
  const ids = await Promise.all(made);
  return Object.fromEntries(ids.flatMap(([named, id]) => (named === undefined ? [] : [[named, id]])));
}

/**
 * Creates a month of runs for the first firm, by the real engines and through the real ledger, merged with `others` by
 * time, and a saved configuration. Returns the ids of what is named.
 */
export async function prepareHistory(
  options: DemoOptions,
  world: DemoWorld,
  others: readonly PastRun[],
): Promise<Record<string, string>> {
  const { store, services, masterKey, baseUrl } = options;
  const { runtime } = services;
  const firm = present(world.firms[0], "the demo's first firm");
  const hosted = hostOf(options, await openKeyring(store, masterKey, baseUrl, runtime));
  const month = await monthOf(options, firm, hosted, runtime.now());
  const ids = await madeInOrder([...month, ...others]);
  if (month.length === 0) return ids;
  const configuration_id = runtime.id();
  await store.write((tx) =>
    insertSavedConfiguration(tx, {
      id: configuration_id,
      firm_id: firm.id,
      workspace_id: present(firm.workspaces[0], "the demo firm's workspace").id,
      user_id: present(firm.users[0], "the demo firm's owner").id,
      name: "Check an answer about deductibles",
      capability: "exa-filter",
      input_json: JSON.stringify(checkedAnswers[1]),
      mode: "live",
      created_at: runtime.now(),
      last_run_at: null,
    }),
  );
  return { ...ids, configuration_id };
}
