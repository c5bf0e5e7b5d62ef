import { clauseOf, isClauseTitle, isLabelAlone } from "./clauses.ts";

/** Words that may follow a hyphen which stays: `Haus- und Grundbesitz`. */
const linking = /^(und|oder|sowie|bzw|bis|a|i|nebo|či|alebo|lub|oraz|and|or|et|ou)(?!\p{L})/u;

/** Joins a line to the text before it. A word that was parted at the line's end is whole again. */
export function joinText(before: string, line: string): string {
  if (!/\p{L}[-\u2010\u00ad]$/u.test(before) || !/^\p{Ll}/u.test(line) || linking.test(line))
    return before === "" ? line : `${before} ${line}`;
  // Czech: in `je-li` the hyphen is the word's own.
  return /^li(?!\p{L})/u.test(line) ? before + line : before.slice(0, -1) + line;
}

const bullet = /^[-–•*·▪●■□✓✔✗✘]\s+\S/;
const letter = /^(?:\(?[a-z]{1,2}\)|[ivx]{1,4}[.)])\s+\S/;

/** Whether a line begins something of its own, whatever stands before it. */
export function beginsBlock(line: string): boolean {
  if (bullet.test(line) || letter.test(line)) return true;
  const clause = clauseOf(line);
  // A line that happens to begin with `§ 5` or `Art. 3` goes on with small letters.
  return clause !== undefined && (clause.rest === "" || !/^\p{Ll}/u.test(clause.rest) || clause.rank > 3);
}

/** Whether a line goes behind the text before it, or begins a paragraph of its own. */
export function goesOn(before: string, line: string): boolean {
  // Behind a title something new begins, unless it goes on with small letters.
  const isTitled = isClauseTitle(before) && before.length < 60 && !/^\p{Ll}/u.test(line);
  return !isTitled && !isLabelAlone(before) && !beginsBlock(line);
}

/** The paragraphs that lines make: one goes on until something begins. */
export function joinLines(lines: readonly string[]): string[] {
  const joined: string[] = [];
  for (const line of lines) {
    const last = joined.at(-1);
    if (last === undefined || !goesOn(last, line)) joined.push(line);
    else joined[joined.length - 1] = joinText(last, line);
  }
  return joined;
}
