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

const unreadable = "Its secret can't be read with this master key. Add it again.";
const usualLimits = { total: 16, perFirm: 16 };

/** What a connector's secret is sealed with besides the master key. */
export const sealedAbout = (slug: string): string => `connector:${slug}`;

/** A secret as it is stored, and the key that it was sealed with. */
export interface StoredSecret {
  readonly masterKey: Uint8Array;
  readonly sealed: string | null;
}

/** The secret itself; undefined: it can't be read with this master key. */
function opened({ masterKey, sealed }: StoredSecret, slug: string): string | null | undefined {
  try {
    return sealed === null ? null : unseal(masterKey, sealed, sealedAbout(slug));
  } catch {
    return undefined;
  }
}

/** Throws `validation_error`, and `input_too_costly` where checking takes longer than its budget. */
async function checkInput(check: Check | undefined, input: unknown, firm: string): Promise<void> {
  const details = await check?.(input, "/body/input", { firm }).catch((error: unknown) => {
    if (error instanceof EngineError && error.code === "input_too_costly") throw failure("input_too_costly");
    throw error;
  });
  if (details?.length) throw new Failure("validation_error", details);
}

/** Throws an `EngineError` for a result that breaks its contract, or takes too long to check. */
async function checkOutput(check: Check | undefined, result: unknown, { firm, signal }: EngineContext): Promise<void> {
  const details = await check?.(result, "", { firm, signal });
  if (details?.length)
    throw new EngineError("engine_output_invalid", "The connector's answer did not match its contract.", false);
}

/** The engine of a connector: an HTTPS endpoint, or a tool of an MCP server. */
export function connectorEngine(manifest: ConnectorManifest, stored: StoredSecret, services: EngineServices): Engine {
  const { slug, semantic_version, limits } = manifest;
  const config = engineOf(manifest);
  const secret = opened(stored, slug);
  // Loaded when it is needed, as the SDK is: most installations have no connector.
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
      // A long answer was parsed in this turn of the event loop. It is checked, hashed and written in the next.
      await services.runtime.nextTurn();
      await checkOutput((await checks()).output, outcome.result, context);
      return outcome;
    },
  };
}
