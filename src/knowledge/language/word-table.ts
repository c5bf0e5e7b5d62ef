import { assert } from "../../platform/assert.ts";

/** The lines of a data file that hold an entry: no comment, and not empty. */
const entriesOf = (text: string): string[] =>
  text.split(/\r?\n/).filter((line) => line !== "" && !line.startsWith("#"));

/** Lower case without accents, as both sides of every comparison are. */
const folded = /^[^\p{Lu}\p{M}\s]+$/u;

/** The words of a cell, which spaces separate. Throws when one of them is not folded. The lexicons call it. */
export function foldedWords(cell: string): string[] {
  const words = cell.split(" ");
  for (const word of words)
    assert(folded.test(word.normalize("NFD")), `the word "${word}" has no capital, no accent and is not empty`);
  return words;
}

/**
 * Reads an embedded table: a header, then a line an entry, with a tab between cells. Throws when the header is another,
 * a line has another number of cells, or a cell is empty: a slip in the data fails the first test that loads it.
 */
export function readTable<Column extends string>(
  text: string,
  columns: readonly Column[],
): Readonly<Record<Column, string>>[] {
  const [header, ...lines] = entriesOf(text);
  assert(header === columns.join("\t"), `the table has the columns ${columns.join(", ")}`);
  return lines.map((line) => {
    const cells = line.split("\t");
    assert(cells.length === columns.length, `"${line}" has ${columns.length} cells`);
    for (const cell of cells) assert(cell !== "" && cell === cell.trim(), `"${line}" has no empty cell`);
    return Object.fromEntries(columns.map((column, at) => [column, cells[at]])) as Record<Column, string>;
  });
}

/** Reads an embedded list of groups of folded words: a line a group. Throws as `foldedWords` does. */
export const readGroups = (text: string): string[][] => entriesOf(text).map(foldedWords);

/** The value of a cell that must be one of a few. Throws when it is none of them. */
export function oneOf<Value extends string>(cell: string, values: readonly Value[]): Value {
  const found = values.find((value) => value === cell);
  assert(found !== undefined, `"${cell}" is one of ${values.join(", ")}`);
  return found;
}
