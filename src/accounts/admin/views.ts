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

/** What an operator sees, the same at the terminal (`assay admin`) and over HTTP (`/v1/operator`). */

/** A row with its time as text. */
export const withTime = <R extends { readonly created_at: number }>(row: R) => ({
  ...row,
  created_at: rfc3339(row.created_at),
});

/** A firm with what it holds and who is in it. */
export async function firmDetail(db: Db, firm: FirmTable) {
  return {
    ...withTime(firm),
    credits: await creditBalance(db, firm.id),
    entitlements: await entitlementNamesOf(db, firm.id),
    workspaces: (await workspacesOf.all(db, { firm_id: firm.id })).map(({ id, name, slug }) => ({ id, name, slug })),
    users: (await membersOf(db, firm.id)).map(({ id, email, role }) => ({ id, email, role })),
  };
}

/** What a firm holds, by name. */
export const entitlementNamesOf = async (db: Db, firm_id: string): Promise<string[]> =>
  (await entitlementsOf.all(db, { firm_id })).map(({ name }) => name);

/** Slugs of a firm's own connectors. */
export const connectorSlugs = async (db: Db, firm_id: string): Promise<string[]> =>
  (await connectorsOf(db, firm_id)).map(({ slug }) => slug);

/** Marks and tiers of a firm that no manifest names. */
const marks = ["verified_workspace", "partner-tool", "enterprise"];

/** Every entitlement that any firm may be given, by what the capabilities ask for. */
export const generalEntitlements = (capabilities: Iterable<{ readonly entitlements: readonly string[] }>): string[] => [
  ...new Set([...entitledScopes, ...[...capabilities].flatMap(({ entitlements }) => entitlements), ...marks]),
];

/** What this firm may be given: the general ones, those of its connectors, and whatever it holds. */
export async function grantableEntitlements(db: Db, firm_id: string, general: readonly string[]): Promise<string[]> {
  const own = (await connectorSlugs(db, firm_id)).map(connectorEntitlement);
  return [...new Set([...general, ...own, ...(await entitlementNamesOf(db, firm_id))])];
}

/** Every gate there can be, with its state: one never touched is closed. `sold`: the slugs of what is sold. */
export async function gateList(db: Db, sold: readonly string[]) {
  const rows = new Map((await allGates(db)).map((gate) => [gate.name, gate]));
  return [...new Set([platformGate, ...sold, ...rows.keys()])].map((name) => {
    const row = rows.get(name);
    const changed_at = rfc3339OrNull(row?.changed_at ?? null);
    return { name, open: row?.open === 1, changed_at, changed_by: row?.changed_by ?? null };
  });
}

/** What a connector was added with. */
export const manifestOf = ({ manifest_json }: ConnectorTable) => JSON.parse(manifest_json) as ConnectorManifest;

/** A connector as people and scripts are shown it: never its secret. */
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

/** An entry of the audit chain. */
export const auditView = ({ data_json, at, ...entry }: AuditTable) => ({
  ...entry,
  at: rfc3339(at),
  data: JSON.parse(data_json) as Record<string, unknown>,
});
