import { type Static, Type as T, type TObject, type TSchema } from "@sinclair/typebox";
import type { Engine } from "../contracts/engine.ts";
import { isScope, type Scope } from "../contracts/scopes.ts";
import { closed, enumeration, nullable } from "../platform/schema.ts";
import type { EngineSource } from "./services.ts";

/**
 * The contract of a capability, as the specification's tables give it. A capability's folder exports one
 * `CapabilityDefinition`; REST, MCP, the command line, docs and tests all derive from it.
 */

export const CapabilityStatus = enumeration("live", "pilot", "internal");
export const Exposure = enumeration("public", "gated");
export const Access = enumeration("read", "write");
export const PricingModel = enumeration("per_run", "per_query", "included", "contract");
export const Surface = enumeration("specialist_web", "rest", "mcp", "cli", "web");

export const Pricing = closed({
  model: PricingModel,
  charging_unit: T.String(),
  currency: T.Literal("credits"),
  live_credits: T.Integer({ minimum: 0 }),
  trial_credits: T.Integer({ minimum: 0 }),
  hard_cost_limit_credits: T.Integer({ minimum: 0 }),
  provider_cost_credits: T.Integer({ minimum: 0 }),
});

export const Trial = closed({
  enabled: T.Boolean(),
  max_runs: T.Integer({ minimum: 0 }),
  requires_login: T.Boolean(),
  requires_card: T.Boolean(),
  sandbox_only: T.Boolean(),
  restrictions: T.Array(T.String()),
});

/** A JSON Schema, as a value. */
const JsonSchema = T.Record(T.String(), T.Unknown());

export const ToolError = closed({ code: T.String(), meaning: T.String(), caller_action: T.String() });
export const ToolExample = closed({ title: T.String(), input: T.Unknown(), output_excerpt: T.Unknown() });
export const Tool = closed({
  name: T.String(),
  title: T.String(),
  access: Access,
  summary: T.String(),
  returns: T.String(),
  input_schema: nullable(JsonSchema),
  agent_description: nullable(T.String()),
  human_summary: nullable(T.String()),
  use_when: T.Array(T.String()),
  do_not_use_when: T.Array(T.String()),
  examples: T.Array(ToolExample),
  errors: T.Array(ToolError),
  latency: nullable(T.String()),
  related: T.Array(T.String()),
});

const described = {
  slug: T.String(),
  semantic_version: T.String(),
  name: T.String(),
  outcome: T.String(),
  description: T.String(),
  provider: T.String(),
  status: CapabilityStatus,
  exposure: Exposure,
  countries: T.Array(T.String()),
  data_class: enumeration("derived", "aggregate"),
  access: Access,
  permissions: T.Array(T.String()),
  pricing: Pricing,
  trial: Trial,
  input_schema: JsonSchema,
  output_schema: JsonSchema,
  tools: T.Array(Tool),
  connectors: T.Array(T.String()),
  sources: T.Array(T.String()),
  limitations: T.Array(T.String()),
  dependencies: T.Array(T.String()),
  evidence_freshness: T.String(),
  supported_execution_surfaces: T.Array(Surface),
  documentation_url: T.String(),
  support_url: T.String(),
  changelog_url: T.String(),
  try_url: T.String(),
};

/** A catalogue item, as the API shows it. */
export const Capability = closed({ ...described, runnable: T.Boolean() }, { title: "Capability" });
export type Capability = Static<typeof Capability>;
export type Tool = Static<typeof Tool>;
export type ToolError = Static<typeof ToolError>;

type Described = Static<TObject<typeof described>>;

/** A capability as it is sold. Schemas are TypeBox objects, which validate, type and document. */
export interface CapabilityManifest extends Omit<Described, "input_schema" | "output_schema"> {
  readonly input_schema: TObject;
  readonly output_schema: TSchema;
  /**
   * Entitlements that the firm needs for a run to be accepted, besides the caller's scope. Empty: every firm may run
   * it.
   */
  readonly entitlements: readonly string[];
  /** Scopes that its tools require, if they differ from `permissions`, which the specification fixes. */
  readonly tool_scopes?: readonly Scope[];
  /**
   * The tool whose call is a run, if it takes another input than the capability. If absent, the tool that takes the
   * same input.
   */
  readonly run_tool?: string;
  /** Listed, shown and run only for firms that hold all of `entitlements`. */
  readonly private: boolean;
  /** The id of the firm whose connector it is. Absent if it is built in. Only that firm's runs may reach its engine. */
  readonly owner?: string;
  /** Time limit for one attempt of its step, in milliseconds. */
  readonly deadline_ms: number;
  readonly engine: Engine;
}

