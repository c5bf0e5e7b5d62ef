import { insertAudit, lastAudit } from "../../db/queries/audit.ts";
import type { AuditTable } from "../../db/schema/tables.ts";
import { leaveRow } from "../../db/sqlite/closing.ts";
import type { Db } from "../../db/sqlite/connection.ts";
import { recall, remember } from "../../db/sqlite/memo.ts";
import { sha256Hex } from "../platform/ids.ts";

const chainEnd = "audit";
type ChainEnd = Pick<AuditTable, "seq" | "hash">;

/** What the chain begins with. */
export const genesis = "0".repeat(64);

export interface AuditEntry {
  readonly at: number;
  readonly firm_id: string | null;
  /** `key:<id>`, `user:<id>`, `host`, `operator`. */
  readonly actor: string;
  /** Dotted, e.g. `run.step_succeeded`. */
  readonly action: string;
  readonly subject: string;
  /** Figures and codes only: never an input, a result or a secret. */
  readonly data: Readonly<Record<string, unknown>>;
}

/** The hash of an entry behind the previous one's. */
export const auditHash = (previous: string, row: Omit<AuditTable, "hash">): string =>
  sha256Hex(
    `${previous}\n${JSON.stringify([row.seq, row.at, row.firm_id, row.actor, row.action, row.subject, row.data_json])}`,
  );

/** Appends to the chain, in the transaction of what it tells about. */
export async function appendAudit(tx: Db, entry: AuditEntry): Promise<void> {
  const last = recall<ChainEnd>(tx, chainEnd) ?? (await lastAudit.first(tx, {})) ?? { seq: 0, hash: genesis };
  const { at, firm_id, actor, action, subject, data } = entry;
  const row = { seq: last.seq + 1, at, firm_id, actor, action, subject, data_json: JSON.stringify(data) };
  const hash = auditHash(last.hash, row);
  leaveRow(tx, insertAudit, { ...row, hash });
  remember(tx, chainEnd, { seq: row.seq, hash });
}
