import { allConnectors } from "../../../db/queries/connectors.ts";
import type { Reading } from "../../../db/store.ts";
import { unscoped } from "../../../db/tenancy.ts";
import { type HealthCheck, ok, warn } from "../../platform/health-check.ts";
import { connectorEngine } from "../../products/connectors/engine.ts";
import { addressProblems } from "../../products/connectors/file.ts";
import type { ConnectorManifest } from "../../products/connectors/schema.ts";
import type { EngineServices } from "../../registry/services.ts";

/** Checks whether each connector could be called, without calling any. */
export async function connectorChecks(
  store: Reading,
  services: EngineServices,
  masterKey: Uint8Array | undefined,
  open: ReadonlySet<string>,
): Promise<HealthCheck[]> {
  return (await allConnectors(unscoped(store.read))).map(({ slug, manifest_json, secret_encrypted: sealed }) => {
    const about = `connector ${slug}`;
    if (!masterKey) return warn(about, "can't be called", "The master key is missing: see the signing keys.");
    const manifest = JSON.parse(manifest_json) as ConnectorManifest;
    const reason = connectorEngine(manifest, { masterKey, sealed }, services).ready();
    if (reason !== null) return warn(about, "can't be called", reason);
    const [refused] = addressProblems(manifest, services.outbound.checkUrl);
    if (refused)
      return warn(
        about,
        "can't be called",
        `Its address ${refused.message.replace(/\.$/, "")}. Correct its manifest, or add its host and port to outbound_allow_private.`,
      );
    if (!open.has(slug)) return warn(about, "closed", `Run \`assay admin gates open ${slug}\`.`);
    return ok(about, `open; \`assay admin connectors test ${slug}\` calls it`);
  });
}
