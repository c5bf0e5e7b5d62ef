import { sameText } from "./words.ts";

/** The Länder by ISO 3166-2 code. */
export const laender: Readonly<Record<string, string>> = {
  "DE-BW": "Baden-Württemberg",
  "DE-BY": "Bayern",
  "DE-BE": "Berlin",
  "DE-BB": "Brandenburg",
  "DE-HB": "Bremen",
  "DE-HH": "Hamburg",
  "DE-HE": "Hessen",
  "DE-MV": "Mecklenburg-Vorpommern",
  "DE-NI": "Niedersachsen",
  "DE-NW": "Nordrhein-Westfalen",
  "DE-RP": "Rheinland-Pfalz",
  "DE-SL": "Saarland",
  "DE-SN": "Sachsen",
  "DE-ST": "Sachsen-Anhalt",
  "DE-SH": "Schleswig-Holstein",
  "DE-TH": "Thüringen",
};

const byName = new Map(
  Object.entries(laender).flatMap(([code, name]) => [
    [sameText(name), code],
    [sameText(code), code],
    [sameText(code.slice(3)), code],
  ]),
);

/** Returns the code of a Land from its name or code; `undefined` if there is none. */
export const landOf = (text: string): string | undefined => byName.get(sameText(text));
