import type { ReliabilityLabel, TableFacts } from "../../../db/datasets.ts";

/** The tests by which figures are labelled: official and first-hand A, the owner's B, secondary C, estimated D. */

/** Publishers whose own files are official statistics or a supervisor's tables. */
const official =
  /^(Eurostat|ESTAT|Destatis|Statistisches Bundesamt|Český statistický úřad|ČSÚ|Czech Statistical Office|Štatistický úrad.*|ŠÚ SR|Statistics \w+|Statistisk sentralbyrå|Danmarks Statistik|CSO.*|INSEE|INE|ISTAT|GUS|BaFin|EIOPA|ČNB|CNB|Czech National Bank|Česká národní banka|NBS|ECB|DIHK)$/i;

const order: readonly ReliabilityLabel[] = ["A", "B", "C", "D"];
const years = 3;

/** A label so many steps down. */
export const lowered = (label: ReliabilityLabel, steps = 1): ReliabilityLabel =>
  order[Math.min(order.indexOf(label) + steps, order.length - 1)] ?? "D";

/** The label of a table that says none itself: A needs an official publisher, a licence or address makes it B, else D. */
export function labelled({
  publisher,
  url,
  licence,
}: Pick<TableFacts, "publisher" | "url" | "licence">): ReliabilityLabel {
  if (official.test(publisher)) return "A";
  return url !== null || licence !== null ? "C" : "D";
}

/**
 * The label of one figure: a break or another definition takes a step away, as does what the publisher calls unreliable,
 * and a period that was over three years old when the table was published; a forecast is never more than D.
 */
export function figureLabel(
  table: ReliabilityLabel,
  flags: string,
  period: string,
  retrieved: string,
): ReliabilityLabel {
  if (flags.includes("f")) return "D";
  const isOld = Number(retrieved.slice(0, 4)) - Number(period.slice(0, 4)) > years;
  return lowered(table, (/[bdu]/.test(flags) ? 1 : 0) + (isOld ? 1 : 0));
}
