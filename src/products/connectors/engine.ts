import { type Engine, type EngineContext, EngineError } from "../../contracts/engine.ts";
import { unseal } from "../../identity/sealing.ts";
import { Failure, failure } from "../../platform/errors.ts";
import { once } from "../../platform/once.ts";
import type { EngineServices } from "../../registry/services.ts";
import type { Check } from "./checks.ts";
import { schemaCheck } from "./computation.ts";
import { askEndpoint } from "./https-engine.ts";
import { engineOf } from "./manifest.ts";
import type { ConnectorManifest } from "./schema.ts";

const unreadable = "Its secret can't be read with this master key. Add the connector again.";
const usualLimits = { total: 16, perFirm: 16 };

/** Returns the associated data with which a connector's secret is sealed. */
export const sealedAbout = (slug: string): string => `connector:${slug}`;

/** A stored secret, and the master key it was sealed with. */
export interface StoredSecret {
  readonly masterKey: Uint8Array;
  readonly sealed: string | null;
}

/** Returns the secret, or `undefined` if this master key can't open it. */
function opened({ masterKey, sealed }: StoredSecret, slug: string): string | null | undefined {
  try {
    return sealed === null ? null : unseal(masterKey, sealed, sealedAbout(slug));
  } catch {
    return undefined;
  }
}

/** Throws `validation_error`, or `input_too_costly` if validation exceeds its budget. */
async function checkInput(check: Check | undefined, input: unknown, firm: string): Promise<void> {
  const details = await check?.(input, "/body/input", { firm }).catch((error: unknown) => {
    if (error instanceof EngineError && error.code === "input_too_costly") throw failure("input_too_costly");
    throw error;
  });
  if (details?.length) throw new Failure("validation_error", details);
}

/** Throws an `EngineError` for a result that violates its contract or takes too long to validate. */
async function checkOutput(check: Check | undefined, result: unknown, { firm, signal }: EngineContext): Promise<void> {
  const details = await check?.(result, "", { firm, signal });
  if (details?.length)
    throw new EngineError("engine_output_invalid", "The connector's answer did not match its contract.", false);
}

/** Creates the engine of a connector: an HTTPS endpoint, or a tool of an MCP server. */
export function connectorEngine(manifest: ConnectorManifest, stored: StoredSecret, services: EngineServices): Engine {
  const { slug, semantic_version, limits } = manifest;
  const config = engineOf(manifest);
  const secret = opened(stored, slug);
  // Loaded on demand, like the SDK: most installations have no connector.
  const checks = once(async () => (await import("./checks.ts")).checksOf(manifest, services.computing));
  const ask = async (input: unknown, context: EngineContext) => {
    if (secret === undefined) throw new EngineError("connector_unavailable", unreadable, false);
    if (config.type === "https")
      return askEndpoint(services, { slug, semantic_version }, config, secret ?? "", input, context);
    const { askMcpServer } = await import("./mcp-engine.ts");
    return askMcpServer(services, config, secret, input, context);
  };
  return {
    identity: { name: `connector:${slug}`, version: semantic_version, model: null },
    limits: limits ? { total: limits.total, perFirm: limits.per_firm ?? limits.total } : usualLimits,
    computations: [schemaCheck],
    ready: () => (secret === undefined ? unreadable : null),
    admit: async (input, { firm_id }) => checkInput((await checks()).input, input, firm_id),
    async run(input, context) {
      const outcome = await ask(input, context);
      // Parsing a long answer took this turn of the event loop; validate, hash and store it in the next.
      await services.runtime.nextTurn();
      await checkOutput((await checks()).output, outcome.result, context);
      return outcome;
    },
  };
}
