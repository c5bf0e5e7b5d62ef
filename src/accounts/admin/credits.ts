import type { Db } from "../../../db/store.ts";
import { deduct, grant } from "../../execution/credits/ledger.ts";
import { invalid } from "../../platform/errors.ts";
import { type AuditContext, type Creation, record } from "./audit-context.ts";

/** A change of a firm's credits, in whole credits, with a reason for the ledger. */
export interface CreditChange {
  readonly firm_id: string;
  readonly credits: number;
  readonly reason: string;
}

/** Maximum credits per change. With more, the sum of a few changes could exceed what a number holds exactly. */
export const mostCredits = 1_000_000_000_000;

function checked({ credits, reason }: CreditChange): void {
  if (!Number.isSafeInteger(credits) || credits === 0 || Math.abs(credits) > mostCredits)
    throw invalid("/credits", `must be a whole number of at most ${mostCredits}, and not 0`);
  if (reason.trim().length === 0 || reason.length > 500) throw invalid("/reason", "must have 1 to 500 characters");
}

/** Records the same data as the ledger entry, so that neither can be changed alone. */
const recordChange = (
  tx: Db,
  audit: AuditContext,
  kind: "grant" | "topup" | "adjust",
  { firm_id, credits, reason }: CreditChange,
  transfer: string,
): Promise<void> => record(tx, audit, `credits.${kind}`, firm_id, firm_id, { credits, reason, transfer });

/** Gives a firm credits. Throws `validation_error` unless they are a positive whole number, with a reason. */
export async function grantCredits(
  tx: Db,
  audit: Creation,
  change: CreditChange,
  kind: "grant" | "topup" = "grant",
): Promise<void> {
  checked(change);
  if (change.credits < 0) throw invalid("/credits", "must be greater than 0; to remove credits, adjust the balance");
  const id = audit.runtime.id();
  await grant(tx, kind, { ...change, id, at: audit.at });
  await recordChange(tx, audit, kind, change, id);
}

/** Adjusts a firm's available credits, up or down. Returns false if fewer are available than are to be deducted. */
export async function adjustCredits(tx: Db, audit: Creation, change: CreditChange): Promise<boolean> {
  checked(change);
  const { credits } = change;
  const id = audit.runtime.id();
  if (credits > 0) await grant(tx, "adjust", { ...change, id, at: audit.at });
  else if (!(await deduct(tx, { ...change, id, credits: -credits, at: audit.at }))) return false;
  await recordChange(tx, audit, "adjust", change, id);
  return true;
}
