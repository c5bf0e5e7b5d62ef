import type { Entity, TableFacts } from "../../../db/datasets.ts";
import type { StagedFigure } from "../../../db/sqlite/dataset-file.ts";
import type { Mapping } from "./mapping.ts";
import { placeOf } from "./places.ts";
import { type RefusalCode, type RefusedRow, shown } from "./refusal.ts";

/** The result of reading a row. */
export type Item = { readonly figure: StagedFigure } | { readonly entity: Entity } | { readonly refused: RefusedRow };

/** A recognised file: its metadata, the choices made in reading it, and its rows. */
export interface Reading {
  /** Its format as shown in reports. */
  readonly format: "sdmx-csv" | "sdmx-ml" | "sdmx-json" | "bulk-tsv" | "json-stat" | "csv" | "xlsx";
  /** Choices made in reading it: encoding, number notation, delimiter. */
  readonly decided: Readonly<Record<string, string>>;
  readonly facts: Partial<TableFacts>;
  /** Notes for the operator. Complete once all rows have been read. */
  readonly notes: string[];
  items(): AsyncIterable<Item>;
}

/** The input of every reader. */
export interface Source {
  readonly file: string;
  /** Its base name. */
  readonly name: string;
  readonly mapping: Mapping;
}

/** Returns the refusal of a row. */
export const refuse = (line: number, column: string | null, code: RefusalCode, reason: string): Item => ({
  refused: { line, column, code, reason },
});

/** Whether a cell is something that a spreadsheet would compute or execute. Nothing is ever computed here. */
export const isFormula = (cell: string): boolean => /^\s*(?:[=@]|[+-][^\s(|!]*[(|!])/.test(cell);

/** Returns why a text cell can't be imported; `undefined` if it can. */
export function wrongText(cell: string, { damaged_text }: Mapping): readonly [RefusalCode, string] | undefined {
  if (isFormula(cell)) return ["formula", `it holds a formula, ${shown(cell)}`];
  if (cell.includes("\ufffd") && damaged_text !== "keep")
    return ["damaged_text", "some of its characters were lost: it has another encoding, or was saved in a wrong one"];
  return undefined;
}

/** Eurostat's unit codes in words. Other codes are shown unchanged. */
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

/** Returns a unit code in words. */
export const unitName = (code: string): string => units[code] ?? code;

/** Returns a unit according to the mapping; `undefined` if the mapping lists units, but not this one. */
export function unitBy(
  mapping: Mapping,
  text: string,
): { readonly unit: string; readonly multiply: number } | undefined {
  const listed = mapping.units?.[text];
  if (listed) return { unit: listed.unit, multiply: listed.multiply ?? 1 };
  if (text === "" || (mapping.units !== undefined && Object.keys(mapping.units).length > 0)) return undefined;
  return { unit: text, multiply: 1 };
}

/** Returns the place of a row, or the row's refusal. */
export function placed(line: number, column: string, text: string, { places }: Mapping): { place: string } | Item {
  if (places === "any" && text.trim() !== "") return { place: placeOf(text) ?? text.trim() };
  const place = placeOf(text);
  return place === undefined
    ? refuse(line, column, "unknown_country", `${shown(text)} is not a known country, aggregate or region`)
    : { place };
}

/**
 * Converts Eurostat's `EU`, which means the members at the time; the current members are EU27_2020, which is `EU` here.
 */
export const geoOf = (code: string): string => (code === "EU" ? "EU_V" : code);

/** Returns the facts of Eurostat's own files. */
export const eurostat = (code: string): Partial<TableFacts> => ({
  name: code,
  code,
  publisher: "Eurostat",
  licence: "CC BY 4.0",
  url: `https://ec.europa.eu/eurostat/databrowser/view/${code}`,
  reliability: "A",
});
