import { available, firmAccount, providerOf } from "../../../db/accounts.ts";
import { connectorsOf } from "../../../db/queries/connectors.ts";
import { firmById } from "../../../db/queries/firms.ts";
import { type BalancedTransfer, balanceOf } from "../../../db/queries/ledger.ts";
import { runDaysOf } from "../../../db/queries/run-days.ts";
import type { RunDayTable } from "../../../db/schema/tables.ts";
import type { Db } from "../../../db/store.ts";
import { present } from "../../platform/assert.ts";
import { day, rfc3339 } from "../../platform/clock.ts";
import { medianSeconds, successRate } from "../../products/catalogue/service.ts";
import type { Registry } from "../../registry/registry.ts";
import type { CreditEntry, ProviderOverview, UsageSummary } from "./schema.ts";
import { chargedStudies } from "./studies.ts";

/** Returns the first of the last `days` days, including today. */
const since = (now: number, days: number): string => rfc3339(now - (days - 1) * day).slice(0, 10);

/** A day's count. Without a status, it is not from runs. */
type Counted = Pick<RunDayTable, "day" | "subject" | "runs" | "credits"> & { readonly status?: RunDayTable["status"] };

const runsIn = (rows: readonly Counted[]): number => rows.reduce((sum, row) => sum + row.runs, 0);
const creditsIn = (rows: readonly Counted[]): number => rows.reduce((sum, row) => sum + row.credits, 0);

/** Returns the firm's credits: available, and reserved for unfinished runs. */
export async function creditBalance(db: Db, firm_id: string): Promise<{ available: number; reserved: number }> {
  const row = await balanceOf.first(db, { account: firmAccount(firm_id) });
  return { available: row?.available ?? 0, reserved: row?.reserved ?? 0 };
}

/** Returns the usage of each capability or use case, ordered by slug. */
const bySubject = (rows: readonly Counted[]) =>
  [...Map.groupBy(rows, (row) => row.subject)]
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([subject, of]): [string, { runs: number; succeeded: number; credits: number }] => [
      subject,
      {
        runs: runsIn(of),
        succeeded: runsIn(of.filter((row) => row.status === "succeeded")),
        credits: creditsIn(of),
      },
    ]);

/**
 * Returns what finished and was charged in the caller's workspaces in the last days, and the firm's current balance.
 */
export async function usageSummary(
  db: Db,
  useCases: Registry["useCases"],
  firm_id: string,
  workspaces: readonly string[],
  days: number,
  now: number,
): Promise<UsageSummary> {
  // Excludes days after today, on which runs may have ended if the clock was set back.
  const span = { workspace_ids: workspaces, from: since(now, days), to: since(now, 1) };
  const ofRuns = await runDaysOf(db, span);
  const rows: Counted[] = [...ofRuns, ...(await chargedStudies(db, firm_id, span))];
  const balance = await creditBalance(db, firm_id);
  const byDay = Map.groupBy(rows, (row) => row.day);
  const dates = Array.from({ length: days }, (_, i) => rfc3339(now - (days - 1 - i) * day).slice(0, 10));
  return {
    days,
    credits: { charged: creditsIn(rows), reserved_now: balance.reserved, available: balance.available },
    runs: Object.fromEntries([...Map.groupBy(ofRuns, (row) => row.status)].map(([status, of]) => [status, runsIn(of)])),
    by_capability: bySubject(rows.filter(({ subject }) => !useCases.has(subject))).map(([capability, used]) => ({
      capability,
      ...used,
    })),
    by_use_case: bySubject(rows.filter(({ subject }) => useCases.has(subject))).map(([use_case, used]) => ({
      use_case,
      ...used,
    })),
    by_day: dates.map((date) => ({
      date,
      runs: runsIn(byDay.get(date) ?? []),
      credits: creditsIn(byDay.get(date) ?? []),
    })),
  };
}

/**
 * Returns usage from the side of a firm that provides capabilities: its own connectors, which only it can run, so that
 * no figure belongs to another tenant. Capabilities of the platform or of other firms are not included. A removed
 * connector stays for as long as there are days on which it ran.
 */
export async function providerOverview(
  db: Db,
  { isBuiltIn, useCases }: Pick<Registry, "isBuiltIn" | "useCases">,
  firm_id: string,
  workspaces: readonly string[],
  days: number,
  now: number,
): Promise<ProviderOverview> {
  const firm = present(await firmById.first(db, { id: firm_id }), "the caller's firm");
  const span = { workspace_ids: workspaces, from: since(now, days), to: since(now, 1) };
  const bySubject = Map.groupBy(await runDaysOf(db, span), (row) => row.subject);
  const offered = (await connectorsOf(db, firm_id)).map(({ slug }) => slug);
  const ran = [...bySubject.keys()].filter((slug) => !isBuiltIn(slug) && !useCases.has(slug));
  return {
    days,
    provider: firm.slug,
    capabilities: [...new Set([...offered, ...ran])].sort().map((slug) => {
      const rows = bySubject.get(slug) ?? [];
      return {
        slug,
        runs: runsIn(rows),
        success_rate: successRate(rows),
        median_seconds: medianSeconds(rows.filter((row) => row.status === "succeeded")),
        credits_earned: creditsIn(rows),
        tenants: rows.length > 0 ? 1 : 0,
      };
    }),
  };
}

/**
 * Returns a transfer from the firm's view: its effect on the firm's credits, including reserved ones in a settlement.
 */
export function creditEntry(row: BalancedTransfer): CreditEntry {
  const out = row.debit === available(row.firm_id) || row.kind === "settle";
  return {
    id: row.id,
    kind: row.kind,
    amount: out ? -row.amount : row.amount,
    balance_after: { available: row.available_after, reserved: row.reserved_after },
    run_id: row.run_id,
    step: row.step,
    provider: providerOf(row.credit),
    created_at: rfc3339(row.created_at),
    reason: row.reason,
  };
}
