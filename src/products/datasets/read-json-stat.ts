import { stat } from "node:fs/promises";
import { periodOf } from "./periods.ts";
import { isSdmxJson, readSdmxJson } from "./read-sdmx-json.ts";
import { eurostat, type Item, placed, type Reading, refuse, type Source, unitName } from "./reading.ts";
import { FileRefused, shown } from "./refusal.ts";
import type { TextFile } from "./text-file.ts";

/** Reads JSON-stat 2.0, and 1.x in its wrapper. The file is read whole, so its size is bounded. */

const largestFile = 64 << 20;
const mostCells = 10_000_000;

type Values = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Values =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const inside = (value: unknown, name: string): Values => {
  const found = isObject(value) ? value[name] : undefined;
  return isObject(found) ? found : {};
};
const strings = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);
const words = (value: unknown): string => (typeof value === "string" ? value : "");

interface Dimension {
  readonly id: string;
  readonly label: string;
  readonly codes: readonly string[];
  readonly labels: Values;
  readonly units: Values;
}

function dimensionOf(id: string, about: Values, size: number): Dimension {
  const category = inside(about, "category");
  const { index } = category;
  const labels = inside(category, "label");
  const codes = Array.isArray(index)
    ? strings(index)
    : isObject(index)
      ? Object.entries(index)
          .sort(([, a], [, b]) => Number(a) - Number(b))
          .map(([code]) => code)
      : Object.keys(labels);
  if (codes.length !== size) throw unknown(`the dimension ${shown(id)} has ${codes.length} categories, not ${size}`);
  return { id, label: words(about.label) || id, codes, labels, units: inside(category, "unit") };
}

const unknown = (reason: string): FileRefused =>
  new FileRefused("format", `it is JSON but not JSON-stat: ${reason}`, "Ask the publisher for JSON-stat 2.0 or CSV.");

interface Cube {
  readonly label: string;
  readonly updated: string;
  readonly source: string;
  /** The publisher's code for the table. */
  readonly code: string;
  readonly dimensions: readonly Dimension[];
  readonly geo: string | undefined;
  /** Other dimensions that are also places, such as the place of birth; treated as ordinary dimensions. */
  readonly otherGeo: readonly string[];
  readonly time: string;
  readonly value: unknown;
  readonly status: unknown;
}

function cubeOf(json: unknown): Cube {
  const wrapped = isObject(json) && isObject(json.dataset) ? json.dataset : json;
  if (!isObject(wrapped) || !isObject(wrapped.dimension)) throw unknown("it has no dimensions");
  const { dimension } = wrapped;
  // In 1.x, id, size and role are inside the dimensions.
  const id = strings(wrapped.id ?? dimension.id);
  const size = strings(wrapped.size ?? dimension.size).map(Number);
  if (id.length === 0 || id.length !== size.length) throw unknown("it has no id and size");
  if (size.reduce((product, one) => product * one, 1) > mostCells)
    throw new FileRefused("too_long", `it declares more than ${mostCells} cells`, "Download fewer cells.");
  const role = isObject(wrapped.role) ? wrapped.role : inside(dimension, "role");
  const [time = id.find((one) => /^(time|tid|year|quarter|month)$/i.test(one))] = strings(role.time);
  if (time === undefined) throw unknown("it does not say which dimension is the time");
  return {
    dimensions: id.map((one, i) => dimensionOf(one, inside(dimension, one), size[i] ?? 0)),
    ...{ label: words(wrapped.label), updated: words(wrapped.updated), source: words(wrapped.source), time },
    geo: strings(role.geo)[0] ?? id.find((one) => /^(geo|ref_area)$/i.test(one)),
    otherGeo: strings(role.geo).slice(1),
    code: words(inside(wrapped, "extension").id),
    value: wrapped.value,
    status: wrapped.status,
  };
}

const at = (cells: unknown, i: number): unknown =>
  Array.isArray(cells) ? cells[i] : isObject(cells) ? cells[String(i)] : cells;

/** Matches labels that say that figures are in thousands; some publishers say so nowhere else. */
const inThousands = /\(i 1000\)|\b(in )?thousands?\b|\b1[ ,.]000s?\b/i;

