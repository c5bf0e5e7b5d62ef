/** The lines of a data file that hold an entry: no comment, and not empty. */
const entriesOf = (text: string): string[] =>
  text.split(/\r?\n/).filter((line) => line !== "" && !line.startsWith("#"));

/** Words in lower case without accents, as both sides of every comparison are, with a space between them. */
const foldedCell = /^[^\p{Lu}\p{M}\s]+(?: [^\p{Lu}\p{M}\s]+)*$/u;

/** The words of a cell, which spaces separate. Throws when one of them is not folded. The lexicons call it. */
export function foldedWords(cell: string): string[] {
  if (!foldedCell.test(cell.normalize("NFD")))
    throw new Error(`a word of "${cell}" is empty, or has a capital or accent`);
  return cell.split(" ");
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
  if (header !== columns.join("\t")) throw new Error(`a table has the columns ${header}, not ${columns.join(", ")}`);
  const rows = lines.map((line) => line.split("\t"));
  const isWhole = (cells: readonly string[]) =>
    cells.length === columns.length && cells.every((cell) => cell !== "" && cell === cell.trim());
  const wrong = rows.find((cells) => !isWhole(cells));
  if (wrong) throw new Error(`the line "${wrong.join(", ")}" has a cell too many, too few or empty`);
  return rows.map(
    (cells) => Object.fromEntries(columns.map((column, at) => [column, cells[at]])) as Record<Column, string>,
  );
}

/** Reads an embedded list of groups of folded words: a line a group. Throws as `foldedWords` does. */
export const readGroups = (text: string): string[][] => entriesOf(text).map(foldedWords);

/** The value of a cell that must be one of a few. Throws when it is none of them. */
export function oneOf<Value extends string>(cell: string, values: readonly Value[]): Value {
  const found = values.find((value) => value === cell);
  if (found === undefined) throw new Error(`"${cell}" is none of ${values.join(", ")}`);
  return found;
}
