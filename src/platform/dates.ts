const date = /^(\d{4})-(\d\d)-(\d\d)$/;

/**
 * Returns whether a text is a real calendar date such as 2028-02-29. `Date.parse` would accept 2030-02-30 as the second
 * of March.
 */
export function isCalendarDate(text: string): boolean {
  const [, year, month, day] = date.exec(text) ?? [];
  if (day === undefined) return false;
  const monthEnd = new Date(0);
  // Not through the constructor, which reads the years 0 to 99 as 1900 to 1999.
  monthEnd.setUTCFullYear(Number(year), Number(month), 0);
  return Number(month) >= 1 && Number(month) <= 12 && Number(day) >= 1 && Number(day) <= monthEnd.getUTCDate();
}

const time = /^T([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d+)?)?([Zz]|[+-]\d\d:\d\d)$/;

/** The first and last instants with a four-digit UTC year, the only ones that RFC 3339 can express. */
const firstInstant = Date.parse("0000-01-01T00:00:00.000Z");
const lastInstant = Date.parse("9999-12-31T23:59:59.999Z");

/** Clamps an instant (milliseconds UTC) to the range that RFC 3339 can express. */
export const writable = (at: number): number => Math.min(Math.max(at, firstInstant), lastInstant);

/**
 * Returns whether a text is an RFC 3339 date and time with a zone; seconds are optional. The instant must also fall in
 * the years 0000 to 9999 in UTC, which 9999-12-31T23:59:59-01:00 does not. `Date.parse` would accept 24:00 as the next
 * day and read a time without a zone as the server's local time.
 */
export function isInstant(text: string): boolean {
  if (!isCalendarDate(text.slice(0, 10)) || !time.test(text.slice(10))) return false;
  const at = Date.parse(text);
  return at === writable(at);
}
