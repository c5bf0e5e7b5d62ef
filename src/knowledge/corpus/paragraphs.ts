import { clauseOf, isClauseTitle, isLabelAlone } from "./clauses.ts";

/** Words after a hyphen that is kept, as in `Haus- und Grundbesitz`. */
const linking = /^(und|oder|sowie|bzw|bis|a|i|nebo|či|alebo|lub|oraz|and|or|et|ou)(?!\p{L})/u;
const brokenWord = /\p{L}[-\u2010\u00ad]$/u;

/** Titles are shorter, in characters; longer text is not checked. */
const titleBelow = 60;

/**
 * Joins lines into a text. Only the last line is inspected and the parts are concatenated at the end, so a paragraph of
 * a million lines takes linear time, not quadratic.
 */
export class LineJoiner {
  private parts: string[] = [];
  private length = 0;

  get isEmpty(): boolean {
    return this.length === 0;
  }

  /** The last part added, which ends the text. */
  get lastLine(): string {
    return this.parts.at(-1) ?? "";
  }

  /** The text if it is short enough for a title; otherwise undefined. */
  get asTitle(): string | undefined {
    return this.length < titleBelow ? this.parts.join("") : undefined;
  }

  /** Adds a line. Rejoins a word that was hyphenated at the end of the previous line. */
  add(line: string): void {
    if (line === "") return;
    const last = this.lastLine;
    if (!brokenWord.test(last.slice(-3)) || !/^\p{Ll}/u.test(line) || linking.test(line)) {
      this.push(this.isEmpty ? line : ` ${line}`);
      return;
    }
    // In Czech, the hyphen in `je-li` belongs to the word.
    if (!/^li(?!\p{L})/u.test(line)) {
      this.parts[this.parts.length - 1] = last.slice(0, -1);
      this.length--;
    }
    this.push(line);
  }

  private push(part: string): void {
    this.parts.push(part);
    this.length += part.length;
  }

  /** Returns the text and resets. */
  take(): string {
    const text = this.parts.join("");
    this.parts = [];
    this.length = 0;
    return text;
  }
}

const bullet = /^[-–•*·▪●■□✓✔✗✘]\s+\S/;
const letter = /^(?:\(?[a-z]{1,2}\)|[ivx]{1,4}[.)])\s+\S/;

/** Checks whether a line starts a new block, whatever precedes it. */
export function beginsBlock(line: string): boolean {
  if (bullet.test(line) || letter.test(line)) return true;
  const clause = clauseOf(line);
  // A line that happens to start with `§ 5` or `Art. 3` continues in lower case.
  return clause !== undefined && (clause.rest === "" || !/^\p{Ll}/u.test(clause.rest) || clause.rank > 3);
}

/** Checks whether a line continues the text so far instead of starting a new paragraph. */
export function continues(before: LineJoiner, line: string): boolean {
  const title = before.asTitle;
  if (title !== undefined) {
    // A new paragraph follows a title, unless the line continues in lower case.
    if (isLabelAlone(title) || (isClauseTitle(title) && !/^\p{Ll}/u.test(line))) return false;
  }
  return !beginsBlock(line);
}

/** Joins lines into paragraphs. */
export function joinLines(lines: readonly string[]): string[] {
  const paragraphs: string[] = [];
  const paragraph = new LineJoiner();
  for (const line of lines) {
    if (!paragraph.isEmpty && !continues(paragraph, line)) paragraphs.push(paragraph.take());
    paragraph.add(line);
  }
  if (!paragraph.isEmpty) paragraphs.push(paragraph.take());
  return paragraphs;
}
