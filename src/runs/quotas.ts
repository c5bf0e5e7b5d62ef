import type { RunTable } from "../../db/schema/tables.ts";
import type { Db } from "../../db/store.ts";
import type { Counter, Guard } from "../../db/transition.ts";
import {
  type Counted,
  countedAs,
  monthlyFor,
  monthlyGuard,
  monthOf,
  type QuotaGuard,
  quotaGuard,
  refundMonthly,
  refundRuns,
  subjectOf,
} from "../execution/usage/quota.ts";
import { Failure, failure } from "../platform/errors.ts";
import type { MaybePromise } from "../platform/maybe-promise.ts";
import type { Plan } from "./accept.ts";
import type { StoredStep } from "./record.ts";

/**
 * The quotas that a run counts towards: the firm's trials, its monthly runs of the capability or use case, and the
 * caller's monthly quota for each step whose capability has one. Guards of the acceptance count them, so that a refused
 * or repeated request does not count. The transition that ends a run refunds what came to nothing.
 */

type Holder = Pick<RunTable, "firm_id" | "user_id" | "api_key_id">;

const countedFor = (holder: Holder, capability: string): Counted[] => {
  const name = monthlyFor(capability);
  return name ? [{ firm_id: holder.firm_id, name, subject: subjectOf(name, holder.user_id, holder.api_key_id) }] : [];
};

/** Trials have no period: they never become available again, and a live run is always possible. */
const trialPeriod = "ever";

/** Returns a guard that counts a trial, or refuses the run if none is left. */
export const trialQuota = ({ slug, trial }: Plan, { firm_id }: Holder): Guard[] => [
  quotaGuard(firm_id, `trial:${slug}`, trialPeriod, trial?.max_runs ?? 0),
];

/** Returns the failure for a used-up quota. */
export const usedUp = ({ period }: Pick<QuotaGuard, "period">): Failure =>
  period === trialPeriod
    ? new Failure("quota_exceeded", [{ path: "/body/mode", message: "has no trial run left: use live mode" }])
    : failure("quota_exceeded");

/**
 * Returns a guard that counts a run in the firm's month, and refuses it above the limit, if there is one. Runs are
 * counted even without a limit, so that a limit set in mid-month takes earlier runs into account, and a refund never
 * returns a use that was not counted.
 */
export const runsQuota = ({ slug }: Plan, { firm_id }: Holder, most: number | null, at: number): Guard =>
  quotaGuard(firm_id, `runs:${slug}`, monthOf(at), most);

/** Returns guards that refuse a run whose steps exceed the caller's monthly quotas, however the run was requested. */
export function monthlyQuotasOf(db: Db, { steps }: Plan, holder: Holder, at: number): MaybePromise<Guard[]> {
  const counted = steps.flatMap(({ capability }) => countedFor(holder, capability));
  return counted.length === 0 ? [] : Promise.all(counted.map((one) => monthlyGuard(db, one, at)));
}

/**
 * Whether the step's use produced nothing: it failed, or another step failed meanwhile. A step that the caller
 * cancelled while it ran did use its quota.
 */
const isUnused = ({ status, started_at }: StoredStep, reason: string | null): boolean =>
  started_at === null || ((status === "failed" || status === "skipped") && reason !== "cancelled");

/** Returns the refunds that a finished run is due. */
export function givenBack(row: RunTable, steps: readonly StoredStep[]): Counter[] {
  const { firm_id, mode, status, capability, use_case, created_at, reason_code } = row;
  const monthly = steps
    .filter((step) => isUnused(step, reason_code))
    .flatMap((step) => countedFor(row, step.capability))
    .map((counted) => refundMonthly(firm_id, countedAs(counted), created_at));
  if (status !== "refused") return monthly;
  const trial = mode === "trial" ? [{ firm_id, name: `trial:${capability}`, period: trialPeriod, used: -1 }] : [];
  const runs = row.started_at === null ? [refundRuns(firm_id, capability ?? use_case ?? "", created_at)] : [];
  return [...trial, ...runs, ...monthly];
}
