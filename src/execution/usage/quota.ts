import { limitsFor } from "../../../db/queries/limits.ts";
import { countUse, usesOf } from "../../../db/queries/uses.ts";
import type { MonthlyLimitTable } from "../../../db/schema/job-tables.ts";
import type { Db } from "../../../db/sqlite/connection.ts";
import type { Soon } from "../../../db/sqlite/soon.ts";
import { rfc3339 } from "../../platform/clock.ts";
import { failure } from "../../platform/errors.ts";

/** What is limited by the month, and whose month it is: a key's or a person's. */
export const monthlyQuotas = { "company-analyses": "key", "insurance-questions": "user" } as const;
export type MonthlyName = keyof typeof monthlyQuotas;
export const monthlyNames = Object.keys(monthlyQuotas) as MonthlyName[];
/** Whether something of that name is limited by the month. */
export const isMonthlyName = (name: string): name is MonthlyName => Object.hasOwn(monthlyQuotas, name);

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

/** Counts one use more, in the transaction of what is used. Throws `quota_exceeded` when `most` are used up. */
export async function useUp(tx: Db, firm_id: string, name: string, period: string, most: number): Promise<void> {
  const used = (await usesOf.first(tx, { firm_id, name, period }))?.used ?? 0;
  if (used >= most) throw failure("quota_exceeded");
  await countUse.run(tx, { firm_id, name, period, used: 1 });
}

/** The subject's own limit comes first, then its firm's, then the installation's. */
const rank = ({ firm_id, subject }: MonthlyLimitTable): number => (subject === "" ? 0 : 2) + (firm_id === "" ? 0 : 1);

/** How often the subject may in a month; null: as often as it likes. */
export async function monthlyLimit(db: Db, { firm_id, subject, name }: Counted): Promise<number | null> {
  const [first] = (await limitsFor.all(db, { firm_id, subject, name })).sort((a, b) => rank(b) - rank(a));
  return first?.monthly ?? null;
}

/**
 * Counts one use towards the subject's month, in the transaction of what is used; answers the name that it was counted
 * under. Throws `quota_exceeded` when the limit is reached. Without a limit it is counted too, so that one that is set
 * in the middle of a month knows what was used before.
 */
export async function useMonthly(tx: Db, counted: Counted, now: number): Promise<string> {
  const name = countedAs(counted);
  const most = (await monthlyLimit(tx, counted)) ?? Number.POSITIVE_INFINITY;
  await useUp(tx, counted.firm_id, name, monthOf(now), most);
  return name;
}

/** Takes a use back that came to nothing. `used_at`: when it was counted. */
export const giveBackMonthly = (tx: Db, firm_id: string, name: string, used_at: number): Soon<number> =>
  countUse.run(tx, { firm_id, name, period: monthOf(used_at), used: -1 });
