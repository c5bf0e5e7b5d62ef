/**
 * Clause numbering in central European contracts and laws. A text that starts with such a number is either a title
 * (`Článek 3 Výluky`) or a clause with its text (`3.2 Pojištění se nevztahuje na …`).
 */

export interface Clause {
  /** As written: `Článek 3`, `§ 12a`, `3.2.1`, `A1-6.1`, `(2)`. */
  readonly label: string;
  /** Its depth: 1 a part, 2 a section, 3 an article or §, from 4 a number by its count of points. */
  readonly rank: number;
  /** The text after the number. */
  readonly rest: string;
}

// Polish laws insert sections with a superscript number: `art. 805¹`.
const number = String.raw`(?:\d{1,4}[⁰¹²³⁴-⁹]{0,3}(?:[.-]\d{1,3})*\s?[a-z]?(?![\p{L}\d])|[IVXLC]{1,7}(?![\p{L}\d])|[A-Z]\d{0,2}(?:-\d{1,2}(?:\.\d{1,2})*)?(?![\p{L}\d])|(?:první|druhá|třetí|čtvrtá|pátá|šestá|prvá|druhý|tretia|štvrtá|piata|first|second|third)(?!\p{L}))`;

const named: readonly (readonly [number, string])[] = [
  [1, "část|časť|teil|part|część|partie|hlava|titul|kniha|title|book"],
  [2, "oddíl|oddiel|díl|diel|abschnitt|section|rozdział|dział|kapitola|kapitel|chapter|chapitre|sekce"],
  [3, "článek|článok|čl\\.|artikel|art\\.|article|artykuł|clause|klauzule|klauzula|§§?|paragraf"],
];
const patterns = named.map(
  ([rank, words]) => [rank, new RegExp(`^((?:${words})\\s*${number})[.:)]?(?:\\s+|$)[-–—:]?\\s*(.*)$`, "isu")] as const,
);
const decimal = /^((?:[A-Z]\d?-)?\d{1,3}(?:\.\d{1,3}){0,5})(?:\.|\))?\s+(\S.*)$/s;
const bare = /^((?:[A-Z]\d?-)\d{1,2}(?:\.\d{1,3})*|\d{1,2}(?:\.\d{1,3})+)\.?$/;
const bracketed = /^(\(\d{1,3}[a-z]?\))\s+(\S.*)$/s;

/** Parses the clause number at the start of a text; undefined if there is none, or only a year, amount or date. */
export function clauseOf(text: string): Clause | undefined {
  for (const [rank, pattern] of patterns) {
    const found = pattern.exec(text);
    if (found) return { label: (found[1] ?? "").trim(), rank, rest: (found[2] ?? "").trim() };
  }
  const alone = bare.exec(text);
  if (alone) return { label: alone[1] ?? "", rank: rankOf(alone[1] ?? ""), rest: "" };
  const paragraph = bracketed.exec(text);
  if (paragraph) return { label: paragraph[1] ?? "", rank: 9, rest: paragraph[2] ?? "" };
  const found = decimal.exec(text);
  if (!found) return undefined;
  const [, label = "", rest = ""] = found;
  // `12.5 %`, `3.2. 2024` and `15 dnů` are an amount, a date and a count, not clause numbers.
  const isCounted =
    !/[.)]\s/.test(text.slice(label.length, label.length + 2)) && !label.includes(".") && !label.includes("-");
  if (isCounted || /^(?:%|‰|€|Kč|EUR|CZK|USD|\d)/.test(rest)) return undefined;
  return { label, rank: rankOf(label), rest };
}

const rankOf = (label: string): number => Math.min(8, 4 + (label.match(/[.-]/g)?.length ?? 0));

/** Checks whether a text is only a clause number. */
export const isLabelAlone = (text: string): boolean => {
  const clause = clauseOf(text);
  return clause !== undefined && clause.rest === "";
};

const startsAsTitle = /^[\p{Lu}„"“(–—-]/u;

/** Checks whether a text could be a title: short, with the start of a title and without the end of a sentence. */
export const looksLikeTitle = (text: string): boolean =>
  text.length <= 100 && text.split(" ").length <= 14 && startsAsTitle.test(text) && !/[.;,:!?]$/.test(text);

/** Checks whether a text is a clause number alone or with a title, and so heads the text after it. */
export function isClauseTitle(text: string): boolean {
  const clause = clauseOf(text);
  if (!clause || clause.rank === 9) return false;
  return clause.rest === "" || looksLikeTitle(clause.rest);
}
