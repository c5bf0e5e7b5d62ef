import { connectorsOf } from "../../../db/queries/connectors.ts";
import { allGates, entitlementsOf } from "../../../db/queries/entitlements.ts";
import { membersOf, workspacesOf } from "../../../db/queries/firms.ts";
import type { ConnectorTable } from "../../../db/schema/job-tables.ts";
import type { AuditTable, FirmTable } from "../../../db/schema/tables.ts";
import type { Db } from "../../../db/store.ts";
import { entitledScopes } from "../../contracts/scopes.ts";
import { rfc3339, rfc3339OrNull } from "../../platform/clock.ts";
import { connectorEntitlement, toolNameOf } from "../../products/connectors/manifest.ts";
import type { ConnectorManifest } from "../../products/connectors/schema.ts";
import { platformGate } from "../../registry/registry.ts";
import { creditBalance } from "../usage/service.ts";

/** Views for operators, the same on the command line (`assay admin`) and over HTTP (`/v1/operator`). */

/** Returns a row with its time formatted. */
export const withTime = <R extends { readonly created_at: number }>(row: R) => ({
  ...row,
  created_at: rfc3339(row.created_at),
});

/** Returns a firm with its credits, entitlements, workspaces and people. */
export async function firmDetail(db: Db, firm: FirmTable) {
  return {
    ...withTime(firm),
    credits: await creditBalance(db, firm.id),
    entitlements: await entitlementNamesOf(db, firm.id),
    workspaces: (await workspacesOf.all(db, { firm_id: firm.id })).map(({ id, name, slug }) => ({ id, name, slug })),
    users: (await membersOf(db, firm.id)).map(({ id, email, role }) => ({ id, email, role })),
  };
}

/** Returns the names of a firm's entitlements. */
export const entitlementNamesOf = async (db: Db, firm_id: string): Promise<string[]> =>
  (await entitlementsOf.all(db, { firm_id })).map(({ name }) => name);

/** Returns the slugs of a firm's own connectors. */
export const connectorSlugs = async (db: Db, firm_id: string): Promise<string[]> =>
  (await connectorsOf(db, firm_id)).map(({ slug }) => slug);

/** Entitlements that no manifest names, such as tiers. */
const marks = ["verified_workspace", "partner-tool", "enterprise"];

/** Returns every entitlement that any firm may be granted, from what the capabilities require. */
export const generalEntitlements = (capabilities: Iterable<{ readonly entitlements: readonly string[] }>): string[] => [
  ...new Set([...entitledScopes, ...[...capabilities].flatMap(({ entitlements }) => entitlements), ...marks]),
];

/**
 * Returns what this firm may be granted: the general entitlements, those of its connectors, and any it already holds.
 */
export async function grantableEntitlements(db: Db, firm_id: string, general: readonly string[]): Promise<string[]> {
  const own = (await connectorSlugs(db, firm_id)).map(connectorEntitlement);
  return [...new Set([...general, ...own, ...(await entitlementNamesOf(db, firm_id))])];
}

/** Returns every gate with its state; one never set is closed. `sold`: the slugs of everything sold. */
export async function gateList(db: Db, sold: readonly string[]) {
  const rows = new Map((await allGates(db)).map((gate) => [gate.name, gate]));
  return [...new Set([platformGate, ...sold, ...rows.keys()])].map((name) => {
    const row = rows.get(name);
    const changed_at = rfc3339OrNull(row?.changed_at ?? null);
    return { name, open: row?.open === 1, changed_at, changed_by: row?.changed_by ?? null };
  });
}

/** Returns the manifest that a connector was added with. */
export const manifestOf = ({ manifest_json }: ConnectorTable) => JSON.parse(manifest_json) as ConnectorManifest;

/** Returns a connector for people and scripts, without its secret. */
export function connectorView(row: ConnectorTable) {
  const { slug, secret_encrypted, created_at, changed_at } = row;
  const manifest = manifestOf(row);
  const { semantic_version, engine } = manifest;
  return {
    slug,
    tool: toolNameOf(manifest),
    semantic_version,
    engine,
    secret: secret_encrypted === null ? null : "set",
    created_at: rfc3339(created_at),
    changed_at: rfc3339(changed_at),
  };
}

/** Returns an entry of the audit log as the API shows it. */
export const auditView = ({ data_json, at, ...entry }: AuditTable) => ({
  ...entry,
  at: rfc3339(at),
  data: JSON.parse(data_json) as Record<string, unknown>,
});
