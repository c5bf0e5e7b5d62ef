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

const time = /^T([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/;

/**
 * Whether a text is a date of the calendar with a time and a zone (RFC 3339; the seconds may be left out). `Date.parse`
 * takes 24:00 for the next day, and a time without a zone for one where the server happens to be.
 */
export const isInstant = (text: string): boolean =>
  isCalendarDate(text.slice(0, 10)) && time.test(text.slice(10)) && !Number.isNaN(Date.parse(text));
