import { stat } from "node:fs/promises";
import type { Item, Reading, Source } from "./reading.ts";
import { FileRefused } from "./refusal.ts";
import { type Observation, rowOf } from "./sdmx-observation.ts";

/**
 * Reads SDMX-JSON 1.0 and 2.0, by series or flat. Like JSON-stat, it is read whole; the caller has already parsed it.
 */

type Values = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Values =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const inside = (value: unknown, name: string): unknown => (isObject(value) ? value[name] : undefined);
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const words = (value: unknown): string => (typeof value === "string" ? value : "");

/** A component with the codes of its values, in the order that keys index. */
interface Component {
  readonly id: string;
  readonly codes: readonly string[];
}

const componentsOf = (value: unknown): Component[] =>
  list(value).map((one) => ({
    id: words(inside(one, "id")),
    codes: list(inside(one, "values")).map((known) => words(inside(known, "id"))),
  }));

/** Resolves the positions in a key or index list to codes. */
function coded(components: readonly Component[], positions: readonly unknown[]): Record<string, string> {
  return Object.fromEntries(
    components.flatMap(({ id, codes }, at) => {
      const code = typeof positions[at] === "number" ? codes[positions[at]] : undefined;
      return code === undefined ? [] : [[id, code]];
    }),
  );
}

const positionsOf = (key: string): number[] => key.split(":").map(Number);

/** Whether parsed JSON is an SDMX message. */
export const isSdmxJson = (json: unknown): boolean => {
  const body = inside(json, "data") ?? json;
  return (
    Array.isArray(inside(body, "dataSets")) &&
    (isObject(inside(body, "structure")) || Array.isArray(inside(body, "structures")))
  );
};

function* observationsIn(json: unknown): Generator<Observation> {
  const body = inside(json, "data") ?? json;
  const structure = inside(body, "structure") ?? list(inside(body, "structures"))[0];
  const [dimensions, attributes] = [inside(structure, "dimensions"), inside(structure, "attributes")];
  const of = (from: unknown, level: string) => componentsOf(inside(from, level));
  const whole = coded(
    of(dimensions, "dataSet"),
    of(dimensions, "dataSet").map(() => 0),
  );
  const observed = of(dimensions, "observation");
  let line = 0;
  for (const set of list(inside(body, "dataSets"))) {
    const flat = inside(set, "observations");
    const series = isObject(flat) ? { "": { observations: flat } } : inside(set, "series");
    for (const [key, one] of Object.entries(isObject(series) ? series : {})) {
      const keys = key === "" ? {} : coded(of(dimensions, "series"), positionsOf(key));
      const more = coded(of(attributes, "series"), list(inside(one, "attributes")));
      for (const [place, cells] of Object.entries(inside(one, "observations") ?? {})) {
        const [value, ...indexes] = list(cells);
        const stated = of(attributes, "observation");
        // If there are fewer indexes after a value than declared attributes, attributes without values have none.
        const counted = stated.length === indexes.length ? stated : stated.filter(({ codes }) => codes.length > 0);
        const { TIME_PERIOD = "", ...others } = { ...whole, ...keys, ...coded(observed, positionsOf(place)) };
        line += 1;
        yield {
          ...{ line, dimensions: others, period: TIME_PERIOD },
          attributes: { ...more, ...coded(counted, indexes) },
          value: typeof value === "number" ? String(value) : words(value),
        };
      }
    }
  }
}

/** Reads parsed SDMX-JSON. A row's line is its observation's number. Throws `FileRefused`. */
export async function readSdmxJson(source: Source, json: unknown, encoding: string): Promise<Reading> {
  const [first] = observationsIn(json);
  if (!first)
    throw new FileRefused(
      "empty",
      `it contains no observation in ${(await stat(source.file)).size} bytes`,
      "Ask the publisher again.",
    );
  const header = inside(json, "header") ?? inside(inside(json, "meta"), "sender");
  const publisher = words(inside(inside(header, "sender"), "id"));
  const code = (source.mapping.code ?? source.name.replace(/\.json(\.gz)?$/i, "")).toLowerCase();
  const body = inside(json, "data") ?? json;
  const title = words(inside(inside(body, "structure"), "name"));
  const prepared = words(inside(header, "prepared"));
  return {
    format: "sdmx-json",
    decided: { encoding },
    facts: {
      ...{ name: code, code, title: title || code },
      ...(publisher && { publisher }),
      ...(/^\d{4}-\d\d-\d\d/.test(prepared) && { retrieved: prepared.slice(0, 10) }),
    },
    notes: [],
    async *items(): AsyncGenerator<Item> {
      for (const one of observationsIn(json)) yield rowOf(one, source, code);
    },
  };
}
