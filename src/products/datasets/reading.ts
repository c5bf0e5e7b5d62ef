import type { Entity, TableFacts } from "../../../db/datasets.ts";
import type { StagedFigure } from "../../../db/sqlite/dataset-file.ts";
import type { Mapping } from "./mapping.ts";
import { placeOf } from "./places.ts";
import { type RefusalCode, type RefusedRow, shown } from "./refusal.ts";

/** What a reader makes of a row. */
export type Item = { readonly figure: StagedFigure } | { readonly entity: Entity } | { readonly refused: RefusedRow };

/** A file that is understood: what it says of itself, what was decided about it, and its rows. */
export interface Reading {
  /** Its format in a word, as reports show it. */
  readonly format: "sdmx-csv" | "sdmx-ml" | "sdmx-json" | "bulk-tsv" | "json-stat" | "csv" | "xlsx";
  /** What was decided: encoding, signs of numbers, delimiter. */
  readonly decided: Readonly<Record<string, string>>;
  readonly facts: Partial<TableFacts>;
  /** What an operator should know. Complete once the rows have been read. */
  readonly notes: string[];
  items(): AsyncIterable<Item>;
}

/** What all readers get. */
export interface Source {
  readonly file: string;
  /** Its name, without the folder. */
  readonly name: string;
  readonly mapping: Mapping;
}

/** A row that a reader refuses. */
export const refuse = (line: number, column: string | null, code: RefusalCode, reason: string): Item => ({
  refused: { line, column, code, reason },
});

/** A cell that a spreadsheet would compute, or run a command for. Nothing is ever computed here. */
export const isFormula = (cell: string): boolean => /^\s*(?:[=@]|[+-][^\s(|!]*[(|!])/.test(cell);

/** Why a cell of words can't be taken over, or nothing. */
export function wrongText(cell: string, { damaged_text }: Mapping): readonly [RefusalCode, string] | undefined {
  if (isFormula(cell)) return ["formula", `it holds a formula, ${shown(cell)}`];
  if (cell.includes("\ufffd") && damaged_text !== "keep")
    return [
      "damaged_text",
      "characters of it were lost: it is in another encoding, or was saved in a wrong one before",
    ];
  return undefined;
}

/** Eurostat's own codes of units, in words. Others are shown as they are. */
const units: Readonly<Record<string, string>> = {
  NR: "number",
  PC: "%",
  PC_ACT: "% of the labour force",
  PC_POP: "% of the population",
  PC_GDP: "% of GDP",
  THS_PER: "thousand persons",
  THS: "thousands",
  MIO_EUR: "million EUR",
  CP_MEUR: "million EUR, current prices",
  EUR_HAB: "EUR per inhabitant",
  CLV10_EUR_HAB: "EUR per inhabitant, prices of 2010",
  CLV_PCH_PRE_HAB: "% change per inhabitant on the period before",
  MIO_NAC: "million units of national currency",
  P_MHAB: "per million inhabitants",
};

/** A unit's words from its code. */
export const unitName = (code: string): string => units[code] ?? code;

/** A unit as the mapping tells it. Undefined: the mapping lists units, and not this one. */
export function unitBy(
  mapping: Mapping,
  text: string,
): { readonly unit: string; readonly multiply: number } | undefined {
  const listed = mapping.units?.[text];
  if (listed) return { unit: listed.unit, multiply: listed.multiply ?? 1 };
  if (text === "" || (mapping.units !== undefined && Object.keys(mapping.units).length > 0)) return undefined;
  return { unit: text, multiply: 1 };
}

/** A place for a row, or why it has none. */
export function placed(line: number, column: string, text: string, { places }: Mapping): { place: string } | Item {
  if (places === "any" && text.trim() !== "") return { place: placeOf(text) ?? text.trim() };
  const place = placeOf(text);
  return place === undefined
    ? refuse(line, column, "unknown_country", `${shown(text)} is no country, aggregate or region that is known`)
    : { place };
}

/** In Eurostat's files `EU` means the members at the time; today's are EU27_2020, the EU here. */
export const geoOf = (code: string): string => (code === "EU" ? "EU_V" : code);

/** What Eurostat's own files are published under. */
export const eurostat = (code: string): Partial<TableFacts> => ({
  name: code,
  code,
  publisher: "Eurostat",
  licence: "CC BY 4.0",
  url: `https://ec.europa.eu/eurostat/databrowser/view/${code}`,
  reliability: "A",
});
