import type { AuditTable } from "./schema/tables.ts";

/** What the chain begins with. */
export const genesis = "0".repeat(64);

/** The hash of an entry after the previous one's: SHA-256, in hexadecimal, over that hash and the row's own columns. */
export const auditHash = (previous: string, row: Omit<AuditTable, "hash">): string =>
  Bun.SHA256.hash(
    `${previous}\n${JSON.stringify([row.seq, row.at, row.firm_id, row.actor, row.action, row.subject, row.data_json])}`,
    "hex",
  );
