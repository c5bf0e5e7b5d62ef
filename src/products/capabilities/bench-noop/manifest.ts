import { Type as T } from "@sinclair/typebox";
import type { Engine } from "../../../contracts/engine.ts";
import { closed } from "../../../platform/schema.ts";
import type { CapabilityManifest } from "../../../registry/contract.ts";

/** Entitlement of the firms that may see and run this capability. */
export const benchEntitlement = "capability:bench-noop";

const outcome = { result: { done: true }, credits: 350 };

interface Input {
  readonly payload: string;
  readonly later?: boolean;
}

const engine: Engine<Input> = {
  identity: { name: "bench-noop", version: "1.0.0", model: null },
  limits: { total: 4_096, perFirm: 4_096 },
  ready: () => null,
  run: async () => outcome,
  runInline: ({ later }) => (later ? undefined : outcome),
};

/**
 * A single step that does nothing, private to the firms of `serve --demo --bench`. It measures the host, not an engine.
 * With `later`, the run is accepted first and completes later, as with a slow engine.
 */
export const benchNoop: CapabilityManifest = {
  slug: "bench-noop",
  semantic_version: "1.0.0",
  name: "Benchmark no-op",
  outcome: "Measure the host",
  description: "A run of one step that does nothing, to measure what a durable run costs.",
  provider: "assay",
  status: "internal",
  exposure: "gated",
  countries: ["GLOBAL"],
  data_class: "derived",
  access: "read",
  permissions: ["capabilities:run"],
  pricing: {
    model: "per_run",
    charging_unit: "run",
    currency: "credits",
    live_credits: 500,
    trial_credits: 0,
    hard_cost_limit_credits: 500,
    provider_cost_credits: 0,
  },
  trial: {
    enabled: false,
    max_runs: 0,
    requires_login: true,
    requires_card: false,
    sandbox_only: true,
    restrictions: ["benchmarks only"],
  },
  input_schema: closed({
    payload: T.String({ minLength: 1, maxLength: 2000 }),
    later: T.Optional(
      T.Boolean({ description: "Whether the engine answers after the run is accepted, as a slow one does." }),
    ),
  }),
  output_schema: closed({ done: T.Boolean() }),
  tools: [],
  connectors: [],
  sources: [],
  limitations: ["It does nothing."],
  dependencies: [],
  evidence_freshness: "not applicable",
  supported_execution_surfaces: ["rest", "cli"],
  documentation_url: "/v1/docs/bench-noop",
  support_url: "/v1/docs/support",
  changelog_url: "/v1/docs/changelog",
  try_url: "/console",
  entitlements: [benchEntitlement],
  private: true,
  deadline_ms: 10_000,
  engine,
};
