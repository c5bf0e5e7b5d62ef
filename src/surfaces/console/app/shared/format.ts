import { now } from "./browser.ts";
import type { Language } from "./languages.ts";
import { useLanguage } from "./words.ts";

/**
 * Formats numbers and times for the reader's language. Times are RFC 3339 strings and are shown in the reader's time
 * zone.
 */
export interface Format {
  number(value: number, digits?: number): string;
  /** Short, for the axis of a chart: 25000000 as 25M. */
  compact(value: number): string;
  /** With a sign, even if positive. */
  signed(value: number): string;
  /** 0.42 as 42 %. */
  percent(share: number, digits?: number): string;
  date(time: string): string;
  /** A calendar day (UTC) such as 2026-11-22. Formatted as a time, it would be the day before in some time zones. */
  day(day: string): string;
  /** A calendar day (UTC) without its year, for the axis of a chart. */
  dayMonth(day: string): string;
  dateTime(time: string): string;
  /** With seconds and milliseconds, for a timeline. */
  clock(time: string): string;
  /** "5 minutes ago", "in 2 days". */
  relative(time: string): string;
  /** 1234567 as 1.2 MB. */
  bytes(count: number): string;
  /** Milliseconds until the time; negative once it has passed. */
  left(time: string): number;
  /** Milliseconds as 840 ms, 2.4 s or 3 min 20 s. */
  duration(ms: number): string;
}

const units = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
  ["second", 1000],
] as const;

const sizes = [
  ["gigabyte", 1_000_000_000],
  ["megabyte", 1_000_000],
  ["kilobyte", 1_000],
] as const;

/** Creates a value on first use. Creating a format costs the browser more than using it a hundred times. */
function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/** Returns the number formats of a language, each created once. */
function numbersIn(language: string) {
  const made = new Map<string, Intl.NumberFormat>();
  return (value: number, options: Intl.NumberFormatOptions): string => {
    const name = JSON.stringify(options);
    const format = made.get(name) ?? new Intl.NumberFormat(language, options);
    made.set(name, format);
    return format.format(value);
  };
}

function formatIn(language: string): Format {
  const datesBy = (options: Intl.DateTimeFormatOptions) => once(() => new Intl.DateTimeFormat(language, options));
  const dates = datesBy({ dateStyle: "medium" });
  const days = datesBy({ dateStyle: "medium", timeZone: "UTC" });
  const dayMonths = datesBy({ day: "numeric", month: "short", timeZone: "UTC" });
  const dateTimes = datesBy({ dateStyle: "medium", timeStyle: "short" });
  const clocks = datesBy({
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    fractionalSecondDigits: 3,
    hourCycle: "h23",
  });
  const relatives = once(() => new Intl.RelativeTimeFormat(language, { numeric: "auto" }));
  const written = numbersIn(language);
  const count = (value: number, unit: string, digits: number): string =>
    written(value, { style: "unit", unit, maximumFractionDigits: digits });
  return {
    number: (value, digits = 2) => written(value, { maximumFractionDigits: digits }),
    compact: (value) => written(value, { notation: "compact" }),
    signed: (value) => written(value, { signDisplay: "exceptZero" }),
    percent: (share, digits = 0) => written(share, { style: "percent", maximumFractionDigits: digits }),
    day: (day) => days().format(new Date(day)),
    dayMonth: (day) => dayMonths().format(new Date(day)),
    date: (time) => dates().format(new Date(time)),
    dateTime: (time) => dateTimes().format(new Date(time)),
    clock: (time) => clocks().format(new Date(time)),
    relative(time) {
      const ms = Date.parse(time) - now();
      const [unit, size] = units.find(([, size]) => Math.abs(ms) >= size) ?? ["second", 1000];
      return relatives().format(Math.round(ms / size), unit);
    },
    bytes(value) {
      const [unit, size] = sizes.find(([, size]) => value >= size) ?? ["byte", 1];
      return count(value / size, unit, 1);
    },
    left: (time) => Date.parse(time) - now(),
    duration(ms) {
      if (ms < 1000) return count(ms, "millisecond", 0);
      if (ms < 60_000) return count(ms / 1000, "second", 1);
      return `${count(Math.floor(ms / 60_000), "minute", 0)} ${count(Math.round((ms % 60_000) / 1000), "second", 0)}`;
    },
  };
}

/**
 * Returns the browser's regional variant of the language, if it lists one: dates in `en-GB` differ from those in `en`.
 */
const regional = (language: Language): string =>
  navigator.languages.find((tag) => tag.split("-")[0] === language) ?? language;

const formats = {
  en: once(() => formatIn(regional("en"))),
  cs: once(() => formatIn(regional("cs"))),
  de: once(() => formatIn(regional("de"))),
} satisfies Record<Language, () => Format>;

/** Returns the formats for the console's language. */
export function useFormat(): Format {
  const { language } = useLanguage();
  return formats[language]();
}
