import { Type as T, type TObject } from "@sinclair/typebox";
import { isScope, scopes } from "../../contracts/scopes.ts";
import type { Detail } from "../../platform/errors.ts";
import { checkBy, problems } from "../../platform/validate.ts";
import type { CapabilityDefinition } from "../../registry/contract.ts";
import type { EngineSource } from "../../registry/services.ts";
import { toolErrors, trial } from "../capabilities/listing.ts";
import { goodSchema, mayTakeLong } from "./checks.ts";
import { readSchema } from "./json-schema.ts";
import { connectorEntitlement, engineOf, toolNameOf } from "./manifest.ts";
import { ConnectorManifest } from "./schema.ts";

const links = ["documentation_url", "support_url", "changelog_url", "try_url"] as const;

/** Whether it is safe as a link: a web address, a mailbox or a local path, but not a script. */
const isLink = (given: string): boolean =>
  ["https:", "http:", "mailto:"].includes(URL.parse(given, "https://assay.invalid/")?.protocol ?? "");

/** Yields the errors that the contract's schema can't express. */
function* contradictions(manifest: ConnectorManifest): Generator<Detail> {
  const { engine, pricing = {}, permissions = [], trial } = manifest;
  if (engine.type === "mcp" && engine.tool === undefined)
    yield { path: "/engine/tool", message: "is required for an MCP server: the name of the tool to call" };
  if (engine.type === "https" && engine.tool !== undefined)
    yield { path: "/engine/tool", message: "is only allowed for MCP servers" };
  if ((pricing.provider_cost_credits ?? 0) > (pricing.live_credits ?? 0))
    yield { path: "/pricing/provider_cost_credits", message: "must not exceed live_credits" };
  if (pricing.model === "included" && (pricing.live_credits ?? 0) > 0)
    yield { path: "/pricing/live_credits", message: "must be 0 for the pricing model included" };
  if (pricing.trial_credits !== undefined && !trial?.max_runs)
    yield { path: "/pricing/trial_credits", message: "needs a trial with max_runs above 0" };
  for (const [i, name] of permissions.entries())
    if (!isScope(name)) yield { path: `/permissions/${i}`, message: `must be one of ${scopes.join(", ")}` };
  for (const name of links)
    if (!isLink(manifest[name] ?? "/"))
      yield { path: `/${name}`, message: "must be an http, https or mailto address, or a path" };
}

/** Returns every error in a manifest, with its path; empty if it may be added. */
export function manifestProblems(value: unknown): Detail[] {
  if (!isManifest(value)) return problems(ConnectorManifest, value, "");
  const input = readSchema(value.input_schema, "/input_schema", true);
  const output = readSchema(value.output_schema, "/output_schema", false);
  const wrong = [...contradictions(value), ...input.details, ...output.details];
  const examples = value.tool?.examples ?? [];
  return wrong.length > 0
    ? wrong
    : examples.flatMap((example, i) => problems(input.schema, example.input, `/tool/examples/${i}/input`));
}

const isManifest = (value: unknown): value is ConnectorManifest => problems(ConnectorManifest, value, "").length === 0;

function pricingOf({ pricing = {} }: ConnectorManifest): CapabilityDefinition["pricing"] {
  const { live_credits = 0, trial_credits = 0, provider_cost_credits = 0 } = pricing;
  return {
    model: pricing.model ?? (live_credits > 0 ? "per_run" : "included"),
    charging_unit: pricing.charging_unit ?? "run",
    currency: "credits",
    live_credits,
    trial_credits,
    hard_cost_limit_credits: live_credits,
    provider_cost_credits,
  };
}

function toolOf(manifest: ConnectorManifest, input_schema: CapabilityDefinition["input_schema"]) {
  const { tool = {}, name, outcome } = manifest;
  return {
    name: toolNameOf(manifest),
    title: tool.title ?? name,
    access: manifest.access ?? ("read" as const),
    summary: tool.summary ?? outcome,
    returns: tool.returns ?? "As described by the output schema.",
    input_schema,
    agent_description: tool.agent_description ?? null,
    human_summary: tool.human_summary ?? null,
    use_when: tool.use_when ?? [],
    do_not_use_when: tool.do_not_use_when ?? [],
    examples: tool.examples ?? [],
    errors: toolErrors,
    latency: tool.latency ?? null,
    related: [],
  };
}

/** Returns a schema as published. Validation that may take long is left to `checks.ts`. */
function schemaOf(given: unknown, isInput: boolean): TObject {
  const schema = goodSchema(given, isInput);
  if (mayTakeLong(schema)) checkBy(schema, T.Object({}));
  return schema;
}

/** Returns the capability that a valid manifest describes, private to the firm with its entitlement. */
export function definitionOf(manifest: ConnectorManifest, engine: EngineSource): CapabilityDefinition {
  const input_schema = schemaOf(manifest.input_schema, true);
  return {
    slug: manifest.slug,
    semantic_version: manifest.semantic_version,
    name: manifest.name,
    outcome: manifest.outcome,
    description: manifest.description,
    provider: manifest.provider ?? "partner",
    status: manifest.status ?? "pilot",
    exposure: "gated",
    countries: manifest.countries ?? ["GLOBAL"],
    data_class: manifest.data_class ?? "derived",
    access: manifest.access ?? "read",
    permissions: manifest.permissions ?? ["account:read", "capabilities:run"],
    pricing: pricingOf(manifest),
    trial: trial(manifest.trial?.max_runs ?? 0, manifest.trial?.restrictions),
    input_schema,
    output_schema: schemaOf(manifest.output_schema, false),
    tools: [toolOf(manifest, input_schema)],
    connectors: [manifest.engine.type],
    sources: manifest.sources ?? [],
    limitations: manifest.limitations ?? [],
    dependencies: manifest.dependencies ?? [],
    evidence_freshness: manifest.evidence_freshness ?? "As maintained by its provider.",
    supported_execution_surfaces: manifest.supported_execution_surfaces ?? ["rest", "mcp", "cli", "web"],
    documentation_url: manifest.documentation_url ?? "/v1/docs/connectors",
    support_url: manifest.support_url ?? "/v1/docs/support",
    changelog_url: manifest.changelog_url ?? "/v1/docs/changelog",
    try_url: manifest.try_url ?? `/console/capabilities/${manifest.slug}`,
    entitlements: [connectorEntitlement(manifest.slug)],
    private: true,
    deadline_ms: engineOf(manifest).deadline_ms,
    engine,
  };
}
