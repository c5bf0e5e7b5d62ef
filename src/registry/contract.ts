import { type Static, Type as T, type TObject, type TSchema } from "@sinclair/typebox";
import type { Engine } from "../contracts/engine.ts";
import { isScope, type Scope } from "../contracts/scopes.ts";
import { closed, enumeration, nullable } from "../platform/schema.ts";
import type { EngineSource } from "./services.ts";

/**
 * The contract of a capability, exactly as the specification's tables give it. A capability's folder exports one
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

/** A JSON Schema, carried as a value. */
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

/** A catalogue item as the API shows it. */
export const Capability = closed({ ...described, runnable: T.Boolean() }, { title: "Capability" });
export type Capability = Static<typeof Capability>;
export type Tool = Static<typeof Tool>;
export type ToolError = Static<typeof ToolError>;

type Described = Static<TObject<typeof described>>;

/** A capability as it is sold. Schemas are TypeBox objects: they validate, type and document at once. */
export interface CapabilityManifest extends Omit<Described, "input_schema" | "output_schema"> {
  readonly input_schema: TObject;
  readonly output_schema: TSchema;
  /** What the firm must hold for a run to be accepted, besides the caller's scope. Empty: every firm may run it. */
  readonly entitlements: readonly string[];
  /** Scopes that its tools ask for, where these are not `permissions`, which the specification fixes. */
  readonly tool_scopes?: readonly Scope[];
  /** The tool whose call is a run, where it takes another input than the capability. Absent: the one that takes the same. */
  readonly run_tool?: string;
  /** Listed, shown and run only for firms that hold all of `entitlements`. */
  readonly private: boolean;
  /** How long one attempt of its step may take. */
  readonly deadline_ms: number;
  readonly engine: Engine;
}

/** What its tools and its direct route ask for: scopes, and marks of the firm. */
export const permissionsOfTools = ({
  permissions,
  tool_scopes,
}: Pick<CapabilityManifest, "permissions" | "tool_scopes">): readonly string[] => tool_scopes ?? permissions;

/** Every scope that a credential needs to be given all of the capability's tools. */
export const scopesOfTools = (manifest: CapabilityManifest): Scope[] => permissionsOfTools(manifest).filter(isScope);

/** What a capability's folder exports: its engine may have yet to be made from the installation's services. */
export type CapabilityDefinition = Omit<CapabilityManifest, "engine"> & { readonly engine: EngineSource };

/** Capabilities that come and go while the server runs: those private to a firm. The same list until one changes. */
export interface PrivateCapabilities {
  current(): readonly CapabilityManifest[] | Promise<readonly CapabilityManifest[]>;
}

/** How a step's output is decided item by item: pure functions of it. */
export interface OutputItems {
  /** What its approvers see of each item, in order. An item's id is its place, from 1, so that no id names anybody. */
  readonly labels: (output: unknown) => readonly string[];
  /** What they have to know of the whole output before they decide; null: nothing. It names nobody. */
  readonly remark?: (output: unknown) => string | null;
  /** The output with the items at these places alone, from 0 and ascending; nothing of the others is left in it. */
  readonly only: (output: unknown, places: readonly number[]) => unknown;
}

/** Why steps that needed approval delivered nothing, by their keys. */
export type Withheld = Readonly<Record<string, "rejected" | "expired">>;

/** One step of a use case. `capability` is a catalogue slug or the name of an internal step engine. */
export interface UseCaseStep {
  readonly key: string;
  readonly capability: string;
  readonly title: string;
  readonly maximum_credits: number;
  readonly requires_approval: boolean;
  /**
   * Keys of the earlier steps that this one needs: it begins when they have ended, beside whatever else is under way, and
   * is given their results alone. Absent: it needs every step before it.
   */
  readonly needs?: readonly string[];
  /**
   * The step's own input, from the use case's input, the results of earlier steps by their keys, and why others were
   * withheld. It is checked against the capability's input schema before the engine is asked. Absent: the use case's input
   * as it is.
   */
  readonly input?: (input: unknown, earlier: Readonly<Record<string, unknown>>, withheld: Withheld) => unknown;
  /** What the input that the step makes must fit, where that is not the capability's own input schema. */
  readonly input_schema?: TObject;
  /**
   * What replaces the step's result when it fails for good: nothing is charged for it and the run goes on. It fits the
   * capability's output schema and says what happened. Absent: the run fails.
   */
  readonly otherwise?: (failed: { readonly code: string; readonly message: string }) => unknown;
  /**
   * Of a step that requires approval: what its output consists of. Each item then costs an equal share of the step's
   * charge, and the share of a rejected one is released. An output without items waits for nobody. Absent: the output is
   * approved or rejected as a whole.
   */
  readonly approval_items?: OutputItems;
}

/** A step as it is sold: without what only the host needs. */
export const soldStep = ({ key, capability, title, maximum_credits, requires_approval }: UseCaseStep) => ({
  ...{ key, capability, title, maximum_credits, requires_approval },
});

export const UseCaseStatus = enumeration("available", "pilot", "validation_required");

/** A productized outcome built from capabilities, as its file in `src/products/use-cases` gives it. */
export interface UseCaseManifest {
  readonly slug: string;
  readonly name: string;
  readonly outcome: string;
  readonly category: string;
  readonly description: string;
  readonly semantic_version: string;
  readonly provider: string;
  readonly status: Static<typeof UseCaseStatus>;
  /** `gated` when a commercial gate must be open first. */
  readonly access: Static<typeof Exposure>;
  readonly countries: readonly string[];
  readonly evidence_freshness: string;
  readonly supported_execution_surfaces: readonly Static<typeof Surface>[];
  readonly delivered_results: readonly string[];
  readonly limitations: readonly string[];
  readonly steps: readonly UseCaseStep[];
  readonly input_schema: TObject;
  /**
   * What a run keeps of its input, where that is not all of it: nothing else is stored, and its steps work from this. The
   * same input gives the same.
   */
  readonly kept_input?: (input: unknown) => Promise<unknown>;
}
