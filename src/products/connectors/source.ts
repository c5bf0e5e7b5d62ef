import type { CacheByAccessVersion } from "../../../db/queries/access-version.ts";
import { allConnectors } from "../../../db/queries/connectors.ts";
import type { ConnectorTable } from "../../../db/schema/job-tables.ts";
import type { Store } from "../../../db/store.ts";
import { unscoped } from "../../../db/tenancy.ts";
import type { CapabilityManifest, PrivateCapabilities } from "../../registry/contract.ts";
import type { EngineServices } from "../../registry/services.ts";
import { connectorEngine } from "./engine.ts";
import type { ConnectorManifest } from "./schema.ts";

interface Known {
  readonly row: ConnectorTable;
  readonly manifest: CapabilityManifest;
}

const isSame = (a: ConnectorTable, b: ConnectorTable): boolean =>
  a.manifest_json === b.manifest_json && a.secret_encrypted === b.secret_encrypted && a.firm_id === b.firm_id;

/**
 * Provides the connectors of all firms as capabilities, reloaded when access changes. An unchanged connector stays the
 * same object, so that its schemas are compiled once. An unreadable one is skipped and logged.
 */
export function connectorSource(
  store: Store,
  masterKey: Uint8Array,
  services: EngineServices,
  cacheByAccessVersion: CacheByAccessVersion,
): PrivateCapabilities {
  let known = new Map<string, Known>();
  let all: readonly CapabilityManifest[] = [];

  async function made(row: ConnectorTable): Promise<Known[]> {
    const before = known.get(row.slug);
    if (before && isSame(before.row, row)) return [before];
    try {
      // Loaded with the first connector: most installations have none, and the schema checks slow down start-up.
      const { definitionOf } = await import("./definition.ts");
      const manifest = JSON.parse(row.manifest_json) as ConnectorManifest;
      const engine = connectorEngine(manifest, { masterKey, sealed: row.secret_encrypted }, services);
      return [{ row, manifest: { ...definitionOf(manifest, engine), engine, owner: row.firm_id } }];
    } catch (error) {
      services.log.error("a connector can't be read", { connector: row.slug, error });
      return [];
    }
  }

  const current = cacheByAccessVersion(async () => {
    const rows = await allConnectors(unscoped(store.read));
    const now = (await Promise.all(rows.map(made))).flat();
    const isUnchanged = now.length === known.size && now.every((one) => known.get(one.row.slug) === one);
    if (!isUnchanged) {
      known = new Map(now.map((one) => [one.row.slug, one]));
      all = now.map(({ manifest }) => manifest);
    }
    return all;
  });
  return { current: () => current("connectors") };
}
