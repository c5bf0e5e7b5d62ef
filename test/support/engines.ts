import { Type as T } from "@sinclair/typebox";
import type { Limits } from "../../src/contracts/engine.ts";
import { type Engine, type EngineContext, EngineError, type EngineOutcome } from "../../src/contracts/engine.ts";
import { closed } from "../../src/platform/schema.ts";
import type { CapabilityManifest, UseCaseManifest } from "../../src/registry/contract.ts";

/** How an engine responds to a call; `call` counts from 1. */
export type Behaviour = (input: unknown, context: EngineContext, call: number) => Promise<EngineOutcome<unknown>>;

/** Succeeds immediately, at its price or for the given credits. */
export const succeed =
  (credits?: number, answer = "yes"): Behaviour =>
  async () => ({ result: { answer }, ...(credits !== undefined && { credits }) });

/** Fails `times` times with a retryable error, then behaves like `then`. */
export const failFirst =
  (times: number, then = succeed()): Behaviour =>
  async (input, context, call) => {
    if (call <= times) throw new EngineError("engine_busy", "The engine is busy.", true);
    return then(input, context, call);
  };

export const failForGood: Behaviour = async () => {
  throw new EngineError("no_answer", "There is no answer to that.", false);
};

/** Throws an error that no engine should throw. */
export const crash =
  (message: string): Behaviour =>
  async () => {
    throw new TypeError(message);
  };

/** Returns an output that violates the contract. */
export const invalidOutput: Behaviour = async () => ({ result: { answer: 7, extra: true } });

/** Runs until it is aborted. */
export const hang: Behaviour = (_, { signal }) =>
  new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason), { once: true }));

/** Never finishes; ignores the abort signal. */
export const deaf: Behaviour = () => new Promise(() => undefined);

/** Blocks every call until the test calls `open`. */
export function held(then = succeed()): { behave: Behaviour; open(): void } {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { behave: (input, context, call) => opened.then(() => then(input, context, call)), open: () => open() };
}

export interface Call {
  readonly input: unknown;
  readonly context: EngineContext;
}

/** An engine whose behaviour the test sets, and which records its calls. */
export class ScriptedEngine implements Engine {
  readonly identity: Engine["identity"];
  readonly calls: Call[] = [];
  behave: Behaviour = succeed();
  /** The inline result, if any. */
  atOnce: Engine["runInline"];
  unready: string | null = null;

  constructor(
    name: string,
    readonly limits: Limits = { total: 64, perFirm: 64 },
  ) {
    this.identity = { name, version: "1.2.3", model: null };
  }

  ready(): string | null {
    return this.unready;
  }

  async run(input: unknown, context: EngineContext): Promise<EngineOutcome<unknown>> {
    this.calls.push({ input, context });
    return this.behave(input, context, this.calls.length);
  }

  runInline(input: unknown): EngineOutcome<unknown> | undefined {
    return this.atOnce?.(input);
  }
}

interface Sold {
  readonly engine: Engine;
  readonly provider?: string;
  readonly entitlements?: readonly string[];
  readonly private?: boolean;
  readonly deadline_ms?: number;
  readonly max_trials?: number;
}

/** Returns a capability priced at 500 credits, of which 100 are the provider's cost. A trial costs 40. */
export const capability = (slug: string, sold: Sold): CapabilityManifest => ({
  slug,
  semantic_version: "1.0.0",
  name: `Name of ${slug}`,
  outcome: "Something known",
  description: "A capability of the tests.",
  provider: sold.provider ?? "partner",
  status: "live",
  exposure: sold.entitlements ? "gated" : "public",
  countries: ["CZ"],
  data_class: "derived",
  access: "read",
  permissions: ["account:read"],
  pricing: {
    model: "per_run",
    charging_unit: "run",
    currency: "credits",
    live_credits: 500,
    trial_credits: 40,
    hard_cost_limit_credits: 500,
    provider_cost_credits: 100,
  },
  trial: {
    enabled: (sold.max_trials ?? 0) > 0,
    max_runs: sold.max_trials ?? 0,
    requires_login: true,
    requires_card: false,
    sandbox_only: false,
    restrictions: [],
  },
  input_schema: closed({ text: T.String({ minLength: 1, maxLength: 200 }), note: T.Optional(T.String()) }),
  output_schema: closed({ answer: T.String() }),
  tools: [],
  connectors: [],
  sources: [],
  limitations: [],
  dependencies: [],
  evidence_freshness: "now",
  supported_execution_surfaces: ["rest"],
  documentation_url: `/v1/docs/${slug}`,
  support_url: "/v1/docs/support",
  changelog_url: "/v1/docs/changelog",
  try_url: "/console",
  entitlements: sold.entitlements ?? [],
  private: sold.private ?? false,
  deadline_ms: sold.deadline_ms ?? 60_000,
  engine: sold.engine,
});

/** Returns a use case with three steps: `echo`, names that a person approves, and a report. At most 1,500 credits. */
export const useCase = (slug: string, status: UseCaseManifest["status"]): UseCaseManifest => ({
  slug,
  name: `Name of ${slug}`,
  outcome: "Ten names and a report",
  category: "Tests",
  description: "A use case of the tests.",
  semantic_version: "1.0.0",
  provider: "assay",
  status,
  access: status === "validation_required" ? "gated" : "public",
  countries: ["CZ", "SK"],
  evidence_freshness: "now",
  supported_execution_surfaces: ["rest"],
  delivered_results: ["names", "report"],
  limitations: ["no outreach"],
  steps: [
    { key: "company", capability: "echo", title: "Company", maximum_credits: 500, requires_approval: false },
    { key: "names", capability: "names", title: "Names", maximum_credits: 700, requires_approval: true },
    { key: "report", capability: "report", title: "Report", maximum_credits: 300, requires_approval: false },
  ],
  input_schema: closed({ text: T.String({ minLength: 1, maxLength: 200 }), note: T.Optional(T.String()) }),
});

/** Creates all engines of the tests. `solo` runs one step at a time; `brief` has a deadline of 20 ms. */
export const scriptedEngines = () => ({
  echo: new ScriptedEngine("echo"),
  solo: new ScriptedEngine("solo", { total: 1, perFirm: 1 }),
  brief: new ScriptedEngine("brief"),
  hidden: new ScriptedEngine("hidden"),
  entitled: new ScriptedEngine("entitled"),
  names: new ScriptedEngine("names"),
  report: new ScriptedEngine("report"),
});
export type Engines = ReturnType<typeof scriptedEngines>;

/** The catalogue of a test app. */
export const catalogueOf = ({ names, report, ...engines }: Engines) => ({
  capabilities: [
    capability("echo", { engine: engines.echo, max_trials: 2 }),
    capability("solo", { engine: engines.solo, provider: "assay" }),
    capability("brief", { engine: engines.brief, deadline_ms: 20 }),
    capability("hidden", { engine: engines.hidden, entitlements: ["capability:hidden"], private: true }),
    capability("entitled", { engine: engines.entitled, entitlements: ["distribution:read"] }),
  ],
  useCases: [useCase("triage", "available"), useCase("commercial", "validation_required")],
  stepEngines: { names, report },
});
