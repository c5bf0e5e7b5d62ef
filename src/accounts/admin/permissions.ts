import {
  allGates,
  clearQuota,
  grantEntitlement,
  quotaOf,
  setGate,
  setQuota,
  withdrawEntitlement,
} from "../../../db/queries/entitlements.ts";
import { clearLimit, type LimitKey, limitOf, setLimit } from "../../../db/queries/limits.ts";
import type { Db } from "../../../db/store.ts";
import { invalid } from "../../platform/errors.ts";
import { type AuditContext, record } from "./audit-context.ts";

/**
 * Permissions that the operator controls: gates for everyone, entitlements and quotas for a firm. Each function returns
 * whether it changed anything, and audits only changes. The caller checks that names exist.
 */

/** Opens or closes a gate: `platform`, or the slug of a capability or use case. */
export async function switchGate(tx: Db, audit: AuditContext, name: string, open: boolean): Promise<boolean> {
  const present = (await allGates(tx)).find((gate) => gate.name === name);
  if ((present?.open === 1) === open) return false;
  await setGate(tx, { name, open: open ? 1 : 0, changed_at: audit.at, changed_by: audit.actor });
  await record(tx, audit, open ? "gate.opened" : "gate.closed", name, null);
  return true;
}

/** Grants a firm an entitlement. */
export async function entitle(tx: Db, audit: AuditContext, firm_id: string, name: string): Promise<boolean> {
  const isNew = await grantEntitlement(tx, firm_id, name, audit.at);
  if (isNew) await record(tx, audit, "entitlement.granted", name, firm_id);
  return isNew;
}

/** Withdraws an entitlement from a firm. */
export async function disentitle(tx: Db, audit: AuditContext, firm_id: string, name: string): Promise<boolean> {
  const held = await withdrawEntitlement(tx, firm_id, name);
  if (held) await record(tx, audit, "entitlement.withdrawn", name, firm_id);
  return held;
}

/**
 * Limits how many runs of a capability or use case a firm may start in a calendar month (UTC). Throws
 * `validation_error` for a negative number.
 */
export async function limitRuns(
  tx: Db,
  audit: AuditContext,
  firm_id: string,
  capability: string,
  monthly_runs: number,
): Promise<boolean> {
  if (!Number.isSafeInteger(monthly_runs) || monthly_runs < 0)
    throw invalid("/monthly_runs", "must be a whole number of at least 0");
  const present = await quotaOf.first(tx, { firm_id, capability });
  if (present?.monthly_runs === monthly_runs) return false;
  await setQuota(tx, { firm_id, capability, monthly_runs, changed_at: audit.at });
  await record(tx, audit, "quota.set", capability, firm_id, { monthly_runs });
  return true;
}

/** Removes a limit. */
export async function unlimitRuns(tx: Db, audit: AuditContext, firm_id: string, capability: string): Promise<boolean> {
  const present = await quotaOf.first(tx, { firm_id, capability });
  if (!present) return false;
  await clearQuota(tx, firm_id, capability);
  await record(tx, audit, "quota.cleared", capability, firm_id);
  return true;
}

/**
 * Limits how often something may be done in a calendar month (UTC): by one key or person, by each of a firm's, or by
 * each of the installation's, depending on the limit's firm and subject. Throws `validation_error` for a negative
 * number.
 */
export async function limitMonthly(tx: Db, audit: AuditContext, limit: LimitKey, monthly: number): Promise<boolean> {
  if (!Number.isSafeInteger(monthly) || monthly < 0)
    throw invalid("/monthly_runs", "must be a whole number of at least 0");
  const present = await limitOf(tx, limit);
  if (present?.monthly === monthly) return false;
  await setLimit(tx, { ...limit, monthly, changed_at: audit.at });
  await record(tx, audit, "limit.set", limit.name, limit.firm_id || null, { subject: limit.subject, monthly });
  return true;
}

/** Removes such a limit. A wider one, if any, applies again. */
export async function unlimitMonthly(tx: Db, audit: AuditContext, limit: LimitKey): Promise<boolean> {
  if (!(await limitOf(tx, limit))) return false;
  await clearLimit(tx, limit);
  await record(tx, audit, "limit.cleared", limit.name, limit.firm_id || null, { subject: limit.subject });
  return true;
}
