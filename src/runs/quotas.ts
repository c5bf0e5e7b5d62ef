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
 * What a run counts towards: the firm's trials, its monthly runs of what is run, and the months of the caller for each
 * step whose capability has one. All of it is counted by guards of the acceptance, so that a request that is refused or
 * repeated counts for nothing, and given back by the transition that ends a run for which nothing was done.
 */

type Holder = Pick<RunTable, "firm_id" | "user_id" | "api_key_id">;

const countedFor = (holder: Holder, capability: string): Counted[] => {
  const name = monthlyFor(capability);
  return name ? [{ firm_id: holder.firm_id, name, subject: subjectOf(name, holder.user_id, holder.api_key_id) }] : [];
};

/** A trial is used up for good: nobody can raise it, and a live run is open at once. */
const trialPeriod = "ever";

/** Refuses a run whose trials are used up; counts it otherwise. */
export const trialQuota = ({ slug, trial }: Plan, { firm_id }: Holder): Guard[] => [
  quotaGuard(firm_id, `trial:${slug}`, trialPeriod, trial?.max_runs ?? 0),
];

/** What is told of a quota that is used up. */
export const usedUp = ({ period }: Pick<QuotaGuard, "period">): Failure =>
  period === trialPeriod
    ? new Failure("quota_exceeded", [{ path: "/body/mode", message: "has no trial left: run it in live mode" }])
    : failure("quota_exceeded");

/** Refuses a run above the firm's monthly runs, where it has such a limit. */
export const runsQuota = ({ slug }: Plan, { firm_id }: Holder, most: number | null, at: number): Guard[] =>
  most === null ? [] : [quotaGuard(firm_id, `runs:${slug}`, monthOf(at), most)];

/** Refuses a run with a step above the caller's month, whichever way it came in. */
export function monthlyQuotasOf(db: Db, { steps }: Plan, holder: Holder, at: number): MaybePromise<Guard[]> {
  const counted = steps.flatMap(({ capability }) => countedFor(holder, capability));
  return counted.length === 0 ? [] : Promise.all(counted.map((one) => monthlyGuard(db, one, at)));
}

/**
 * Whether the step's use came to nothing: it failed, or another one did meanwhile. What a caller has cancelled while it
 * was carried out did cost its work.
 */
const isUnused = ({ status, started_at }: StoredStep, reason: string | null): boolean =>
  started_at === null || ((status === "failed" || status === "skipped") && reason !== "cancelled");

/** What a run that has ended gives back. */
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
