import type { SearchLanguage } from "../../../knowledge/language/languages.ts";
import type { Sentence } from "./sentences.ts";
import { numbersOf } from "./words.ts";

/** A cell of a table's row, as imported: the name of its column, empty if the table has no header, and its value. */
interface Cell {
  readonly name: string;
  readonly value: string;
}

const named = /^([^:]{1,160}): (.+)$/u;
const figure = /^[\d\s.,–-]+(?:\s?(?:%|€|\p{L}{1,4}\.?))?$/u;

/** Returns the cells of a row; null for any other text. If the table has no header, a cell must be a bare figure. */
function cellsOf(quote: string): readonly Cell[] | null {
  const cells = quote
    .replace(/\.$/u, "")
    .split("; ")
    .map((cell): Cell => {
      const [, name = "", value = cell] = named.exec(cell) ?? [];
      return { name, value };
    });
  const isRow =
    cells.length > 1 && (cells.every(({ name }) => name !== "") || cells.some(({ value }) => figure.test(value)));
  return isRow ? cells : null;
}

/** Returns whether a sentence is a row of a table. */
export const isRow = (quote: string): boolean => cellsOf(quote) !== null;

/** Returns a key for the table of a row, by its columns. Null if a sentence is no row. */
function tableOf({ own, found }: Sentence): string | null {
  const cells = cellsOf(own);
  return cells && [found.document.id, ...cells.map(({ name }) => name)].join("\n");
}

/** Returns what distinguishes a row from the others of its table: its cells in words, without figures. */
const keyOf = ({ own }: Sentence): string =>
  (cellsOf(own) ?? []).flatMap(({ value }) => (figure.test(value) ? [] : [value])).join("\n");

const valuesOf = ({ own }: Sentence): string => (cellsOf(own) ?? []).map(({ value }) => value).join("; ");

const amountsIn = (text: string, language: SearchLanguage): ReadonlySet<string> =>
  new Set(numbersOf(text, language).map(({ value, unit }) => `${value} ${unit}`));

/** A question, and a test of whether a text of a row has one of its words. */
export interface Asked<Word> {
  readonly question: string;
  readonly language: SearchLanguage;
  /** Words of the matter, without function words, verbs of asking and units. */
  readonly matter: readonly Word[];
  readonly holds: (text: string, row: Sentence, word: Word) => boolean;
}

/** Returns what is above a row and true of all rows: under household insurance, `household` distinguishes none. */
const above = ({ found: { document, chunk } }: Sentence): string => `${document.title}\n${chunk.heading}`;

/** Returns, for the rows of one table, what of the question each has that not all of them have. */
function toldApart<Word>(rows: readonly Sentence[], { question, language, matter, holds }: Asked<Word>) {
  const amounts = [...amountsIn(question, language)];
  const held = rows.map((row) => {
    const own = amountsIn(valuesOf(row), language);
    return new Set<Word | string>([
      ...matter.filter((word) => holds(keyOf(row), row, word) && !holds(above(row), row, word)),
      ...amounts.filter((amount) => own.has(amount)),
    ]);
  });
  const common = held.reduce((all, one) => all.intersection(one), held[0] ?? new Set());
  return new Map(rows.map((row, at) => [row, (held[at] ?? common).difference(common)] as const));
}

/** What the question says about the rows of all tables. */
export interface Rows {
  /** Rows about something else: another row of the table has more of what the question names. */
  readonly others: ReadonlySet<Sentence>;
  /** Rows of tables in which no row has what the question names. */
  readonly strangers: ReadonlySet<Sentence>;
}

/**
 * Finds the rows that answer something else: the price for a hairdresser when an electrician asks. In everything but
 * its key, such a row has the same words as those that answer. `support.ts` leaves them out.
 */
export function rowsBy<Word>(sentences: readonly Sentence[], asked: Asked<Word>): Rows {
  const tables = Map.groupBy(sentences, tableOf);
  const others = new Set<Sentence>();
  const strangers = new Set<Sentence>();
  for (const [table, rows] of tables) {
    if (table === null || rows.length < 2) continue;
    const told = toldApart(rows, asked);
    const best = [...told.values()].filter(({ size }) => size > 0);
    for (const [row, own] of told) {
      if (best.some((one) => one.size > own.size && own.isSubsetOf(one))) others.add(row);
      if (best.length === 0 && isStranger(row, asked)) strangers.add(row);
    }
  }
  return { others, strangers };
}

/** Returns whether the question names something that a row and what is above it lack, or another amount of its unit. */
function isStranger<Word>(row: Sentence, { question, language, matter, holds }: Asked<Word>): boolean {
  const given = numbersOf(valuesOf(row), language);
  const isOther = ({ value, unit }: { readonly value: number; readonly unit: string }) => {
    const compared = given.filter((one) => one.unit === unit);
    return compared.length > 0 && compared.every((one) => one.value !== value);
  };
  const isForeign = (word: Word) => !holds(`${above(row)}\n${row.own}`, row, word);
  return matter.some(isForeign) || numbersOf(question, language).some(isOther);
}