/** Returns what is measured at one position of the cube, and its unit. */
function measured(cube: Cube, codes: readonly string[], { mapping }: Source) {
  const dimensions: Record<string, string> = {};
  const labels: string[] = [];
  let unit = "";
  for (const [i, { id, codes: all, labels: known, units }] of cube.dimensions.entries()) {
    if (id === cube.geo || id === cube.time) continue;
    const code = codes[i] ?? "";
    const label = words(known[code]) || code;
    const base = words(inside(units, code).base) || words(inside(units, code).label);
    if (base) unit = base;
    if (id.toLowerCase() === "unit") unit = label === code ? unitName(code) : label;
    else {
      dimensions[id] = code;
      if (all.length > 1) labels.push(label);
    }
  }
  const thousands = labels.some((label) => inThousands.test(label)) && !inThousands.test(unit);
  const inUnit = unit || mapping.unit?.fixed || "";
  return { dimensions, labels, unit: thousands && inUnit ? `thousand (${inUnit})` : inUnit };
}

function* itemsOf(cube: Cube, source: Source, code: string): Generator<Item> {
  const { mapping } = source;
  const sizes = cube.dimensions.map(({ codes }) => codes.length);
  const cells = sizes.reduce((product, size) => product * size, 1);
  for (let i = 0; i < cells; i++) {
    let rest = i;
    const codes: string[] = [];
    for (let d = sizes.length - 1; d >= 0; d--) {
      const size = sizes[d] ?? 1;
      codes[d] = cube.dimensions[d]?.codes[rest % size] ?? "";
      rest = Math.floor(rest / size);
    }
    const by = (id: string | undefined) => codes[cube.dimensions.findIndex((one) => one.id === id)] ?? "";
    const line = i + 1;
    const value = at(cube.value, i);
    const status = words(at(cube.status, i));
    const about = measured(cube, codes, source);
    const place = placed(line, cube.geo ?? "place", cube.geo ? by(cube.geo) : (mapping.place?.fixed ?? ""), mapping);
    const period = periodOf(by(cube.time));
    if (!("place" in place)) yield place;
    else if (period === undefined) yield refuse(line, cube.time, "period", `${shown(by(cube.time))} is not a period`);
    else if (about.unit === "")
      yield refuse(line, "unit", "unit", "it has no unit: set `unit: {fixed: …}` in the mapping");
    else if (value !== null && value !== undefined && typeof value !== "number")
      yield refuse(line, "value", "not_a_number", `${shown(String(value))} is not a number`);
    else
      yield {
        figure: {
          ...{ code, title: [cube.label || code, ...about.labels].join(", "), unit: about.unit },
          ...{ dimensions: about.dimensions, facts: {}, group: {}, period, line, ...place },
          value: value ?? null,
          missing: typeof value === "number" ? null : status || ":",
          flags: typeof value === "number" && /^[a-z]+$/.test(status) ? status : "",
        },
      };
  }
}

/** Reads JSON-stat. A row's line is its index in the values, from 1. Throws `FileRefused`. */
export async function readJsonStat(source: Source, text: TextFile): Promise<Reading> {
  if ((await stat(source.file)).size > largestFile)
    throw new FileRefused("too_long", "it is too large for a JSON file", "Download the table as CSV or TSV.");
  let json: unknown;
  try {
    json = JSON.parse((await text.text().toArray()).join(""));
  } catch {
    throw new FileRefused("truncated", "it is not complete JSON", "Download it again.");
  }
  if (isSdmxJson(json)) return readSdmxJson(source, json, text.encoding);
  const cube = cubeOf(json);
  if (cube.geo === undefined && source.mapping.place?.fixed === undefined)
    throw new FileRefused("unknown_country", "it names no place", "Set `place: {fixed: DK}` or similar in a mapping.");
  const code = (source.mapping.code ?? (cube.code || (source.name.split(".json")[0] ?? ""))).toLowerCase();
  const isEurostat = /^(ESTAT|Eurostat)$/.test(cube.source);
  return {
    format: "json-stat",
    decided: { encoding: text.encoding },
    facts: {
      ...{ name: code, code },
      ...(cube.source && { publisher: cube.source }),
      ...(isEurostat && eurostat(code)),
      title: cube.label || code,
      ...(/^\d{4}-\d\d-\d\d/.test(cube.updated) && { retrieved: cube.updated.slice(0, 10) }),
    },
    notes: cube.otherGeo.map(
      (id) => `${id} is a place too: ${cube.geo} was taken as the place, and ${id} as a dimension`,
    ),
    async *items() {
      yield* itemsOf(cube, source, code);
    },
  };
}
