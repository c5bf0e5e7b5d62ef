import { type Engine, EngineError } from "../../contracts/engine.ts";
import { unseal } from "../../identity/sealing.ts";
import type { EngineServices } from "../../registry/services.ts";
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

/** The engine of a connector: an HTTPS endpoint, or a tool of an MCP server. */
export function connectorEngine(manifest: ConnectorManifest, stored: StoredSecret, services: EngineServices): Engine {
  const { slug, semantic_version, limits } = manifest;
  const config = engineOf(manifest);
  const secret = opened(stored, slug);
  return {
    identity: { name: `connector:${slug}`, version: semantic_version, model: null },
    limits: limits ? { total: limits.total, perFirm: limits.per_firm ?? limits.total } : usualLimits,
    ready: () => (secret === undefined ? unreadable : null),
    async run(input, context) {
      if (secret === undefined) throw new EngineError("connector_unavailable", unreadable, false);
      if (config.type === "https")
        return askEndpoint(services, { slug, semantic_version }, config, secret ?? "", input, context);
      // The SDK is loaded when it is needed: most installations have no such connector.
      const { askMcpServer } = await import("./mcp-engine.ts");
      return askMcpServer(services, config, secret, input, context);
    },
  };
}
