/** Returns the lines of a data file that are entries, without comments and empty lines. */
const entriesOf = (text: string): string[] =>
  text.split(/\r?\n/).filter((line) => line !== "" && !line.startsWith("#"));

/** Words in lower case without accents, as on both sides of every comparison, separated by one space. */
const foldedCell = /^[^\p{Lu}\p{M}\s]+(?: [^\p{Lu}\p{M}\s]+)*$/u;

/** Returns the words of a cell, which spaces separate. Throws if one of them is not folded. Used by the lexicons. */
export function foldedWords(cell: string): string[] {
  if (!foldedCell.test(cell.normalize("NFD")))
    throw new Error(`a word of "${cell}" is empty, or has a capital or accent`);
  return cell.split(" ");
}

/**
 * Parses an embedded table: a header, then one entry per line, with a tab between cells. Throws if the header differs,
 * a line has another number of cells, or a cell is empty, so that a slip in the data fails the first test that loads
 * it.
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

/** Parses an embedded list of groups of folded words, one group per line. Throws as `foldedWords` does. */
export const readGroups = (text: string): string[][] => entriesOf(text).map(foldedWords);

/** Returns a cell that must be one of a few values. Throws if it is none of them. */
export function oneOf<Value extends string>(cell: string, values: readonly Value[]): Value {
  const found = values.find((value) => value === cell);
  if (found === undefined) throw new Error(`"${cell}" is none of ${values.join(", ")}`);
  return found;
}
