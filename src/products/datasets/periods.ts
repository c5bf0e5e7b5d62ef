const patterns: readonly (readonly [RegExp, (parts: readonly string[]) => string])[] = [
  [/^(\d{4})$/, ([year = ""]) => year],
  [/^(\d{4})-?Q([1-4])$/, ([year, quarter]) => `${year}-Q${quarter}`],
  [/^(\d{4})-?S([12])$/, ([year, half]) => `${year}-S${half}`],
  [/^(\d{4})-?W(0[1-9]|[1-4]\d|5[0-3]|99)$/, ([year, week]) => `${year}-W${week}`],
  [/^(\d{4})(?:M|-M|-)(0[1-9]|1[0-2])$/, ([year, month]) => `${year}-${month}`],
  [/^(\d{4})-?(\d{2})-?(\d{2})(?:T[\d:.Z+-]*)?$/, ([year, month, day]) => `${year}-${month}-${day}`],
];

const isDay = (period: string): boolean =>
  !/^\d{4}-\d\d-\d\d$/.test(period) || new Date(`${period}T00:00:00Z`).toJSON()?.slice(0, 10) === period;

/**
 * Normalises a period: 2024, 2024-Q1, 2024-S1, 2024-03, 2024-W07 (W99: week unknown), 2024-12-31. Returns `undefined`
 * if it is not a period. `dates` is the order of dates written with points or slashes.
 */
export function periodOf(text: string, dates: "iso" | "dmy" | "mdy" = "dmy"): string | undefined {
  const cell = text.trim();
  for (const [pattern, spelled] of patterns) {
    const [, ...parts] = pattern.exec(cell) ?? [];
    if (parts.length > 0) {
      const period = spelled(parts);
      return isDay(period) ? period : undefined;
    }
  }
  const [, first = "", second = "", year] = /^(\d{1,2})[./](\d{1,2})[./](\d{4})$/.exec(cell) ?? [];
  if (year === undefined || dates === "iso") return undefined;
  const [day, month] = dates === "dmy" ? [first, second] : [second, first];
  const period = `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
  return isDay(period) ? period : undefined;
}

const months = new Map(
  ["de", "en", "cs", "sk", "fr"].flatMap((language) => {
    const format = new Intl.DateTimeFormat(language, { month: "long", timeZone: "UTC" });
    return Array.from(
      { length: 12 },
      (_, at) => [format.format(Date.UTC(2000, at, 15)).toLowerCase(), at + 1] as const,
    );
  }),
);

/** Returns a year and a month's name or number as a period; both unchanged if it is not a month. */
export function monthOf(year: string, month: string): string {
  const known = months.get(month.trim().toLowerCase()) ?? Number(month);
  return known >= 1 && known <= 12 ? `${year.trim()}-${String(known).padStart(2, "0")}` : `${year} ${month}`;
}

/** Returns the year of a period. */
export const yearOf = (period: string): number => Number(period.slice(0, 4));
