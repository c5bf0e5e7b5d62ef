const date = /^(\d{4})-(\d\d)-(\d\d)$/;

/** Whether a text is a date of the calendar, as 2028-02-29 is. `Date.parse` takes 2030-02-30 for the second of March. */
export function isCalendarDate(text: string): boolean {
  const [, year, month, day] = date.exec(text) ?? [];
  if (day === undefined) return false;
  const monthEnd = new Date(0);
  // By the setter, since the constructor takes the years 0 to 99 for those after 1900.
  monthEnd.setUTCFullYear(Number(year), Number(month), 0);
  return Number(month) >= 1 && Number(month) <= 12 && Number(day) >= 1 && Number(day) <= monthEnd.getUTCDate();
}

const time = /^T([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d+)?)?([Zz]|[+-]\d\d:\d\d)$/;

/** The first and the last instant whose year in UTC has four digits: RFC 3339 can write no other. */
const firstInstant = Date.parse("0000-01-01T00:00:00.000Z");
const lastInstant = Date.parse("9999-12-31T23:59:59.999Z");

/** The instant, or the nearest one that RFC 3339 can write. Milliseconds UTC. */
export const writable = (at: number): number => Math.min(Math.max(at, firstInstant), lastInstant);

/**
 * Whether a text is a date of the calendar with a time and a zone (RFC 3339; the seconds may be left out), in the years
 * 0000 to 9999 in UTC too: at 9999-12-31T23:59:59-01:00 it is the year 10000 there, which goes out nowhere. `Date.parse`
 * takes 24:00 for the next day, and a time without a zone for one where the server happens to be.
 */
export function isInstant(text: string): boolean {
  if (!isCalendarDate(text.slice(0, 10)) || !time.test(text.slice(10))) return false;
  const at = Date.parse(text);
  return at === writable(at);
}
