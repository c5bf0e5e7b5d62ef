import { apiKeysOfFirm } from "../../../db/queries/api-keys.ts";
import { type CountedDay, type Days, daysByKey, daysBySubject } from "../../../db/queries/key-days.ts";
import type { Db } from "../../../db/store.ts";
import { day, rfc3339 } from "../../platform/clock.ts";
import { invalid } from "../../platform/errors.ts";
import type { Registry } from "../../registry/registry.ts";
import type { UsageDays } from "./schema.ts";
import { chargedStudies } from "./studies.ts";

/** Maximum number of days per response: a leap year. */
const daysAtMost = 366;
/** Default number of days. */
const usualDays = 30;

const dateOf = (at: number): string => rfc3339(at).slice(0, 10);

/** Returns the requested days, or the last thirty. Throws `validation_error` if the range is reversed or too long. */
export function spanOf(asked: { readonly from?: string | undefined; readonly to?: string | undefined }, now: number) {
  const to = asked.to ?? dateOf(now);
  const last = asked.to === undefined ? `${to}, which is today in UTC, because to is absent` : "to";
  const from = asked.from ?? dateOf(Date.parse(to) - (usualDays - 1) * day);
  if (from > to) throw invalid("/query/from", `must not be after ${last}`);
  if (Date.parse(to) - Date.parse(from) >= daysAtMost * day)
    throw invalid("/query/from", `must be less than ${daysAtMost} days before ${last}`);
  return { from, to };
}

const totals = (rows: readonly CountedDay[]) => ({
  runs: rows.reduce((sum, row) => sum + row.runs, 0),
  succeeded: rows.reduce((sum, row) => sum + row.succeeded, 0),
  credits: rows.reduce((sum, row) => sum + row.credits, 0),
});

/** Groups rows by subject, most expensive first. */
const grouped = (rows: readonly CountedDay[]) =>
  [...Map.groupBy(rows, (row) => row.subject)]
    .map(([subject, of]) => ({
      subject,
      used: {
        ...totals(of),
        days: [...Map.groupBy(of, (row) => row.day)]
          .map(([date, on]) => ({ date, runs: totals(on).runs, credits: totals(on).credits }))
          .toSorted((a, b) => a.date.localeCompare(b.date)),
      },
    }))
    .toSorted((a, b) => b.used.credits - a.used.credits || a.subject.localeCompare(b.subject));

/**
 * Returns what ended in the workspaces on each day: in total, by what was run, and by the key that requested it.
 * Charges for imported studies are in all but the last.
 */
export async function usageByDay(
  db: Db,
  useCases: Registry["useCases"],
  firm_id: string,
  span: Days,
): Promise<UsageDays> {
  const bySubject = [...(await daysBySubject(db, span)), ...(await chargedStudies(db, firm_id, span))];
  const byKey = await daysByKey(db, span);
  const names = new Map((await apiKeysOfFirm(db, firm_id)).map(({ id, name }) => [id, name]));
  const subjects = grouped(bySubject);
  const byDay = Map.groupBy(bySubject, (row) => row.day);
  const first = Date.parse(span.from);
  const count = Math.round((Date.parse(span.to) - first) / day) + 1;
  return {
    from: span.from,
    to: span.to,
    ...totals(bySubject),
    days: Array.from({ length: count }, (_, i) => {
      const date = dateOf(first + i * day);
      return { date, ...totals(byDay.get(date) ?? []) };
    }),
    by_capability: subjects
      .filter(({ subject }) => !useCases.has(subject))
      .map(({ subject, used }) => ({ capability: subject, ...used })),
    by_use_case: subjects
      .filter(({ subject }) => useCases.has(subject))
      .map(({ subject, used }) => ({ use_case: subject, ...used })),
    by_key: grouped(byKey).map(({ subject, used }) => ({
      key_id: subject === "" ? null : subject,
      name: names.get(subject) ?? null,
      ...used,
    })),
  };
}
