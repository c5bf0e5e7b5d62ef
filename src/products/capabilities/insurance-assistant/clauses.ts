import { markOf } from "../../../knowledge/language/statement-words.ts";
import { oneOf, readTable } from "../../../knowledge/language/word-table.ts";
import { fold } from "../../../platform/text.ts";
import table from "./clause-words.tsv" with { type: "text" };
import type { Sentence } from "./sentences.ts";

/** Clause numbers, the outermost first: article 4, paragraph 2 is 4, 2, and so is clause 4.2. */
type Path = readonly number[];

const kinds = ["upper", "lower", "change"] as const;
const entries = readTable(table, ["kind", "words"]).map(({ kind, words }) => ({
  kind: oneOf(kind, kinds),
  words: words.split(" "),
}));
const wordsOf = (wanted: (typeof kinds)[number]): string[] =>
  entries.filter(({ kind }) => kind === wanted).flatMap(({ words }) => words);

/** Words for paragraphs of a clause, and phrases that change a clause besides the words that repeal anything. */
const lower = new Set(wordsOf("lower"));
const changes = wordsOf("change").map((words) => ` ${words.replaceAll("-", " ")} `);
const anyWord = [...wordsOf("upper"), ...lower].sort((a, b) => b.length - a.length).join("|");

// A single `v` or `i` is a word in Czech, Slovak and Polish.
const number = String.raw`\d{1,3}(?:\.\d{1,3})*|(?:[ivx]{2,5}|[ivx](?=[.)]))(?!\p{L})`;
const next = String.raw`(?:\s?(?:,|-|–|and|or|to|a|az|und|bis|i|oraz|do|es)\s?\(?(?:\d{1,3}(?:\.\d{1,3})*)(?!\d|\.\d)\)?)*`;
/**
 * Matches `Clauses 2.1 and 2.2`, `čl. 4`, `§ 5`; in Hungarian the number comes first: `a 2.2. pont`, `(2) bekezdés`.
 */
const mention = new RegExp(
  String.raw`(?<![\p{L}\d])(?:(${anyWord})(?![\p{L}\d])\.?\s*(?:no\.?\s*|c\.\s*)?\(?((?:${number})\)?(?:\((?:\d{1,3})\))?${next})|(?:\(?(\d{1,3}(?:\.\d{1,3})*)\)?\.?\s+(${anyWord})(?![\p{L}\d])))`,
  "gu",
);
/** Matches a clause given by its number alone: `2.2 is deleted`. Neither a sum nor a date. */
const bare = /(?<![\d.,])\d{1,2}(?:\.\d{1,2}){1,3}(?![\d]|[.,]\s?\d|\s?(?:%|€|kc|eur|czk|zl|pln|mil|mio|tis|ft|huf))/gu;

const digits: Readonly<Record<string, number>> = { i: 1, v: 5, x: 10 };
function numberOf(text: string): number {
  if (/^\d/.test(text)) return Number(text);
  const values = [...text].map((digit) => digits[digit] ?? 0);
  return values.reduce((sum, value, at) => sum + (value < (values[at + 1] ?? 0) ? -value : value), 0);
}
const pathOf = (text: string): Path => text.split(".").map(numberOf);

interface Mention {
  readonly isLower: boolean;
  readonly path: Path;
}

function mentionsIn(folded: string): Mention[] {
  return [...folded.matchAll(mention)].flatMap(([, word = "", numbers = "", before, after = ""]) => {
    const isLower = lower.has(before === undefined ? word : after);
    const [, whole = "", paragraph] = /^([^\s()]+)\)?\((\d+)\)/.exec(numbers) ?? [];
    if (paragraph !== undefined) return [{ isLower, path: [...pathOf(whole), Number(paragraph)] }];
    return ((before ?? numbers).match(new RegExp(number, "gu")) ?? []).map((one) => ({ isLower, path: pathOf(one) }));
  });
}

