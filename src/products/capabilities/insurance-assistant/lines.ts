import { readTable } from "../../../knowledge/language/word-table.ts";
import { fold } from "../../../platform/text.ts";
import table from "./lines.tsv" with { type: "text" };

/**
 * Words that name a line of insurance, or a thing or place that one line covers. Folded, in the six languages; a hyphen
 * marks a prefix. An everyday question often shares nothing else with the documents.
 */
const naming = readTable(table, ["word", "lines"]).map(({ word, lines }) => ({
  word: word.replace(/-$/, ""),
  isBeginning: word.endsWith("-"),
  lines: lines.split(" "),
}));

/** Returns the lines of insurance that a question's words point to. If there are several, any may be meant. */
export function linesNamed(question: string): ReadonlySet<string> {
  const words = fold(question).match(/\p{L}+/gu) ?? [];
  const found = naming.filter(({ word, isBeginning }) =>
    words.some((one) => (isBeginning ? one.startsWith(word) : one === word)),
  );
  return new Set(found.flatMap(({ lines }) => lines));
}
