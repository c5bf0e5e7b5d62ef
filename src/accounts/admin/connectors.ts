import { allConnectors, connectorOf, deleteConnector, setConnector } from "../../../db/queries/connectors.ts";
import type { ConnectorTable } from "../../../db/schema/job-tables.ts";
import type { Db } from "../../../db/store.ts";
import { unscoped } from "../../../db/tenancy.ts";
import { seal } from "../../identity/sealing.ts";
import { invalid } from "../../platform/errors.ts";
import { randomBase62 } from "../../platform/ids.ts";
import { sealedAbout } from "../../products/connectors/engine.ts";
import { connectorEntitlement, toolNameOf } from "../../products/connectors/manifest.ts";
import type { ConnectorManifest } from "../../products/connectors/schema.ts";
import { type AuditContext, type Creation, record } from "./audit-context.ts";
import { disentitle, entitle, switchGate, unlimitRuns } from "./permissions.ts";

export interface NewConnector {
  readonly firm_id: string;
  /** Already validated. */
  readonly manifest: ConnectorManifest;
  /** The secret that signs an endpoint's requests, or an MCP server's token. If absent: generated, kept, or none. */
  readonly secret?: string | undefined;
  /** Whether to replace the firm's existing connector of this name. */
  readonly replace: boolean;
}

/** Names that built-in capabilities use. */
export interface Taken {
  readonly slugs: readonly string[];
  readonly tools: readonly string[];
}

export interface AddedConnector {
  readonly connector: ConnectorTable;
  /** A newly generated signing secret. Shown once, stored only encrypted. */
  readonly secret: string | null;
}

const manifestOf = ({ manifest_json }: ConnectorTable) => JSON.parse(manifest_json) as ConnectorManifest;

/**
 * Throws `validation_error` if the slug or a tool is taken. Both are unique in the installation, because gates, queues
 * and tools are identified by them alone.
 */
async function refuseTaken(tx: Db, { manifest, firm_id, replace }: NewConnector, taken: Taken): Promise<void> {
  const others = await allConnectors(unscoped(tx));
  const own = others.find((row) => row.slug === manifest.slug);
  if (taken.slugs.includes(manifest.slug)) throw invalid("/slug", "is used by the product: choose another");
  if (own && own.firm_id !== firm_id) throw invalid("/slug", "is used by another connector: choose another");
  if (own && !replace) throw invalid("/slug", "is used by a connector of the firm: use --replace to change it");
  if (!own && replace) throw invalid("/slug", "is not a connector of the firm yet: omit --replace");
  const tool = toolNameOf(manifest);
  const tools = others.filter((row) => row !== own).map((row) => toolNameOf(manifestOf(row)));
  if ([...taken.tools, ...tools].includes(tool)) throw invalid("/tool/name", `${tool} is taken: rename the tool`);
}

/**
 * Returns the given secret, the previous one, or, for an endpoint, a new one. A secret is never kept when the type
 * changes.
 */
function secretFor(
  { runtime }: Creation,
  { manifest, secret }: NewConnector,
  before: ConnectorTable | undefined,
  masterKey: Uint8Array,
) {
  const { slug, engine } = manifest;
  const made = engine.type === "https" ? `assay_cs_${randomBase62(runtime, 43)}` : null;
  if (secret !== undefined) return { sealed: seal(runtime, masterKey, secret, sealedAbout(slug)), shown: null };
  if (before && manifestOf(before).engine.type === engine.type) return { sealed: before.secret_encrypted, shown: null };
  return { sealed: made && seal(runtime, masterKey, made, sealedAbout(slug)), shown: made };
}

/**
 * Adds or replaces a firm's private capability, entitles the firm to it and opens its gate. A running server sells it
 * from the next request on. Throws `validation_error` if a name is taken.
 */
export async function addConnector(
  tx: Db,
  audit: Creation,
  given: NewConnector,
  masterKey: Uint8Array,
  taken: Taken,
): Promise<AddedConnector> {
  const { firm_id, manifest } = given;
  const { slug, semantic_version, engine } = manifest;
  await refuseTaken(tx, given, taken);
  const before = await connectorOf(tx, firm_id, slug);
  const { sealed, shown } = secretFor(audit, given, before, masterKey);
  const connector: ConnectorTable = {
    slug,
    firm_id,
    manifest_json: JSON.stringify(manifest),
    secret_encrypted: sealed,
    created_at: before?.created_at ?? audit.at,
    changed_at: audit.at,
  };
  await setConnector(tx, connector);
  const action = before ? "connector.replaced" : "connector.added";
  await record(tx, audit, action, slug, firm_id, { semantic_version, engine: engine.type });
  await entitle(tx, audit, firm_id, connectorEntitlement(slug));
  if (!before) await switchGate(tx, audit, slug, true);
  return { connector, secret: shown };
}

/**
 * Removes a connector. An attempt in progress completes and is charged. A waiting run is refused when its turn comes,
 * and a step due for a retry fails; neither is charged. Returns false if the firm has no such connector.
 */
export async function removeConnector(tx: Db, audit: AuditContext, firm_id: string, slug: string): Promise<boolean> {
  if (!(await deleteConnector(tx, firm_id, slug))) return false;
  await record(tx, audit, "connector.removed", slug, firm_id);
  await disentitle(tx, audit, firm_id, connectorEntitlement(slug));
  await switchGate(tx, audit, slug, false);
  await unlimitRuns(tx, audit, firm_id, slug);
  return true;
}
