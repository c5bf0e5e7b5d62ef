import { type Static, Type as T } from "@sinclair/typebox";
import { closed, enumeration } from "../../platform/schema.ts";
import { problems } from "../../platform/validate.ts";
import { parseManifest } from "../connectors/yaml.ts";

const Name = T.String({ minLength: 1, maxLength: 200 });
const Text = T.String({ minLength: 1, maxLength: 1000 });
const Columns = T.Array(Name, { minItems: 1, maxItems: 50 });

/** A column of figures, in a row that has several. */
const ValueColumn = closed({
  column: Name,
  indicator: Name,
  title: T.Optional(Text),
  unit: T.Optional(Name),
  multiply: T.Optional(T.Number({ exclusiveMinimum: 0 })),
});

/**
 * An operator's description of a file: its origin, its notation and its columns. A self-describing file (SDMX-CSV, bulk
 * TSV, JSON-stat) needs none. The mapping overrides what the file says.
 */
export const Mapping = closed({
  name: T.Optional(T.String({ pattern: "^[A-Za-z0-9][A-Za-z0-9._-]{0,79}$" })),
  title: T.Optional(Text),
  publisher: T.Optional(Name),
  code: T.Optional(Name),
  licence: T.Optional(Name),
  url: T.Optional(T.String({ format: "uri", maxLength: 2048 })),
  retrieved: T.Optional(T.String({ format: "date" })),
  reliability: T.Optional(enumeration("A", "B", "C", "D")),
  note: T.Optional(Text),
  rows: T.Optional(enumeration("figures", "entities")),
  sheet: T.Optional(Name),
  encoding: T.Optional(Name),
  delimiter: T.Optional(T.String({ minLength: 1, maxLength: 1 })),
  decimal: T.Optional(enumeration(".", ",")),
  thousands: T.Optional(enumeration(",", ".", " ", "'")),
  header_line: T.Optional(T.Integer({ minimum: 1, maximum: 1000 })),
  header_lines: T.Optional(
    T.Integer({ minimum: 1, maximum: 10, description: "Number of lines that the column names span." }),
  ),
  unit_line: T.Optional(T.Integer({ minimum: 1, maximum: 10, description: "Which line of the header has the units." })),
  footer: T.Optional(
    T.String({ minLength: 1, maxLength: 200, description: "How the first line after the data starts." }),
  ),
  dates: T.Optional(enumeration("iso", "dmy", "mdy")),
  places: T.Optional(enumeration("countries", "any")),
  damaged_text: T.Optional(enumeration("refuse", "keep")),
  place: T.Optional(closed({ column: T.Optional(Name), fixed: T.Optional(Name) })),
  period: T.Optional(
    closed({
      column: T.Optional(Name),
      month: T.Optional(Name),
      fixed: T.Optional(Name),
      columns: T.Optional(Name),
    }),
  ),
  unit: T.Optional(closed({ column: T.Optional(Name), label: T.Optional(Name), fixed: T.Optional(Name) })),
  units: T.Optional(
    T.Record(T.String(), closed({ unit: Name, multiply: T.Optional(T.Number({ exclusiveMinimum: 0 })) })),
  ),
  indicator: T.Optional(closed({ column: T.Optional(Name), fixed: T.Optional(Name), title: T.Optional(Text) })),
  value: T.Optional(Name),
  values: T.Optional(T.Array(ValueColumn, { minItems: 1, maxItems: 50 })),
  values_from: T.Optional(
    T.String({
      ...Name,
      description: "The first column of figures; this column and all after it each have their own indicator.",
    }),
  ),
  flags: T.Optional(Name),
  reliability_column: T.Optional(Name),
  url_column: T.Optional(Name),
  dimensions: T.Optional(Columns),
  group: T.Optional(Columns),
  key: T.Optional(Columns),
  fields: T.Optional(T.Record(T.String(), Name)),
});
export type Mapping = Static<typeof Mapping>;

/** Parses a mapping from YAML (which includes JSON). Throws `ManifestError` with a line for each mistake. */
export function readMapping(text: string): Mapping {
  const { value, located } = parseManifest(text);
  const wrong = problems(Mapping, value ?? {}, "");
  if (wrong.length > 0) throw located(wrong);
  return (value ?? {}) as Mapping;
}
