import { limitsFor } from "../../../db/queries/limits.ts";
import type { MonthlyLimitTable } from "../../../db/schema/job-tables.ts";
import type { Db } from "../../../db/store.ts";
import type { Counter, Guard } from "../../../db/transition.ts";
import { rfc3339 } from "../../platform/clock.ts";

export type QuotaGuard = Extract<Guard, { guard: "quota" }>;

/**
 * The monthly quotas, and whether each is counted per key or per user. A use counts however the capability is reached:
 * through its own route, in runs of it or of use cases that contain it, through saved configurations or MCP.
 */
export const monthlyQuotas = {
  "company-analyses": "key",
  "insurance-questions": "user",
  "germany-enrichments": "user",
} as const;
/** Quotas by the capability that consumes them. */
const monthlyByCapability: Readonly<Record<string, keyof typeof monthlyQuotas>> = {
  "company-intelligence": "company-analyses",
  "insurance-assistant": "insurance-questions",
};
export type MonthlyName = keyof typeof monthlyQuotas;
export const monthlyNames = Object.keys(monthlyQuotas) as MonthlyName[];
/** Checks whether `name` is the name of a monthly quota. */
export const isMonthlyName = (name: string): name is MonthlyName => Object.hasOwn(monthlyQuotas, name);

/** Returns the quota that a use of the capability counts towards; `undefined` for most capabilities. */
export const monthlyFor = (capability: string): MonthlyName | undefined => monthlyByCapability[capability];

/** Returns whose quota is consumed. A person without a key has their own quota where it is counted per key. */
export const subjectOf = (name: MonthlyName, user_id: string, key_id: string | null): string =>
  monthlyQuotas[name] === "key" && key_id !== null ? `key:${key_id}` : `user:${user_id}`;

/** A quota and its subject: `key:<id>` or `user:<id>`. */
export interface Counted {
  readonly firm_id: string;
  readonly subject: string;
  readonly name: MonthlyName;
}

/** Returns the calendar month (UTC) of an instant, as `YYYY-MM`. */
export const monthOf = (at: number): string => rfc3339(at).slice(0, 7);

/** Returns the name of the subject's usage counter. */
export const countedAs = ({ name, subject }: Pick<Counted, "name" | "subject">): string => `${name}@${subject}`;

/** Counts one use in the period, or refuses the transition with `quota_exceeded` once `maximum` is reached. */
export const quotaGuard = (firm_id: string, name: string, period: string, maximum: number | null): QuotaGuard => ({
  guard: "quota",
  firm_id,
  name,
  period,
  maximum,
});

/** The most specific limit wins: the subject's, then its firm's, then the installation's. */
const rank = ({ firm_id, subject }: MonthlyLimitTable): number => (subject === "" ? 0 : 2) + (firm_id === "" ? 0 : 1);

/** Returns the subject's monthly limit, or `null` if there is none. */
export async function monthlyLimit(db: Db, { firm_id, subject, name }: Counted): Promise<number | null> {
  const [first] = (await limitsFor.all(db, { firm_id, subject, name })).sort((a, b) => rank(b) - rank(a));
  return first?.monthly ?? null;
}

/**
 * Returns a guard that counts one use in the subject's current month. Uses are counted even without a limit, so that a
 * limit set in mid-month takes earlier uses into account.
 */
export const monthlyGuard = async (db: Db, counted: Counted, now: number): Promise<QuotaGuard> =>
  quotaGuard(counted.firm_id, countedAs(counted), monthOf(now), await monthlyLimit(db, counted));

/** Refunds one use that produced nothing. `used_at` is the time when it was counted. */
export const refundMonthly = (firm_id: string, name: string, used_at: number): Counter => ({
  firm_id,
  name,
  period: monthOf(used_at),
  used: -1,
});

/** Refunds one run of a capability or use case, refused after it was counted. */
export const refundRuns = (firm_id: string, slug: string, used_at: number): Counter => ({
  firm_id,
  name: `runs:${slug}`,
  period: monthOf(used_at),
  used: -1,
});
