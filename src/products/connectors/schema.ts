import { type Static, Type as T } from "@sinclair/typebox";
import { closed, enumeration } from "../../platform/schema.ts";
import { Access, Capability, CapabilityStatus, PricingModel, Surface, ToolExample } from "../../registry/contract.ts";
import { answerBytesAtMost } from "./manifest.ts";

/**
 * An operator's manifest of a firm's private capability. It can express everything that a built-in manifest can;
 * `manifest.ts` supplies the defaults. It never contains secrets.
 */

const word = (max: number) => T.String({ minLength: 1, maxLength: max });
const lines = (most: number, max: number) => T.Array(word(max), { maxItems: most });
const credits = () => T.Integer({ minimum: 0, maximum: 1_000_000_000 });

/** Where the capability is served. `tool` is the tool's name on the upstream MCP server. */
export const ConnectorEngine = closed({
  type: enumeration("https", "mcp"),
  url: T.String({ format: "uri", maxLength: 2_048 }),
  tool: T.Optional(word(128)),
  max_response_bytes: T.Optional(T.Integer({ minimum: 1_024, maximum: answerBytesAtMost })),
});

/** The capability's only tool, as offered by MCP and the partner tool. */
export const ConnectorTool = closed({
  name: T.Optional(T.String({ pattern: "^[a-z][a-z0-9_]*$", minLength: 3, maxLength: 64 })),
  title: T.Optional(word(120)),
  summary: T.Optional(word(500)),
  returns: T.Optional(word(500)),
  agent_description: T.Optional(word(2_000)),
  human_summary: T.Optional(word(500)),
  use_when: T.Optional(lines(20, 500)),
  do_not_use_when: T.Optional(lines(20, 500)),
  examples: T.Optional(T.Array(ToolExample, { maxItems: 10 })),
  latency: T.Optional(word(200)),
});

const JsonSchema = T.Record(T.String(), T.Unknown());

export const ConnectorManifest = closed(
  {
    slug: T.String({ pattern: "^[a-z][a-z0-9]*(-[a-z0-9]+)*$", minLength: 3, maxLength: 60 }),
    semantic_version: T.String({ pattern: "^\\d{1,5}\\.\\d{1,5}\\.\\d{1,5}$" }),
    name: word(120),
    outcome: word(300),
    description: word(4_000),
    provider: T.Optional(T.String({ pattern: "^[a-z0-9][a-z0-9-]*$", maxLength: 60 })),
    status: T.Optional(CapabilityStatus),
    countries: T.Optional(T.Array(T.String({ pattern: "^([A-Z]{2}|GLOBAL)$" }), { minItems: 1, maxItems: 60 })),
    data_class: T.Optional(Capability.properties.data_class),
    access: T.Optional(Access),
    permissions: T.Optional(T.Array(word(60), { minItems: 1, maxItems: 10 })),
    pricing: T.Optional(
      closed({
        model: T.Optional(PricingModel),
        charging_unit: T.Optional(word(80)),
        live_credits: T.Optional(credits()),
        trial_credits: T.Optional(credits()),
        provider_cost_credits: T.Optional(credits()),
      }),
    ),
    trial: T.Optional(
      closed({ max_runs: T.Integer({ minimum: 0, maximum: 1_000 }), restrictions: T.Optional(lines(20, 300)) }),
    ),
    input_schema: JsonSchema,
    output_schema: JsonSchema,
    tool: T.Optional(ConnectorTool),
    sources: T.Optional(lines(50, 300)),
    limitations: T.Optional(lines(50, 500)),
    dependencies: T.Optional(lines(50, 300)),
    evidence_freshness: T.Optional(word(300)),
    supported_execution_surfaces: T.Optional(T.Array(Surface, { minItems: 1, maxItems: 5 })),
    documentation_url: T.Optional(word(2_048)),
    support_url: T.Optional(word(2_048)),
    changelog_url: T.Optional(word(2_048)),
    try_url: T.Optional(word(2_048)),
    deadline_seconds: T.Optional(T.Integer({ minimum: 1, maximum: 300 })),
    limits: T.Optional(
      closed({
        total: T.Integer({ minimum: 1, maximum: 256 }),
        per_firm: T.Optional(T.Integer({ minimum: 1, maximum: 256 })),
      }),
    ),
    engine: ConnectorEngine,
  },
  { title: "ConnectorManifest" },
);
export type ConnectorManifest = Static<typeof ConnectorManifest>;
