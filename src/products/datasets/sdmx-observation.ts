import { missingMark, numberIn } from "./numbers.ts";
import { periodOf } from "./periods.ts";
import { geoOf, type Item, placed, refuse, type Source, unitName } from "./reading.ts";
import { shown } from "./refusal.ts";

/** One observation of an SDMX message. Every SDMX format yields the same rows. */
export interface Observation {
  /** Its number in the file, from 1, since a message has no lines. */
  readonly line: number;
  readonly dimensions: Readonly<Record<string, string>>;
  readonly attributes: Readonly<Record<string, string>>;
  readonly period: string;
  readonly value: string;
}

const places = ["GEO", "REF_AREA", "COUNTRY", "LOCATION"];
const units = ["UNIT", "UNIT_MEASURE"];
const titles = ["TITLE", "TITLE_COMPL", "SERIES_NAME"];

/**
 * SDMX attributes that structure-specific messages write next to the dimensions. `SCALE` is only a display hint, not a
 * factor.
 */
const attributes = new Set(
  [
    "BASE_PER BASE_YEAR COLLECTION COMMENT_OBS COMMENT_TS CONF_STATUS COUNTRY_UPDATE_DATE DECIMALS DECIMALS_DISPLAYED",
    "EMBARGO_DATE IDBANK KEYWORDS LAST_UPDATE METHODOLOGY OBS_CONF OBS_FLAG OBS_PRE_BREAK OBS_STATUS OVERLAP",
    "PRE_BREAK_VALUE PUBLISHER SCALE SERIES_NAME SOURCE_AGENCY TIME_FORMAT TIME_PER_COLLECT TITLE TITLE_COMPL TOPIC",
    "UNIT_MEASURE UNIT_MULT",
  ].flatMap((line) => line.split(" ")),
);

/** Whether a name in a structure-specific message is an attribute. */
export const isAttribute = (name: string): boolean => attributes.has(name.toUpperCase());

const powers: Readonly<Record<string, string>> = { "3": "thousand", "6": "million", "9": "billion" };

/** Returns a value's unit; UNIT_MULT is the power of ten that it is counted in. */
function unitOf(find: (names: readonly string[]) => string, source: Source): string {
  const { fixed } = source.mapping.unit ?? {};
  const unit = fixed ?? unitName(find(units));
  const power = find(["UNIT_MULT"]);
  if (unit === "" || power === "" || power === "0") return unit;
  return `${powers[power] ?? `10^${power}`} (${unit})`;
}

/** Returns the row of an observation, or its refusal. `code`: of the data set, used for indicators without a title. */
export function rowOf(observed: Observation, source: Source, code: string): Item {
  const { line, dimensions, value: text } = observed;
  const { mapping } = source;
  const all = new Map(
    [...Object.entries(observed.attributes), ...Object.entries(dimensions)].map(([name, value]) => [
      name.toUpperCase(),
      value,
    ]),
  );
  const find = (names: readonly string[]): string => names.map((name) => all.get(name)).find((found) => found) ?? "";
  const area = mapping.place?.fixed ?? geoOf(find(places));
  const place = placed(line, "REF_AREA", area, mapping);
  if (!("place" in place)) return place;
  const period = periodOf(mapping.period?.fixed ?? observed.period);
  if (period === undefined) return refuse(line, "TIME_PERIOD", "period", `${shown(observed.period)} is not a period`);
  const unit = unitOf(find, source);
  if (unit === "") return refuse(line, "unit", "unit", "it has no unit: set `unit: {fixed: …}` in the mapping");
  const value = numberIn(text, { decimal: ".", thousands: null });
  const mark = missingMark(text) ?? (/^nan$/i.test(text) ? ":" : undefined);
  if (value === undefined && mark === undefined)
    return refuse(line, "OBS_VALUE", "not_a_number", `${shown(text)} is not a number`);
  const others = Object.entries(dimensions).filter(
    ([name]) => !places.includes(name.toUpperCase()) && !units.includes(name.toUpperCase()),
  );
  const status = find(["OBS_STATUS", "OBS_FLAG"]).toLowerCase();
  // `A` marks a normal value.
  const flags = status === "a" ? "" : status;
  const title = find(titles) || [mapping.title ?? code, ...others.map(([, one]) => one)].join(", ");
  return {
    figure: {
      ...{ code, title, unit, facts: {}, group: {}, line, period, ...place },
      dimensions: Object.fromEntries(others),
      value: value ?? null,
      missing: value === undefined ? flags || (mark ?? ":") : null,
      flags: value === undefined ? "" : flags,
    },
  };
}