/** Returns the scopes and entitlements that its tools and its direct route require. */
export const permissionsOfTools = ({
  permissions,
  tool_scopes,
}: Pick<CapabilityManifest, "permissions" | "tool_scopes">): readonly string[] => tool_scopes ?? permissions;

/** Returns every scope that a credential needs to see all of the capability's tools. */
export const scopesOfTools = (manifest: CapabilityManifest): Scope[] => permissionsOfTools(manifest).filter(isScope);

/** What a capability's folder exports; its engine may still have to be created from the installation's services. */
export type CapabilityDefinition = Omit<CapabilityManifest, "engine"> & { readonly engine: EngineSource };

/**
 * Capabilities private to a firm, which may change while the server runs. The list is the same object until one
 * changes.
 */
export interface PrivateCapabilities {
  current(): readonly CapabilityManifest[] | Promise<readonly CapabilityManifest[]>;
}

/** How a step's output is approved item by item. All functions are pure. */
export interface OutputItems {
  /**
   * Returns what approvers see of each item, in order. An item's id is its position from 1, so that no id identifies a
   * person.
   */
  readonly labels: (output: unknown) => readonly string[];
  /** Returns what approvers need to know about the whole output before they decide, or null. It identifies no one. */
  readonly remark?: (output: unknown) => string | null;
  /**
   * Returns the output reduced to the items at these positions, from 0 and ascending. Nothing of the other items
   * remains.
   */
  readonly only: (output: unknown, places: readonly number[]) => unknown;
}

/** Why steps that needed approval delivered nothing, by step key. */
export type Withheld = Readonly<Record<string, "rejected" | "expired">>;

/** One step of a use case. `capability` is a catalogue slug or the name of an internal step engine. */
export interface UseCaseStep {
  readonly key: string;
  readonly capability: string;
  readonly title: string;
  readonly maximum_credits: number;
  readonly requires_approval: boolean;
  /**
   * Keys of the earlier steps that this one needs. It starts as soon as they have ended, in parallel with other steps,
   * and receives only their results. If absent, it needs every step before it.
   */
  readonly needs?: readonly string[];
  /**
   * Builds the step's input from the use case's input, the results of earlier steps by key, and why others were
   * withheld. It is validated against the capability's input schema before the engine runs. If absent, the step gets
   * the use case's input.
   */
  readonly input?: (input: unknown, earlier: Readonly<Record<string, unknown>>, withheld: Withheld) => unknown;
  /** The schema of the input that the step builds, if it is not the capability's own input schema. */
  readonly input_schema?: TObject;
  /**
   * Returns a replacement for the step's result when it fails for good: nothing is charged for it and the run
   * continues. It fits the capability's output schema and says what happened. If absent, the run fails.
   */
  readonly otherwise?: (failed: { readonly code: string; readonly message: string }) => unknown;
  /**
   * For a step that requires approval: the items of its output. Each item costs an equal share of the step's charge,
   * and the share of a rejected one is released. An output without items needs no approval. If absent, the output is
   * approved or rejected as a whole.
   */
  readonly approval_items?: OutputItems;
}

/** Returns a step as it is sold, without what only the host needs. */
export const soldStep = ({ key, capability, title, maximum_credits, requires_approval }: UseCaseStep) => ({
  ...{ key, capability, title, maximum_credits, requires_approval },
});

export const UseCaseStatus = enumeration("available", "pilot", "validation_required");

/** A productized outcome built from capabilities, as defined by its file in `src/products/use-cases`. */
export interface UseCaseManifest {
  readonly slug: string;
  readonly name: string;
  readonly outcome: string;
  readonly category: string;
  readonly description: string;
  readonly semantic_version: string;
  readonly provider: string;
  readonly status: Static<typeof UseCaseStatus>;
  /** `gated` if a commercial gate must be open first. */
  readonly access: Static<typeof Exposure>;
  readonly countries: readonly string[];
  readonly evidence_freshness: string;
  readonly supported_execution_surfaces: readonly Static<typeof Surface>[];
  readonly delivered_results: readonly string[];
  readonly limitations: readonly string[];
  readonly steps: readonly UseCaseStep[];
  readonly input_schema: TObject;
  /**
   * Returns what a run keeps of its input, if not all of it: nothing else is stored, and its steps work from this. It
   * must be deterministic.
   */
  readonly kept_input?: (input: unknown) => Promise<unknown>;
}
