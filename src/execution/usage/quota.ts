import { limitsFor } from "../../../db/queries/limits.ts";
import type { MonthlyLimitTable } from "../../../db/schema/job-tables.ts";
import type { Db } from "../../../db/store.ts";
import type { Counter, Guard } from "../../../db/transition.ts";
import { rfc3339 } from "../../platform/clock.ts";

export type QuotaGuard = Extract<Guard, { guard: "quota" }>;

/**
 * What is limited by the month, and whose month it is: a key's or a person's. It counts on every way to the capability:
 * its own route, runs of it and of use cases with it, saved configurations, MCP.
 */
export const monthlyQuotas = {
  "company-analyses": "key",
  "insurance-questions": "user",
  "germany-enrichments": "user",
} as const;
/** By the capability that is used. */
const monthlyByCapability: Readonly<Record<string, keyof typeof monthlyQuotas>> = {
  "company-intelligence": "company-analyses",
  "insurance-assistant": "insurance-questions",
};
export type MonthlyName = keyof typeof monthlyQuotas;
export const monthlyNames = Object.keys(monthlyQuotas) as MonthlyName[];
/** Whether something of that name is limited by the month. */
export const isMonthlyName = (name: string): name is MonthlyName => Object.hasOwn(monthlyQuotas, name);

/** What a use of the capability counts towards; undefined for most. */
export const monthlyFor = (capability: string): MonthlyName | undefined => monthlyByCapability[capability];

/** Whose month it is. A person without a key has a month of their own for what is a key's. */
export const subjectOf = (name: MonthlyName, user_id: string, key_id: string | null): string =>
  monthlyQuotas[name] === "key" && key_id !== null ? `key:${key_id}` : `user:${user_id}`;

/** Whose month something counts towards: `key:<id>` or `user:<id>`. */
export interface Counted {
  readonly firm_id: string;
  readonly subject: string;
  readonly name: MonthlyName;
}

/** The calendar month (UTC) of an instant, `YYYY-MM`. */
export const monthOf = (at: number): string => rfc3339(at).slice(0, 7);

/** What a subject's uses are counted under. */
export const countedAs = ({ name, subject }: Pick<Counted, "name" | "subject">): string => `${name}@${subject}`;

/** Refuses a transition with `quota_exceeded` when `maximum` are used up in the period; else counts one use more. */
export const quotaGuard = (firm_id: string, name: string, period: string, maximum: number | null): QuotaGuard => ({
  guard: "quota",
  firm_id,
  name,
  period,
  maximum,
});

/** The subject's own limit comes first, then its firm's, then the installation's. */
const rank = ({ firm_id, subject }: MonthlyLimitTable): number => (subject === "" ? 0 : 2) + (firm_id === "" ? 0 : 1);

/** How often the subject may in a month; null: as often as it likes. */
export async function monthlyLimit(db: Db, { firm_id, subject, name }: Counted): Promise<number | null> {
  const [first] = (await limitsFor.all(db, { firm_id, subject, name })).sort((a, b) => rank(b) - rank(a));
  return first?.monthly ?? null;
}

/**
 * Counts one use towards the subject's month, by a transition's guard. Without a limit it is counted too, so that one that
 * is set in the middle of a month knows what was used before.
 */
export const monthlyGuard = async (db: Db, counted: Counted, now: number): Promise<QuotaGuard> =>
  quotaGuard(counted.firm_id, countedAs(counted), monthOf(now), await monthlyLimit(db, counted));

/** Gives a use back that came to nothing. `used_at`: when it was counted. */
export const refundMonthly = (firm_id: string, name: string, used_at: number): Counter => ({
  firm_id,
  name,
  period: monthOf(used_at),
  used: -1,
});

/** Gives back a run of a capability or use case that was limited for the firm, and refused after it was counted. */
export const refundRuns = (firm_id: string, slug: string, used_at: number): Counter => ({
  firm_id,
  name: `runs:${slug}`,
  period: monthOf(used_at),
  used: -1,
});