interface Named {
  readonly path: Path;
  /** Whether it is a paragraph without its article, which may be any. */
  readonly isLoose: boolean;
}

/** Returns the clauses that a text names, by article and paragraph. */
function clausesIn(text: string): Named[] {
  const folded = fold(text);
  const mentions = mentionsIn(folded);
  const isWhole = ({ isLower, path }: Mention) => !isLower || path.length > 1;
  const uppers = mentions.filter(isWhole);
  const paragraphs = mentions.flatMap((one, at): Named[] => {
    if (isWhole(one)) return [];
    const above = mentions.slice(0, at).findLast(isWhole) ?? uppers[0];
    return [{ path: [...(above?.path ?? []), ...one.path], isLoose: above === undefined }];
  });
  const others = [...uppers.map(({ path }) => path), ...[...folded.matchAll(bare)].map(([one]) => pathOf(one))];
  const all = [...paragraphs, ...others.map((path) => ({ path, isLoose: false }))];
  // If a paragraph of an article is named, the article is not meant as a whole.
  return all.filter(({ path }) => !all.some((one) => one.path.length > path.length && startsWith(one.path, path)));
}

const startsWith = (path: Path, beginning: Path): boolean => beginning.every((one, at) => path[at] === one);

/** Matches a clause's number at the beginning of a line: `2.2`, `(2)`, `2.`. The next one matches it in a heading. */
const numbered = /^\s*\(?(\d{1,3}(?:\.\d{1,3})*)[.)]{0,2}\s+(?=\S)/u;
const headed = new RegExp(
  String.raw`^(?:(?:${anyWord})\.?\s*)?(\d{1,3}(?:\.\d{1,3})*|(?<=\s)[ivx]{1,5})(?!\s?[–-]|[\p{L}\d])`,
  "u",
);

/** Returns the clause of a sentence, by the numbers before it and above it; empty if there are none. */
function clauseOf({ found: { chunk }, start }: Sentence): Path {
  const line = chunk.text.slice(0, start).lastIndexOf("\n") + 1;
  const before = chunk.text.slice(0, line).split("\n").toReversed();
  const lines = [chunk.text.slice(start), chunk.text.slice(line), ...before];
  const own = lines.flatMap((one) => numbered.exec(one)?.[1] ?? [])[0];
  const above = chunk.heading
    .split(" > ")
    .flatMap((one) => headed.exec(fold(one))?.[1] ?? [])
    .at(-1);
  if (own === undefined) return above === undefined ? [] : pathOf(above);
  return own.includes(".") || above === undefined ? pathOf(own) : [...pathOf(above), ...pathOf(own)];
}

/** Returns the paragraph that a heading names: `Clause 2.2`. An article's number alone is probably its own. */
function headingOf({ found: { chunk } }: Sentence): Named[] {
  const last = chunk.heading.split(" > ").at(-1) ?? "";
  return /^\d/.test(last) ? [] : clausesIn(last).filter(({ path }) => path.length > 1);
}

/** Returns whether a text says that a clause no longer applies, or has a new wording. */
export function tellsChange(text: string): boolean {
  const words = fold(text).match(/[\p{L}\p{N}]+/gu) ?? [];
  const said = ` ${words.join(" ")} `;
  return words.some((word) => markOf("repeals", word) !== undefined) || changes.some((change) => said.includes(change));
}

/**
 * Returns whether a sentence that announces a change names the clause of another, by their numbers; null if one has
 * none.
 */
export function namesClauseOf(change: Sentence, quoted: Sentence): boolean | null {
  const said = clausesIn(change.quote);
  const named = said.length > 0 ? said : headingOf(change);
  const clause = clauseOf(quoted);
  if (named.length === 0 || clause.length === 0) return null;
  return named.some(({ path, isLoose }) =>
    isLoose ? path[0] === clause.at(-1) : startsWith(clause, path) || startsWith(path, clause),
  );
}
