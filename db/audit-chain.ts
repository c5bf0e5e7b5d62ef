import type { AuditTable } from "./schema/tables.ts";

/** The previous hash of the first entry. */
export const genesis = "0".repeat(64);

/** Returns an entry's hash: hex SHA-256 over the previous entry's hash and the row's own columns. */
export const auditHash = (previous: string, row: Omit<AuditTable, "hash">): string =>
  Bun.SHA256.hash(
    `${previous}\n${JSON.stringify([row.seq, row.at, row.firm_id, row.actor, row.action, row.subject, row.data_json])}`,
    "hex",
  );
